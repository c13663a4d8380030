package torture

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"aiglens/aiger"
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
		m := only(v.model, p)
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
