package checks

import (
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/blifdesign"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// lemmaText returns a text with a property, whose lemmas are some lines.
func lemmaText(lemmas string) *design.Design {
	return design.New("file:///a.blif", blifdesign.Format, 1, source.NewText(".model m\n.inputs go\n.outputs both\n# prop: bad both\n"+lemmas+
		".latch pn p 0\n.latch p q 0\n.names go p pn\n10 1\n.names go p q both\n111 1\n.names p q apart\n0- 1\n-0 1\n.end\n"), design.Options{})
}

// TestLemmasOfEarlierTexts: a lemma that was proved in an earlier text helps without another
// run, a property without an answer is asked about again once its lemmas are others, and one
// with an answer is not.
func TestLemmasOfEarlierTexts(t *testing.T) {
	bad, lemma := circuit.Property{}, circuit.Property{Kind: circuit.PropertyLemma}
	run := func(j Job) verify.Result {
		j.Engine = engines.NewAuto()
		return verify.Run(t.Context(), j.Job, nil)
	}
	before, after := lemmaText(""), lemmaText("# prop: lemma apart\n")
	alone := Prepare(t.Context(), before, []circuit.Property{bad})[0]
	alone.Limits.Wall = time.Nanosecond
	unknown := run(alone)
	if unknown.Checked.Outcome() != cert.Unknown {
		t.Fatal(unknown)
	}
	jobs := Prepare(t.Context(), after, []circuit.Property{bad, lemma})
	if !alone.settles(unknown) || jobs[0].settles(unknown) {
		t.Errorf("settled without the lemma %t, with it %t, want true and false", alone.settles(unknown), jobs[0].settles(unknown))
	}
	if jobs[0].Fingerprint != alone.Fingerprint {
		t.Error("a lemma changes what a verdict on the property is about")
	}
	f := New()
	proof := run(jobs[1])
	f.remember(proof, maxResults)
	again := Prepare(t.Context(), after, []circuit.Property{bad})[0]
	got := run(f.equip(&Slot{}, again))
	if got.Checked.Outcome() != cert.Proved || len(got.Granted) != 1 || got.Granted[0] != proof.Fingerprint {
		t.Errorf("%s with %v, want a proof with %v", got, got.Granted, proof.Fingerprint)
	}
	if !alone.settles(got) {
		t.Error("a proof is looked for again without the lemma, which it does not rest on")
	}
}

// TestCoverOfTheSameCone: a verdict on a bad is shown of a cover of the same net in the words
// of covers.
func TestCoverOfTheSameCone(t *testing.T) {
	doc := lemmaText("# prop: cover both\n")
	cover := circuit.Property{Kind: circuit.PropertyCover}
	j := Prepare(t.Context(), doc, []circuit.Property{{}})[0]
	j.Engine = engines.NewAuto()
	r := verify.Run(t.Context(), j.Job, nil)
	a := AnalyseDocument(t.Context(), doc, map[circuit.Fingerprint]verify.Result{r.Fingerprint: r}, nil)
	f := New()
	f.Analysed(a)

	for p, want := range map[circuit.Property]verify.Standing{{}: verify.Passed, cover: verify.Failed} {
		if got := f.Status(p); got.Standing() != want {
			t.Errorf("%s: %s", p, got)
		}
	}
	if got := f.Status(cover).String()[:len("never reached: proved")]; got != "never reached: proved" {
		t.Errorf("the cover: %s", got)
	}
}

// TestLemmaOfALaterText: a run starts again when a lemma has come that it does not know, with the
// limit that the user has set, and goes on when one has gone.
func TestLemmaOfALaterText(t *testing.T) {
	bad := []circuit.Property{{}}
	before, after := lemmaText(""), lemmaText("# prop: lemma apart\n")
	f := New()
	save := func(doc *design.Design) []Effect {
		f.Edited()
		f.Analysed(AnalyseDocument(t.Context(), doc, nil, nil))
		return f.Save(f.Text(), doc.Properties(), Prepare(t.Context(), doc, bad), Nowhere)
	}
	submits := func(effects []Effect) (n int) {
		for _, e := range effects {
			if s, is := e.(Submit); is && s.Property == bad[0] {
				n++
			}
		}
		return n
	}
	run := func(n uint64) {
		f.On(bad[0], Accepted{Run{1, n}})
		f.On(bad[0], Progressed{Run: Run{1, n}})
	}
	if n := submits(save(before)); n != 1 {
		t.Fatalf("%d runs at first", n)
	}
	run(1)
	f.slots[bad[0]].job.LimitTime(time.Hour)
	if n := submits(save(before)); n != 0 {
		t.Errorf("%d runs of the same text", n)
	}
	if n, j := submits(save(after)), f.Job(bad[0]); n != 1 || len(j.Lemmas) != 1 || j.Limits.Wall != time.Hour || f.Active() != 1 {
		t.Errorf("%d runs with a lemma, of %+v", n, j)
	}
	run(2)
	if n := submits(save(before)); n != 0 || len(f.Job(bad[0]).Lemmas) != 1 {
		t.Errorf("%d runs without a lemma", n)
	}
}
