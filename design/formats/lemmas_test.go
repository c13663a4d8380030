package formats_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// wordsOf returns the literals of a circuit for which its text has a word, and the words.
func wordsOf(d *design.Design) (lits []circuit.Lit, words []design.Lit) {
	for v := range circuit.Var(d.Circuit().NumVars()) {
		s, ok := d.SourceOf(v.Lit())
		if !ok || s.Other != nil || s.Lit == 0 {
			continue
		}
		word := s.Lit
		if s.Negated {
			word ^= 1
		}
		if _, err := d.AddLemmas([]design.Lemma{{Clauses: [][]design.Lit{{word}}}}); err != nil {
			continue
		}
		if back, ok := d.LitOf(word); ok && back == v.Lit() {
			lits, words = append(lits, v.Lit()), append(words, word)
		}
	}
	return lits, words
}

// checkLemmas adds random lemmas to a text: each then means its clauses, and every other property
// is what it was.
func checkLemmas(t *testing.T, r *rand.Rand, d *design.Design) (added int) {
	t.Helper()
	lits, words := wordsOf(d)
	if len(lits) < 2 {
		return 0
	}
	var lemmas []design.Lemma
	var clauses [][][]circuit.Lit // by lemma
	for range 1 + r.IntN(3) {
		l, own := design.Lemma{Label: `some "label"`}, [][]circuit.Lit{}
		for range 1 + r.IntN(3) {
			var clause []design.Lit
			var of []circuit.Lit
			for _, i := range r.Perm(len(lits))[:1+r.IntN(min(3, len(lits)))] {
				n := r.IntN(2)
				clause, of = append(clause, words[i]^design.Lit(n)), append(of, lits[i].NotIf(n == 1))
			}
			l.Clauses, own = append(l.Clauses, clause), append(own, of)
		}
		lemmas, clauses = append(lemmas, l), append(clauses, own)
	}
	edits, err := d.AddLemmas(lemmas)
	if err != nil { // one may be constant
		return 0
	}
	text, err := d.Text.Apply(edits)
	if err != nil {
		t.Fatalf("%s: %v", d.URI, err)
	}
	after := d.Successor(2, text)
	for _, p := range d.Properties() {
		old, _ := d.Fingerprint(p.ID)
		if now, ok := after.Fingerprint(p.ID); !ok || now != old {
			t.Fatalf("%s: %s is another property, after\n%s", d.URI, p.ID, text.Content())
		}
	}
	before := len(d.Circuit().Lemmas())
	if got := len(after.Circuit().Lemmas()); got != before+len(lemmas) {
		t.Fatalf("%s: %d lemmas, expected %d, in\n%s", d.URI, got, before+len(lemmas), text.Content())
	}
	means(t, r, d, after, clauses, before)
	return len(lemmas)
}

// means compares lemmas with the clauses that they are of, in random states.
func means(t *testing.T, r *rand.Rand, d, after *design.Design, clauses [][][]circuit.Lit, first int) {
	t.Helper()
	old, now := circuit.NewParallel(d.Circuit()), circuit.NewParallel(after.Circuit())
	if len(d.Circuit().Latches()) != len(after.Circuit().Latches()) || len(d.Circuit().Inputs()) != len(after.Circuit().Inputs()) {
		t.Fatalf("%s: other latches or inputs", d.URI)
	}
	for range 4 {
		for i := range d.Circuit().Latches() {
			w := r.Uint64()
			old.SetLatch(i, w)
			now.SetLatch(i, w)
		}
		inputs := make([]uint64, len(d.Circuit().Inputs()))
		for i := range inputs {
			inputs[i] = r.Uint64()
		}
		old.Eval(inputs)
		now.Eval(inputs)
		for i, all := range clauses {
			want := ^uint64(0)
			for _, clause := range all {
				holds := uint64(0)
				for _, l := range clause {
					holds |= old.Value(l)
				}
				want &= holds
			}
			bad, _ := after.Circuit().Bad(circuit.Property{Kind: circuit.PropertyLemma, Index: first + i})
			if got := ^now.Value(bad); got != want {
				t.Fatalf("%s: lemma %d is %x, expected %x, in\n%s", d.URI, i, got, want, after.Text.Content())
			}
		}
	}
}

// TestAddLemmas: a lemma that is written into a text of any format means its clauses.
func TestAddLemmas(t *testing.T) {
	corpus := shared.Dir(t)
	added := map[string]int{}
	for _, pattern := range []string{"../../examples/*.*", filepath.Join(corpus, "corpus", "blif", "*.blif"), filepath.Join(corpus, "corpus", "blif", "*", "*.blif")} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for n, path := range files {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f := formats.All().Recognise("", path, string(content))
			if f == nil || len(content) > 20_000 {
				continue
			}
			r := rand.New(rand.NewPCG(uint64(n), 3))
			for _, text := range []string{string(content), string(content) + "\n", trimmed(string(content))} {
				added[f.Name] += checkLemmas(t, r, design.New("file:///w/"+filepath.Base(path), f, 1, source.NewText(text), design.Options{}))
			}
		}
	}
	t.Log(added)
	if added["AIGER"] < 20 || added["BLIF"] < 20 {
		t.Errorf("lemmas by format: %v", added)
	}
}

// trimmed drops the line end after the last line.
func trimmed(text string) string {
	if n := len(text); n > 0 && text[n-1] == '\n' {
		return text[:n-1]
	}
	return text
}
