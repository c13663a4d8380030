package torture

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/certify"
	"aiglens/internal/explicit"
)

// mutations is how many changed pairs of a proof are judged.
const mutations = 4

// certifies writes the witness circuit of a proof and has it judged, and pairs of files that
// are changed. It says what is wrong, or "".
func (x *player) certifies(r *rand.Rand, now *reading, checked cert.Checked) string {
	made, err := certify.Of(now.circuit, checked)
	if err != nil {
		return fmt.Sprintf("%s without a witness circuit: %v", checked, err)
	}
	var pair files
	pair.model, pair.witness = aiger.FromCertificate(made)
	failed, err := x.failed(r, pair)
	if err != nil || len(failed) > 0 {
		return fmt.Sprintf("the witness circuit fails %v, %v\n%s", failed, err, pair)
	}
	x.counts["witness circuits of "+checked.Property().Kind.String()]++
	for range mutations {
		if what := x.judgeChanged(r, pair.changed(r)); what != "" {
			return what
		}
	}
	return ""
}

// mistakes has witnesses judged that are the circuit with other properties, for a property
// that is violated.
func (x *player) mistakes(r *rand.Rand, now *reading, p circuit.Property) string {
	whole := aiger.FromCircuit(now.circuit)
	pair := files{alone(whole, p), alone(whole, p)}
	for range mutations {
		changed := pair.changed(r)
		if len(changed.witness.Bads) > 0 && r.IntN(2) == 0 {
			changed.witness.Bads[0] = 0
		}
		if what := x.judgeChanged(r, changed); what != "" {
			return what
		}
	}
	return ""
}

// judgeChanged says that a pair is valid and its property violated, or "".
func (x *player) judgeChanged(r *rand.Rand, pair files) string {
	failed, err := x.failed(r, pair)
	switch {
	case err != nil:
		x.counts["changed witness circuits: no pair"]++
		return ""
	case len(failed) > 0 && len(pair.model.Latches) > 5: // the search is for the counts alone
		x.counts["changed witness circuits: rejected"]++
		return ""
	}
	violated := isViolated(pair.model)
	what := "rejected"
	if len(failed) == 0 {
		what = "valid"
	}
	if violated {
		what += ", property violated"
	}
	x.counts["changed witness circuits: "+what]++
	if len(failed) == 0 && violated {
		return fmt.Sprintf("a witness circuit of a property that is violated is valid:\n%s", pair)
	}
	return ""
}

// isViolated searches all states for a violation of the only property of a file.
func isViolated(m *aiger.Model) bool {
	found := search(m)
	for _, first := range found.first {
		return first != explicit.NotViolated
	}
	return found.violated[circuit.Property{Kind: circuit.PropertyJustice}]
}

// failed returns the obligations that fail of a pair as it is read back. The error is that
// the files are not a pair.
func (x *player) failed(r *rand.Rand, pair files) ([]string, error) {
	model, err := reread(r, pair.model)
	if err != nil {
		return nil, err
	}
	witness, err := reread(r, pair.witness)
	if err != nil {
		return nil, err
	}
	p, err := aiger.NewPair(model, witness)
	if err != nil {
		return nil, err
	}
	found, err := x.certify(context.Background(), p)
	return found.Failed(), err
}

// reread returns what a file in one of the encodings says.
func reread(r *rand.Rand, m *aiger.Model) (*aiger.Model, error) {
	data, name := m.AppendASCII(nil), "c.aag"
	if r.IntN(2) == 0 {
		if packed, err := m.AppendBinary(nil); err == nil {
			data, name = packed, "c.aig"
		}
	}
	in, err := aiger.Read(name, data)
	switch {
	case err != nil:
		return nil, err
	case in.File != nil:
		return aiger.ModelOf(in.File)
	case in.Model == nil:
		return nil, fmt.Errorf("not read: %v", in.Diagnostics)
	}
	return in.Model, nil
}

// alone returns a file with one property.
func alone(m *aiger.Model, p circuit.Property) *aiger.Model {
	n := clone(m)
	n.Outputs, n.Bads, n.Justice, n.Fairness = nil, nil, nil, nil
	if p.Kind == circuit.PropertyJustice {
		n.Justice, n.Fairness = [][]uint32{slices.Clone(m.Justice[p.Index])}, slices.Clone(m.Fairness)
	} else {
		n.Bads = []uint32{bads(m)[p]}
	}
	return n
}

// files are a model and its witness circuit. Inputs and latches of the model come first in
// the witness, in their order.
type files struct{ model, witness *aiger.Model }

func (f files) String() string {
	return fmt.Sprintf("%s%s", f.model.AppendASCII(nil), f.witness.AppendASCII(nil))
}

// changed returns a pair with something changed in the model, in the witness, or in both
// alike.
func (f files) changed(r *rand.Rand) files {
	n := files{clone(f.model), clone(f.witness)}
	for range 1 + r.IntN(2) {
		switch r.IntN(4) {
		case 0:
			n.model = editModel(r, n.model)
			if lits := slices.Concat(n.model.Justice...); len(lits) > 0 && r.IntN(3) == 0 {
				n.model.Justice[0][r.IntN(len(lits))] ^= 1
			}
		case 1, 2:
			changeWitness(r, n.witness)
		default:
			n.changeBoth(r)
		}
	}
	return n
}

// changeBoth changes a latch or a constraint in both files alike.
func (f files) changeBoth(r *rand.Rand) {
	sides := []*aiger.Model{f.model, f.witness}
	if n := len(f.model.Constraints); n > 0 && n == len(f.witness.Constraints) && r.IntN(4) == 0 {
		at := r.IntN(n)
		for _, m := range sides {
			m.Constraints = slices.Delete(m.Constraints, at, at+1)
		}
		return
	}
	if len(f.model.Latches) == 0 {
		return
	}
	at, kind, sign := r.IntN(len(f.model.Latches)), r.IntN(4), r.Uint32N(2)
	from := r.IntN(len(f.model.Inputs) + len(f.model.Latches))
	before := [2]syntax.Latch{f.model.Latches[at], f.witness.Latches[at]}
	for _, m := range sides {
		leaf := func() uint32 {
			if from < len(f.model.Inputs) {
				return m.Inputs[from] ^ sign
			}
			return m.Latches[from-len(f.model.Inputs)].Lit ^ sign
		}
		l := &m.Latches[at]
		switch kind {
		case 0:
			l.Next ^= 1
		case 1:
			l.Next = leaf()
		case 2:
			l.Reset = sign
		default:
			l.Reset = leaf()
		}
	}
	if !isStratified(f.model) || !isStratified(f.witness) {
		f.model.Latches[at], f.witness.Latches[at] = before[0], before[1]
	}
}

// changeWitness changes one thing of a witness, so that a later gate never stands before
// what reads it.
func changeWitness(r *rand.Rand, w *aiger.Model) {
	pick := func(below uint32) uint32 { return r.Uint32N(max(below, 2)) }
	top := 2*w.MaxVar + 2
	change := func(lits *[]uint32) {
		switch n := len(*lits); {
		case n > 0 && r.IntN(3) > 0:
			(*lits)[r.IntN(n)] = pick(top)
		case n > 0 && r.IntN(2) == 0:
			*lits = slices.Delete(*lits, n-1, n)
		default:
			*lits = append(*lits, pick(top))
		}
	}
	gates, latches := len(w.Ands), len(w.Latches)
	switch kind := r.IntN(12); {
	case kind < 3 && gates > 0:
		g := &w.Ands[r.IntN(gates)]
		*[]*uint32{&g.RHS0, &g.RHS1}[r.IntN(2)] = pick(g.LHS)
	case kind == 3 && gates > 0:
		w.Ands[r.IntN(gates)].RHS0 ^= 1
	case kind == 4 && latches > 0:
		w.Latches[r.IntN(latches)].Next = pick(top)
	case kind == 5 && latches > 0:
		l := &w.Latches[r.IntN(latches)]
		l.Reset = []uint32{0, 1, l.Lit, pick(top)}[r.IntN(4)]
	case kind == 6:
		change(&w.Constraints)
	case kind == 7:
		change(&w.Fairness)
	case kind == 8:
		changeLines(r, w, "INTERVENTION", top)
	case kind == 9:
		changeLines(r, w, "MAPPING", top)
	case len(w.Justice) > 0 && r.IntN(3) > 0:
		change(&w.Justice[r.IntN(len(w.Justice))])
	default:
		change(&w.Bads)
	}
}

// changeLines changes one line of a comment that relates literals, or gives the witness such
// a comment: its inputs and latches by position, with one literal changed.
func changeLines(r *rand.Rand, w *aiger.Model, keyword string, top uint32) {
	lines := strings.Split(strings.TrimSuffix(w.Comment, "\n"), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, keyword+" ") })
	if at < 0 {
		leaves := len(w.Inputs) + len(w.Latches)
		if keyword != "MAPPING" || leaves == 0 {
			return
		}
		at = len(lines)
		lines = append(lines, fmt.Sprintf("%s %d", keyword, leaves))
		for i := range leaves {
			lines = append(lines, fmt.Sprintf("%d %d", 2*i+2, 2*i+2))
		}
	}
	if n := len(lines) - at - 1; n > 0 {
		fields := strings.Fields(lines[at+1+r.IntN(n)])
		if len(fields) == 2 {
			fields[r.IntN(2)] = fmt.Sprint(r.Uint32N(top))
			lines[at+1+r.IntN(n)] = strings.Join(fields, " ")
		}
	}
	w.Comment, w.HasComment = strings.Join(lines, "\n")+"\n", true
}

// TestNoticesCertificates: a checker that takes every witness circuit for valid is found out, and
// so is one that takes none.
func TestNoticesCertificates(t *testing.T) {
	for name, lie := range map[string]func(certify.Findings) certify.Findings{
		"accepts all": func(f certify.Findings) certify.Findings {
			for i := range f {
				f[i].Holds = true
			}
			return f
		},
		"accepts none": func(f certify.Findings) certify.Findings { f[0].Holds = false; return f },
		"does not see the bads": func(f certify.Findings) certify.Findings {
			f[certify.Safety].Holds = true
			return f
		},
		"does not see what fails at last": func(f certify.Findings) certify.Findings {
			f[certify.Decrease].Holds, f[certify.Liveness].Holds = true, true
			return f
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := newPlayer(nil)
			x.certify = func(ctx context.Context, p *certify.Pair) (certify.Findings, error) {
				found, err := certify.Check(ctx, p)
				if err == nil {
					found = lie(found)
				}
				return found, err
			}
			for s := range uint64(3000) {
				if d := x.play(choices(s), versionsOf(s)); d != nil {
					if !strings.Contains(d.what, "witness circuit") {
						t.Fatal(d)
					}
					return
				}
			}
			t.Fatalf("nothing is noticed\n%s", table(x.counts))
		})
	}
}
