package words_test

import (
	"context"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/runs"
	"aiglens/design/words"
)

// wide is AIGER in which variable 1 is a word of latches 1 and 2, which has no name in the text and no literal.
type wide struct{ design.Syntax }

type wideElaboration struct{ design.Elaboration }

func (s wide) Elaborate(ctx context.Context) (design.Elaboration, error) {
	e, err := s.Syntax.Elaborate(ctx)
	return wideElaboration{e}, err
}

func (e wideElaboration) Word(s design.Signal) (w design.Word, ok bool) {
	latches := e.Circuit().Latches()
	return design.Word{Name: "pair", Bits: []design.Bit{{Lit: latches[0].Lit}, {Lit: latches[1].Lit}}}, s == 1
}

func (e wideElaboration) WordNamed(name string) (design.Word, bool) {
	w, _ := e.Word(1)
	return w, name == w.Name
}

func (e wideElaboration) Copies(l design.Lit, limit int) []design.Copy {
	if l.Signal() == 1 {
		return nil
	}
	return e.Elaboration.Copies(l, limit)
}

// TestSignalOfSeveralBits: a signal that the language gives several bits is found as a word by its place and by its
// name, and shows the values of the word.
func TestSignalOfSeveralBits(t *testing.T) {
	format := &design.Format{Format: aigerdesign.Format.Format, Parse: func(in design.Unparsed) design.Syntax {
		return wide{aigerdesign.Format.Parse(in)}
	}}
	// A counter of two bits; variable 1 stands for both.
	const text = "aag 6 1 2 0 3 1\n2\n4 5\n6 12\n8\n8 4 6\n10 5 7\n12 9 11\n"
	d, err := design.Formats{format}.Open(t.Context(), "pair.aag", []byte(text), design.Opening{})
	if err != nil {
		t.Fatal(err)
	}
	known := wordsOf(t, d)
	if got := known.OfSignal(1); len(got) != 1 || got[0].Name != "pair" || len(known.OfSignal(2)) != 0 {
		t.Errorf("signal 1 is %v, signal 2 %v", got, known.OfSignal(2))
	}
	if got := known.Find("pair"); len(got) != 1 || len(got[0].Bits) != 2 {
		t.Errorf("pair is %v", got)
	}
	lits, names, err := words.SignalsNamed(t.Context(), d, "pair")
	latches := d.Circuit().Latches()
	if want := []circuit.Lit{latches[0].Lit, latches[1].Lit}; err != nil || !slices.Equal(lits, want) || !slices.Equal(names, []string{"pair[0]", "pair[1]"}) {
		t.Errorf("pair is %v %q, want %v; %v", lits, names, want, err)
	}
	x, err := runs.NewRun(t.Context(), d.Circuit(), cert.Trace{Initial: []circuit.Value{circuit.X, circuit.X}, Inputs: slices.Repeat([][]circuit.Value{{circuit.X}}, 4)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	inWords, err := x.WordsInText(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	changes, err := inWords.Changes(t.Context(), 2, 4)
	if p, ok := inWords.At(2); err != nil || !ok || p.Word.Name != "pair" || !slices.Equal(changes, []int{1, 2, 3}) {
		t.Errorf("signal 1 is %v and changes in %v; %v", p.Word, changes, err)
	}
}
