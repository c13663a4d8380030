package edit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/aiger/aigertest"
	"aiglens/aiger/diagnose"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/internal/explicit"
	"aiglens/internal/source"
)

// scrambled returns the text of a random circuit in an unusual form:
// numbers with gaps, gates and symbols in any order, operands either way round.
func scrambled(r *rand.Rand) *syntax.File {
	c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 4, Latches: 4, Gates: 14, Constraints: 2, FreeLatches: true, OneResets: true, Constants: true})
	m := aiger.FromCircuit(c)
	to := r.Perm(int(m.MaxVar) + 3)
	eachLit(m, func(lit *uint32) {
		if *lit > 1 {
			*lit = uint32(2*(to[*lit/2]+1)) | *lit&1
		}
	})
	for range r.IntN(3) {
		m.Outputs = append(m.Outputs, m.Bads[0]^uint32(r.IntN(2)))
	}
	name := func(k syntax.SectionKind, n int) {
		for i := range n {
			m.Symbols = append(m.Symbols, syntax.SymbolEntry{Kind: k, Index: i, Name: fmt.Sprintf("%c%d", "abcde"[k], i)})
		}
	}
	name(syntax.SectionInputs, len(m.Inputs))
	name(syntax.SectionLatches, len(m.Latches))
	name(syntax.SectionOutputs, len(m.Outputs))
	name(syntax.SectionBads, len(m.Bads))
	m.HasComment, m.Comment = true, "text  with\ttabs \n\n"+asides(r, m)
	r.Shuffle(len(m.Ands), func(i, j int) { m.Ands[i], m.Ands[j] = m.Ands[j], m.Ands[i] })
	for i, a := range m.Ands {
		if r.IntN(2) == 0 {
			m.Ands[i].RHS0, m.Ands[i].RHS1 = a.RHS1, a.RHS0
		}
	}
	f := syntax.Parse(source.NewText(string(m.AppendASCII(nil))))
	lines := strings.Split(f.Text().Content(), "\n")
	if symbols := f.Symbols(); len(symbols) > 0 {
		table := lines[symbols[0].Line : symbols[0].Line+len(symbols)]
		r.Shuffle(len(table), func(i, j int) { table[i], table[j] = table[j], table[i] })
	}
	return syntax.Parse(source.NewText(strings.Join(lines, "\n")))
}

// asides returns lemmas and covers of a model, by numbers and by names, some of which are
// none, and now and then a line that is not a property at all.
func asides(r *rand.Rand, m *aiger.Model) string {
	var b strings.Builder
	for range r.IntN(6) {
		target := fmt.Sprint(r.IntN(2 * (int(m.MaxVar) + 20)))
		switch n := len(m.Symbols); r.IntN(3) {
		case 0:
			target = m.Symbols[r.IntN(n)].Name
		case 1:
			target = "!" + m.Symbols[r.IntN(n)].Name
		}
		b.WriteString(syntax.WriteAside(syntax.AsideKind(r.IntN(2)), target, []string{"", "a label"}[r.IntN(2)]))
		if r.IntN(4) == 0 {
			b.WriteString("prop: lemma\nprop 4\n")
		}
	}
	for i := range r.IntN(3) {
		fmt.Fprintf(&b, "word: w%d =", i)
		for range 1 + r.IntN(4) {
			switch n := len(m.Symbols); r.IntN(6) {
			case 0:
				b.WriteString(" -")
			case 1, 2:
				b.WriteString(" " + m.Symbols[r.IntN(n)].Name)
			case 3:
				b.WriteString(" !" + m.Symbols[r.IntN(n)].Name)
			default:
				fmt.Fprintf(&b, " %d", r.IntN(2*int(m.MaxVar)+6))
			}
		}
		b.WriteString([]string{"\n", " {one = 1}\n", " {one = 1, none = 0\n"}[r.IntN(3)])
	}
	return b.String()
}

// withoutAsides returns a comment without the lines that changes may rewrite.
func withoutAsides(comment string) string {
	var b strings.Builder
	for line := range strings.Lines(comment) {
		if line = strings.TrimPrefix(line, "undefined: "); !strings.HasPrefix(line, "prop: ") && !strings.HasPrefix(line, "word: ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// run simulates a file and returns what each output and property is in each of
// some steps, by section and position. Inputs and free latches get the same
// values in every file that gives them the same names; a latch called not_x
// holds the negation of x.
func run(t testing.TB, f *syntax.File) map[string][]uint64 {
	t.Helper()
	c := aiger.Elaborate(f).Circuit
	word := func(k syntax.SectionKind, i, step int) uint64 {
		s, _ := f.Symbol(k, i)
		name, negated := strings.CutPrefix(s.Name, "not_")
		h := fnv.New64a()
		fmt.Fprint(h, name, step)
		w := h.Sum64() * 0x9E3779B97F4A7C15
		if negated {
			w = ^w
		}
		return w
	}
	p := circuit.NewParallel(c)
	p.Reset(func(i int) uint64 { return word(syntax.SectionLatches, i, -1) })
	seen := map[string][]uint64{}
	inputs := make([]uint64, len(c.Inputs()))
	for step := range 8 {
		for i := range inputs {
			inputs[i] = word(syntax.SectionInputs, i, step)
		}
		p.Eval(inputs)
		for letter, signals := range map[string][]circuit.Signal{"o": c.Outputs(), "b": c.Bads(), "c": c.Constraints(), "lemma ": c.Lemmas(), "cover ": c.Covers()} {
			for i, s := range signals {
				key := fmt.Sprint(letter, i)
				seen[key] = append(seen[key], p.Value(s.Lit))
			}
		}
		for _, w := range f.Words().All {
			for i, lit := range w.Lits {
				key := fmt.Sprintf("bit:%s:%d", w.Name.Text, i)
				if l, ok := aiger.Elaborate(f).LitOf(lit); ok && !w.Bits[i].IsMissing {
					seen[key] = append(seen[key], p.Value(l))
				}
			}
		}
		p.Advance()
	}
	return seen
}

// applied applies a change and checks that it leaves no error, no warning that
// was not there before, and the comment as it was.
func applied(t testing.TB, f *syntax.File, edits []source.Edit, err error) *syntax.File {
	t.Helper()
	if err != nil {
		t.Fatalf("%v\n%s", err, f.Text().Content())
	}
	text, err := f.Text().Apply(edits)
	if err != nil {
		t.Fatalf("%v\n%s", err, f.Text().Content())
	}
	g := syntax.Parse(text)
	had := map[source.Code]bool{}
	for _, diag := range f.Diagnostics() {
		had[diag.Code] = true
	}
	for _, diag := range g.Diagnostics() {
		if diag.Severity <= source.Warning && !had[diag.Code] {
			t.Fatalf("%s: %s\nfrom\n%s\nto\n%s", diag.Code, diag.Message, f.Text().Content(), text.Content())
		}
	}
	before, _ := f.Comment()
	after, _ := g.Comment()
	if withoutAsides(f.Text().Slice(before)) != withoutAsides(g.Text().Slice(after)) {
		t.Fatalf("the comment %q became %q", f.Text().Slice(before), g.Text().Slice(after))
	}
	return g
}

// TestChangesKeepMeaning makes each change in random circuits and compares runs
// before and after.
func TestChangesKeepMeaning(t *testing.T) {
	type step func(r *rand.Rand, f *syntax.File) ([]source.Edit, error)
	anyVariable := func(r *rand.Rand, f *syntax.File) uint32 {
		var all []uint32
		eachVariable(f, func(v uint32) {
			if v > 0 {
				all = append(all, v)
			}
		})
		return all[r.IntN(len(all))]
	}
	row := func(r *rand.Rand, f *syntax.File, k syntax.SectionKind) syntax.Row {
		n := rowsIn(f, k)
		row, _ := f.Row(k, r.IntN(max(n, 1)))
		return row
	}
	changes := map[string]step{
		"format":       func(_ *rand.Rand, f *syntax.File) ([]source.Edit, error) { return Format(context.Background(), f) },
		"reencode":     func(_ *rand.Rand, f *syntax.File) ([]source.Edit, error) { return reencode(context.Background(), f) },
		"strip":        func(_ *rand.Rand, f *syntax.File) ([]source.Edit, error) { return strip(f, false) },
		"strip inputs": func(_ *rand.Rand, f *syntax.File) ([]source.Edit, error) { return strip(f, true) },
		"sort symbols": func(_ *rand.Rand, f *syntax.File) ([]source.Edit, error) { return sortSymbols(context.Background(), f) },
		"invert latch": func(r *rand.Rand, f *syntax.File) ([]source.Edit, error) {
			return invertLatch(f, row(r, f, syntax.SectionLatches).Numbers[0]/2)
		},
		"renumber": func(r *rand.Rand, f *syntax.File) ([]source.Edit, error) {
			from, sign := anyVariable(r, f), uint32(r.IntN(2))
			free, err := freeVariable(f)
			if err != nil {
				return nil, err
			}
			for _, a := range f.Dangling() {
				if a.IsNamed {
					continue
				}
				if _, err := renumber(f, 2*from, a.Lit&^1); err == nil {
					return nil, fmt.Errorf("%d was taken for a new number", a.Lit)
				}
			}
			to := free + uint32(r.IntN(3))
			for slices.ContainsFunc(f.Dangling(), func(a syntax.Aside) bool { return !a.IsNamed && a.Lit/2 == to }) {
				to++
			}
			return renumber(f, 2*from|sign, 2*to|sign)
		},
		"rename": func(r *rand.Rand, f *syntax.File) ([]source.Edit, error) {
			return renameSymbol(f, nameable{syntax.SectionBads, 0}, "a name")
		},
		"add lemma": func(r *rand.Rand, f *syntax.File) ([]source.Edit, error) {
			return addAside(f, syntax.AsideKind(r.IntN(2)), 2*anyVariable(r, f)|uint32(r.IntN(2))), nil
		},
		"add input": func(r *rand.Rand, f *syntax.File) ([]source.Edit, error) { return addInput(f) },
		"add latch": func(r *rand.Rand, f *syntax.File) ([]source.Edit, error) { return addLatch(f, 2*anyVariable(r, f)) },
		"add gate": func(r *rand.Rand, f *syntax.File) ([]source.Edit, error) {
			return addGate(f, 2*anyVariable(r, f)|1, 2*anyVariable(r, f))
		},
		"add bad": func(r *rand.Rand, f *syntax.File) ([]source.Edit, error) {
			return addProperty(f, syntax.SectionBads, 2*anyVariable(r, f))
		},
	}
	defined := func(f *syntax.File) bool { return structure(f) == nil && len(f.Faults()) == 0 }
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			all := 0
			defer func() {
				if all < 100 && !t.Failed() {
					t.Errorf("only %d bits of words were looked at", all)
				}
			}()
			r := rand.New(rand.NewPCG(1, 2))
			for range 300 {
				f := scrambled(r)
				if !defined(f) {
					t.Fatalf("%v\n%s", f.Diagnostics(), f.Text().Content())
				}
				edits, err := change(r, f)
				before, after := run(t, f), run(t, applied(t, f, edits, err))
				if kept := len(asideKeys(after)) - len(asideKeys(before)); kept != 0 && (kept != 1 || name != "add lemma") {
					t.Fatalf("%d lemmas and covers more\n%s", kept, f.Text().Content())
				}
				for key := range after {
					// Where a signal stood twice, and is missing now, the others make a word.
					if strings.HasPrefix(key, "bit:") && before[key] == nil && !strings.HasPrefix(name, "strip") {
						text, _ := f.Text().Apply(edits)
						t.Fatalf("%s is new\n%s\nbecame\n%s", key, f.Text().Content(), text.Content())
					}
				}
				for key, values := range before {
					if strings.HasPrefix(key, "bit:") {
						all++
						if after[key] == nil && strings.HasPrefix(name, "strip") { // it may be missing now
							continue
						}
					}
					if !slices.Equal(values, after[key]) {
						text, _ := f.Text().Apply(edits)
						t.Fatalf("%s differs\n%s\nbecame\n%s", key, f.Text().Content(), text.Content())
					}
				}
			}
		})
	}
}

// asideKeys are those of lemmas and covers in what run returns.
func asideKeys(seen map[string][]uint64) (keys []string) {
	for key := range seen {
		if strings.Contains(key, " ") {
			keys = append(keys, key)
		}
	}
	return keys
}

// TestNamesKeepAsides makes changes of names, and of the sections that names are looked for
// in, after which every lemma and cover must be the same literal.
func TestNamesKeepAsides(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	literals := func(f *syntax.File) (all []string) {
		for _, a := range f.Asides() {
			all = append(all, fmt.Sprint(a.Kind, " ", a.Lit, " ", a.Label))
		}
		return all
	}
	seen := 0
	for range 2000 {
		f := scrambled(r)
		span := f.Text().LineSpan(r.IntN(f.RowsEnd() + 1))
		k := []syntax.SectionKind{syntax.SectionInputs, syntax.SectionLatches, syntax.SectionOutputs, syntax.SectionBads}[r.IntN(4)]
		n := rowsIn(f, k)
		if n == 0 {
			continue
		}
		names := []string{"a0", "b1", "c0", "d0", "17", "!x", `a"b`, `a "b`, "a b", `"`, "x"}
		edits, err := renameSymbol(f, nameable{k, r.IntN(n)}, names[r.IntN(len(names))])
		if err != nil {
			edits = nil
		}
		if r.IntN(2) == 0 {
			for _, c := range Changes(context.Background(), f, span, false) {
				if c.ID == "outputs-to-bads" || c.ID == "bads-to-outputs" || strings.HasPrefix(c.ID, "count-as") {
					if edits, err = c.Edits(); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		text, err := f.Text().Apply(edits)
		if err != nil {
			t.Fatal(err)
		}
		// A name that was none before may have become one by this name: that is the wish of
		// the user who gives it.
		before, after := literals(f), literals(syntax.Parse(text))
		for _, one := range before {
			if !slices.Contains(after, one) {
				t.Fatalf("%q became %q\n%s\nbecame\n%s", before, after, f.Text().Content(), text.Content())
			}
		}
		if len(edits) > 0 {
			seen += len(before)
		}
	}
	if seen < 1000 {
		t.Errorf("only %d lemmas and covers were looked at", seen)
	}
}

// TestStripLeavesNothingUnused strips random circuits, after which no finding
// about something unused is left, and nothing to strip.
func TestStripLeavesNothingUnused(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		f := scrambled(r)
		edits, err := strip(f, true)
		g := applied(t, f, edits, err)
		found, err := diagnose.Run(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		for _, diag := range found {
			if diag.Code == syntax.CodeAndUnused || diag.Code == syntax.CodeLatchUnused || diag.Code == syntax.CodeInputUnused {
				t.Fatalf("%s: %s\n%s", diag.Code, diag.Message, g.Text().Content())
			}
		}
		if edits, err := strip(g, true); err != nil || len(edits) > 0 {
			t.Fatalf("stripped twice: %v, %v", edits, err)
		}
	}
}

// TestChangesOfCorpus makes every change that is offered anywhere in valid
// files: none leaves an error.
func TestChangesOfCorpus(t *testing.T) {
	for _, name := range aigertest.Globs(t, "corpus/aiger/*.aag", "corpus/aiger/own/*.aag") {
		f := syntax.Parse(source.NewText(string(aigertest.Read(t, name))))
		if _, err := aiger.ModelOf(f); err != nil || f.Text().NumLines() > 500 {
			continue
		}
		for line := range f.Text().NumLines() {
			for _, c := range Changes(context.Background(), f, f.Text().LineSpan(line), line == 0) {
				edits, err := c.Edits()
				applied(t, f, edits, err)
			}
		}
	}
}

// TestOutputsAndBads turns outputs into bads and back.
func TestOutputsAndBads(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		f := scrambled(r)
		outputs := rowsIn(f, syntax.SectionOutputs)
		edits, err := outputsToBads(f)
		bads := applied(t, f, edits, err)
		before, between := run(t, f), run(t, bads)
		for i := range outputs {
			if !slices.Equal(before[fmt.Sprint("o", i)], between[fmt.Sprint("b", i)]) {
				t.Fatalf("output %d is not bad %d", i, i)
			}
		}
		for i := range rowsIn(f, syntax.SectionBads) {
			if !slices.Equal(before[fmt.Sprint("b", i)], between[fmt.Sprint("b", i+outputs)]) {
				t.Fatalf("bad %d is not bad %d", i, i+outputs)
			}
			if s, _ := bads.Symbol(syntax.SectionBads, i+outputs); s.Name != fmt.Sprint("d", i) {
				t.Fatalf("bad %d is called %q", i+outputs, s.Name)
			}
		}
		edits, err = badsToOutputs(bads)
		back := applied(t, bads, edits, err)
		if rowsIn(back, syntax.SectionOutputs) != outputs+rowsIn(f, syntax.SectionBads) || rowsIn(back, syntax.SectionBads) != 0 {
			t.Fatalf("header %v", back.Header())
		}
	}
}

// TestFormat checks of random files and the corpus that formatting twice is
// formatting once, keeps the circuit, and agrees with the writers: what is
// formatted and then encoded equals what is encoded, and a reencoded file is
// that of Model.Reencode.
func TestFormat(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	files := map[string]*syntax.File{}
	for i := range 200 {
		files[fmt.Sprint("random ", i)] = scrambled(r)
	}
	for _, name := range aigertest.Globs(t, "corpus/aiger/*.aag", "corpus/aiger/own/*.aag") {
		files[name] = syntax.Parse(source.NewText(string(aigertest.Read(t, name))))
	}
	for name, f := range files {
		edits, err := Format(context.Background(), f)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		g := applied(t, f, edits, nil)
		if again, err := Format(context.Background(), g); err != nil || len(again) > 0 {
			t.Errorf("%s: formatted twice: %v, %v", name, again, err)
		}
		aigertest.CheckSameBehaviour(t, name, aiger.Elaborate(f).Circuit, aiger.Elaborate(g).Circuit)
		for i := range rowsIn(g, syntax.SectionAnds) {
			if row, _ := g.Row(syntax.SectionAnds, i); row.Numbers[1] < row.Numbers[2] {
				t.Errorf("%s: operands %v", name, row.Numbers)
			}
		}
		m, err := aiger.ModelOf(f)
		if err != nil {
			continue
		}
		m, err = m.Reencode()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		edits, err = reencode(context.Background(), f)
		if err == nil {
			if text := applied(t, f, edits, nil).Text().Content(); !bytes.Equal([]byte(text), m.AppendASCII(nil)) {
				t.Errorf("%s: reencoded to\n%s", name, text)
			}
		} else if !strings.Contains(err.Error(), "MAPPING") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestChangesEnd tests that what takes long returns the error of a context that
// has ended.
func TestChangesEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f := syntax.Parse(source.NewText("aag 2 1 0 1 1\n2\n4\n4 2 2\n"))
	if _, err := Format(ctx, f); !errors.Is(err, context.Canceled) {
		t.Errorf("format: %v", err)
	}
	if _, err := reencode(ctx, f); !errors.Is(err, context.Canceled) {
		t.Errorf("reencode: %v", err)
	}
	for _, c := range Changes(ctx, f, source.Span{}, true) {
		if c.Kind == source.ChangeFile {
			t.Errorf("%s is offered", c.ID)
		}
	}
}

// TestFormatSpace formats a file whose only fault is its white space.
func TestFormatSpace(t *testing.T) {
	f := syntax.Parse(source.NewText("aag  3 2\t0 1 1 0\r\n2 \n\n4\n06\n6 2  4\n\no0 a  b \nc\n tabs\tand  \r\nno end"))
	edits, err := Format(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Text().Apply(edits)
	want := "aag 3 2 0 1 1\n2\n4\n6\n6 4 2\no0 a  b \nc\n tabs\tand  \r\nno end\n"
	if err != nil || got.Content() != want {
		t.Errorf("%q, %v", got.Content(), err)
	}
}

// TestChangesOfBrokenFiles makes every change that is offered anywhere in the
// broken files, which must not fail in another way than by saying why.
func TestChangesOfBrokenFiles(t *testing.T) {
	for _, name := range aigertest.Globs(t, "corpus/broken/*.aag", "corpus/aiger/own/*.aag") {
		f := syntax.Parse(source.NewText(string(aigertest.Read(t, name))))
		if edits, err := Format(context.Background(), f); err == nil {
			if _, err := f.Text().Apply(edits); err != nil {
				t.Errorf("%s: format: %v", name, err)
			}
		}
		for line := range f.Text().NumLines() {
			for _, c := range Changes(context.Background(), f, f.Text().LineSpan(line), line == 0) {
				edits, err := c.Edits()
				if err == nil {
					_, err = f.Text().Apply(edits)
				}
				if err != nil && strings.Contains(err.Error(), "overlaps") {
					t.Errorf("%s:%d: %s: %v", name, line+1, c.Title, err)
				}
			}
			LineTypedEdits(f, line, true, f.FittingHeader())
		}
	}
}

// BenchmarkChanges makes changes in a file of a million lines.
func BenchmarkChanges(b *testing.B) {
	f := syntax.Parse(source.NewText(aigertest.Generated(1_000_000, 1)))
	middle := f.Text().LineStart(f.Text().NumLines() / 2)
	swapped := syntax.Parse(source.NewText(strings.Replace(f.Text().Content(), "\n", " \n", 1)))
	for _, bench := range []struct {
		name string
		run  func() error
	}{
		{"list", func() error { Changes(context.Background(), f, source.Span{Start: middle}, false); return nil }},
		{"complete", func() error { Complete(f, middle+3); return nil }},
		{"add gate", func() error { _, err := addGate(f, 2, 4); return err }},
		{"newline", func() error { LineTypedEdits(f, f.Text().NumLines()/2, true, f.FittingHeader()); return nil }},
		{"renumber", func() error { _, err := renumber(f, 2, 1<<31); return err }},
		{"strip", func() error { _, err := strip(f, false); return err }},
		{"format", func() error { _, err := Format(context.Background(), f); return err }},
		{"format two places", func() error { _, err := Format(context.Background(), swapped); return err }},
		{"reencode", func() error { _, err := reencode(context.Background(), f); return err }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				if err := bench.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// rowsIn returns the number of rows of a section.
func rowsIn(f *syntax.File, k syntax.SectionKind) int {
	lo, hi := f.RowsOf(k)
	return hi - lo
}

// eachLit calls yield for every literal of a model without justice properties.
func eachLit(m *aiger.Model, yield func(lit *uint32)) {
	for _, list := range [][]uint32{m.Inputs, m.Outputs, m.Bads, m.Constraints, m.Fairness} {
		for i := range list {
			yield(&list[i])
		}
	}
	for i := range m.Latches {
		l := &m.Latches[i]
		yield(&l.Lit)
		yield(&l.Next)
		yield(&l.Reset)
	}
	for i := range m.Ands {
		a := &m.Ands[i]
		yield(&a.LHS)
		yield(&a.RHS0)
		yield(&a.RHS1)
	}
}
