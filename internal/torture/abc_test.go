package torture

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/internal/explicit"
)

// abc judges properties with ABC's implementation of IC3, on the text itself.
type abc struct {
	program, dir string
}

// compare holds the truth about a version against ABC's verdicts; nil also where ABC
// cannot be asked.
func (a *abc) compare(v version, now *reading, counts map[string]int) *difference {
	for p, first := range now.truth.first {
		script, ok := a.script(v, now, p)
		if !ok || knownWrong(now.circuit) {
			counts["ABC not asked"]++
			continue
		}
		out, err := exec.Command(a.program, "-q", script).CombinedOutput()
		text := string(out)
		proved := strings.Contains(text, "Property proved") || strings.Contains(text, "Networks are equivalent")
		refuted := strings.Contains(text, "was asserted in frame")
		if err != nil || proved == refuted {
			counts["ABC without an answer"]++
			continue
		}
		counts["ABC's verdicts"]++
		if proved != (first == explicit.NotViolated) {
			return &difference{property: p, what: fmt.Sprintf("first bad step by search %d, ABC says:\n%s", first, text)}
		}
	}
	return nil
}

// script writes a file with the property alone and returns what ABC does with it.
// Constraints have to be folded before pdr, which would take them for outputs.
func (a *abc) script(v version, now *reading, p circuit.Property) (script string, ok bool) {
	if v.model != nil {
		path := filepath.Join(a.dir, "c.aig")
		m := only(withConstantResets(v.model), p)
		data, err := m.AppendBinary(nil)
		if err != nil || os.WriteFile(path, data, 0o600) != nil {
			return "", false
		}
		return "read " + path + "; logic; undc; strash; zero; fold; pdr", true
	}
	if !v.forABC || p.Kind != circuit.PropertyOutput || now.fault(p) != "" {
		return "", false
	}
	path := filepath.Join(a.dir, "c.blif")
	if os.WriteFile(path, []byte(v.text), 0o600) != nil {
		return "", false
	}
	return fmt.Sprintf("read_blif %s; undc; strash; zero; cone -s -O %d; pdr", path, p.Index), true
}

// withConstantResets returns a file with the same runs and no reset function: whatever
// reads a latch that has one reads, in the first step, the function instead.
func withConstantResets(m *aiger.Model) *aiger.Model {
	if !hasResetFunctions(m) {
		return m
	}
	n := clone(m)
	fresh := func() uint32 {
		n.MaxVar++
		return 2 * n.MaxVar
	}
	and := func(a, b uint32) uint32 {
		g := fresh()
		n.Ands = append(n.Ands, syntax.And{LHS: g, RHS0: a, RHS1: b})
		return g
	}
	started := fresh() // 0 in step 0 alone
	reads := map[uint32]uint32{}
	for _, l := range m.Latches {
		if l.Reset > 1 && l.Reset != l.Lit {
			reads[l.Lit] = fresh()
		}
	}
	eachLit(n, func(lit *uint32) {
		if to, ok := reads[*lit&^1]; ok {
			*lit = to | *lit&1
		}
	})
	for i, l := range m.Latches {
		to, ok := reads[l.Lit]
		if !ok {
			continue
		}
		own := &n.Latches[i]
		own.Lit = l.Lit
		later, first := and(started, l.Lit), and(started^1, own.Reset)
		n.Ands = append(n.Ands, syntax.And{LHS: to, RHS0: and(later^1, first^1) ^ 1, RHS1: 1})
		own.Reset = 0
	}
	n.Latches = append(n.Latches, syntax.Latch{Lit: started, Next: 1})
	return n
}

// only returns a file with one property, as a bad, and nothing else that ABC would
// take for one.
func only(m *aiger.Model, p circuit.Property) *aiger.Model {
	lit := bads(m)[p]
	n := clone(m)
	n.Outputs, n.Bads, n.Justice, n.Fairness, n.Symbols = nil, []uint32{lit}, nil, nil, nil
	return n
}

// knownWrong reports whether ABC is known to be wrong: it takes a latch that starts
// with either value and keeps it for one that starts with 0.
func knownWrong(c *circuit.Circuit) bool {
	return slices.ContainsFunc(c.Latches(), func(l circuit.Latch) bool { return l.IsFree() && l.Next.Var() == l.Lit.Var() })
}
