package lsp

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
	"aiglens/lsp/wire"
)

// agreeing holds aiglens/at against hover, why, proof and trace at the places of one text.
type agreeing struct {
	*bench
	name string
	doc  *design.Design
	view *view
	said int // facts of all places
}

// newAgreeing checks a text, whose proofs are made small.
func newAgreeing(b *bench, language, name, text string) *agreeing {
	b.openAs(language, name, text)
	b.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, map[string]any{"uri": name}), nil)
	b.awaitTitles(name, "all verdicts", func(titles []string) bool {
		return !slices.ContainsFunc(titles, func(title string) bool {
			return strings.HasSuffix(title, "check") || strings.Contains(title, "queued") || strings.Contains(title, "checking") || strings.Contains(title, "being checked") || strings.Contains(title, "stale")
		})
	})
	a := &agreeing{bench: b, name: name}
	a.look()
	for _, p := range a.doc.Properties() {
		_ = b.Call("workspace/executeCommand", command(wire.CommandProof.Name, wire.PropertyParams{URI: uri.URI(name), Property: propertyID(p.ID)}), nil)
	}
	return a
}

// look takes the newest view.
func (a *agreeing) look() {
	a.view = a.server.session.snapshot.Load().views[uri.URI(a.name)]
	a.doc = a.view.doc
}

// show shows a step of the first counterexample; false where there is none.
func (a *agreeing) show(step int) bool {
	err := a.Call("workspace/executeCommand", command(wire.CommandStep.Name, wire.StepParams{PropertyParams: wire.PropertyParams{URI: uri.URI(a.name)}, To: wire.Move(fmt.Sprint(step))}), nil)
	a.sync()
	a.look()
	return err == nil
}

func (a *agreeing) errorf(at protocol.Position, format string, args ...any) {
	a.t.Helper()
	a.t.Errorf("%s, line %d, character %d: %s", a.name, at.Line+1, at.Character, fmt.Sprintf(format, args...))
}

// all asks about each occurrence of a signal, and each property.
func (a *agreeing) all() (places int) {
	var offsets []int
	for o := range a.doc.OccurrencesIn(source.Span{Length: a.doc.Text.Len()}) {
		offsets = append(offsets, o.Span.Start)
	}
	for _, p := range a.doc.Properties() {
		offsets = append(offsets, p.Row.Start)
	}
	for _, f := range a.doc.Header() {
		offsets = append(offsets, f.Span.Start)
	}
	for _, offset := range offsets {
		at := a.view.mapper.OffsetPosition(offset)
		var p wire.Place
		a.MustCall(wire.RequestAt.Name, wire.AtParams{URI: uri.URI(a.name), Position: at, Why: 3}, &p)
		a.hover(at, &p)
		if p.Signal != nil && p.Signal.Signal != nil {
			a.why(at, &p)
			a.trace(at, &p)
			a.facts(at, &p)
			a.dependants(at, &p)
		}
	}
	return len(offsets)
}

// hover: each sentence of the place is one of the hover.
func (a *agreeing) hover(at protocol.Position, p *wire.Place) {
	_, markdown, err := ide.Hover(a.t.Context(), a.doc, a.view.mapper.PositionOffset(at), a.view.status, ide.HoverOptions{Depth: a.server.session.snapshot.Load().settings.HoverDepth, Shown: a.view.selection})
	if err != nil {
		a.t.Fatal(err)
	}
	said := strings.Split(markdown, "\n\n")
	want := slices.Clone(p.Says)
	if p.Title != "" {
		want = append(want, p.Title)
	}
	if s := p.Signal; s != nil {
		want = append(append(want, s.Title), s.Says...)
		switch p := s.Formula; {
		case s.Reset != "":
			want = append(want, s.Reset+" · next `"+p+"`")
		case p != "":
			want = append(want, "= `"+p+"`")
		}
	}
	if of := p.Property; of != nil {
		want = append(want[:len(want):len(want)], of.Says...)
		want[slices.Index(want, p.Title)] += ": " + of.Words
	}
	for _, sentence := range want {
		if !slices.Contains(said, sentence) {
			a.errorf(at, "%q is not in the hover %q", sentence, said)
		}
	}
}

// why: the tree is that of aiglens.why.
func (a *agreeing) why(at protocol.Position, p *wire.Place) {
	if p.Now == nil || p.Now.Outside || p.Now.Why == nil {
		return
	}
	var want wire.Cause
	signal := *p.Signal.Signal
	a.MustCall("workspace/executeCommand", command(wire.CommandWhy.Name, wire.WhyParams{
		PropertyParams: wire.PropertyParams{URI: uri.URI(a.name), Property: p.Now.Property}, Signal: &signal, Step: &p.Now.Step, Depth: 3,
	}), &want)
	got, _ := json.Marshal(p.Now.Why)
	if wanted, _ := json.Marshal(want); string(got) != string(wanted) {
		a.errorf(at, "why %s, expected %s", got, wanted)
	}
}

// trace: values, and the changes next to the step, are those of aiglens.trace and aiglens.step.
func (a *agreeing) trace(at protocol.Position, p *wire.Place) {
	n := p.Now
	if n == nil {
		return
	}
	var want wire.Trace
	a.MustCall("workspace/executeCommand", command(wire.CommandTrace.Name, wire.TraceParams{
		PropertyParams: wire.PropertyParams{URI: uri.URI(a.name), Property: n.Property}, Positions: []protocol.Position{at}, Rounds: 20,
	}), &want)
	found := false
	for _, s := range want.Signals {
		if s.Group == wire.GroupGates && s.Signal == *p.Signal.Signal {
			found = true
			last := min(n.First+len(n.Values), len(s.Values))
			if s.Values[n.First:last] != n.Values[:last-n.First] || n.Value != s.Values[n.Step:n.Step+1] {
				a.errorf(at, "values %s from %d on, expected %s", n.Values, n.First, s.Values)
			}
		}
	}
	if isInside := !n.Outside && n.Why != nil; found != isInside {
		a.errorf(at, "in the trace: %t, outside: %t", found, n.Outside)
	}
	if n.Outside {
		return
	}
	for _, move := range []struct {
		to   wire.Move
		want *int
	}{{wire.MoveNextChange, n.Next}, {wire.MovePreviousChange, n.Previous}} {
		var step wire.ShownStep
		a.MustCall("workspace/executeCommand", command(wire.CommandStep.Name, wire.StepParams{PropertyParams: wire.PropertyParams{URI: uri.URI(a.name), Property: n.Property, Position: &at}, To: move.to}), &step)
		if wanted := n.Step; move.want == nil && step.Step != wanted || move.want != nil && step.Step != *move.want {
			a.errorf(at, "%s leads to step %d, not as said: %v", move.to, step.Step, move.want)
		}
		a.show(n.Step)
	}
}

// facts: what the first proof says of a latch is what aiglens.proof answers.
func (a *agreeing) facts(at protocol.Position, p *wire.Place) {
	a.said += len(p.Always.Facts)
	var want wire.Answer
	err := a.Call("workspace/executeCommand", command(wire.CommandProof.Name, wire.ProofParams{PropertyParams: wire.PropertyParams{URI: uri.URI(a.name)}, Latch: &at}), &want)
	var wanted, got []string
	for _, topic := range want.Topics {
		for _, f := range topic.Facts {
			wanted = append(wanted, f.Text)
		}
	}
	for _, f := range p.Always.Facts {
		if f.Property == want.Property {
			got = append(got, strings.TrimSuffix(f.Text, " from step 1 on"))
		}
	}
	slices.Sort(wanted)
	slices.Sort(got)
	if len(p.Signal.Instances) > 1 { // the answer of aiglens.proof is about all of them
		wanted = slices.DeleteFunc(wanted, func(text string) bool { return !slices.Contains(got, text) })
	}
	if p.Always.MoreFacts == 0 && !slices.Equal(got, wanted) || err != nil && len(p.Always.Facts) > 0 {
		a.errorf(at, "facts %q, expected %q of %s, %v", got, wanted, want.Name, err)
	}
	if (len(p.Always.Facts) == 0) != (p.Always.Nothing != "") {
		a.errorf(at, "%d facts, and %q", len(p.Always.Facts), p.Always.Nothing)
	}
}

// dependants: the properties are those whose cones hold the signal.
func (a *agreeing) dependants(at protocol.Position, p *wire.Place) {
	var want, got []wire.PropertyID
	v := circuit.Lit(*p.Signal.Signal).Var()
	for _, row := range a.doc.Properties() {
		cone, err := a.doc.Circuit().ConeContext(a.t.Context(), row.ID)
		if err != nil {
			continue
		}
		for own := circuit.Var(1); int(own) < cone.Circuit.NumVars(); own++ {
			if cone.LitFrom(own.Lit()).Var() == v {
				want = append(want, propertyID(row.ID))
				break
			}
		}
	}
	for _, s := range p.Always.Properties {
		got = append(got, s.Property)
		if row, _ := a.doc.Property(circuitProperty(a.t, s.Property)); statusOf(a.view, row) != s {
			a.errorf(at, "status %+v", s)
		}
	}
	if len(want) > placeOf && p.Always.MoreProperties == len(want)-placeOf {
		want = want[:placeOf]
	}
	if v != 0 && !slices.Equal(got, want) {
		a.errorf(at, "properties %q, expected %q", got, want)
	}
}

func circuitProperty(t *testing.T, id wire.PropertyID) circuit.Property {
	p, err := propertyFromID(id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func agreeingBench(t *testing.T) *bench {
	b := newBench(t, nil, func(o *Options) { o.Engine = func(engines.Spec) verify.Engine { return engines.NewAuto() } })
	b.Initialize(toldClient(), nil)
	return b
}

// TestPlacesOfExamples: the view of a place says what hover, why, proof and trace say.
func TestPlacesOfExamples(t *testing.T) {
	for _, pattern := range []string{"*.aag", "*.blif", "*.btor2"} {
		found, err := filepath.Glob("../examples/" + pattern)
		if err != nil || len(found) == 0 {
			t.Fatal(err, found)
		}
		for _, path := range found {
			t.Run(filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				a := newAgreeing(agreeingBench(t), languageOf(path), "file:///w/"+filepath.Base(path), string(text))
				a.all()
				if a.show(1) {
					a.all()
				}
			})
		}
	}
}

// TestPlacesOfRandomCircuits is TestPlacesOfExamples over random circuits.
func TestPlacesOfRandomCircuits(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	b := agreeingBench(t)
	places, shown, proved := 0, 0, 0
	for i := range everyDay(200, 2000) {
		a := newAgreeing(b, "aiger", fmt.Sprintf("file:///w/%d.aag", i), randomPlaces(r))
		if a.show(r.Intn(4)) {
			shown++
		}
		places += a.all()
		if a.said > 0 {
			proved++
		}
		b.close(a.name)
		if t.Failed() {
			t.Fatalf("circuit %d:\n%s", i, a.doc.Text.Content())
		}
	}
	t.Logf("%d places, a run shown in %d circuits, facts in %d", places, shown, proved)
	if shown == 0 || proved == 0 {
		t.Error("no circuit has a counterexample, or none a proof that says something")
	}
}

// randomPlaces is a random text with latches of which some make a word. In half of the texts the first latches follow
// each other from 0, so that proofs say something, and a bad wants the last of them to be 1.
func randomPlaces(r *rand.Rand) string {
	inputs, latches, gates, bads := r.Intn(3), 1+r.Intn(4), r.Intn(9), 1+r.Intn(2)
	signals := inputs + latches + gates
	lit := func(below int) int { return 2 + r.Intn(2*below) }
	var s strings.Builder
	still := 0
	if gates > 0 && r.Intn(2) == 0 {
		still = 1 + r.Intn(latches)
	}
	fmt.Fprintf(&s, "aag %d %d %d 0 %d %d\n", signals, inputs, latches, gates, bads)
	for i := range inputs {
		fmt.Fprintf(&s, "%d\n", 2*i+2)
	}
	for i := range latches {
		l := 2*(inputs+i) + 2
		if i < still {
			fmt.Fprintf(&s, "%d %d 0\n", l, max(l-2, 2*inputs+2))
			continue
		}
		fmt.Fprintf(&s, "%d %d %d\n", l, lit(signals), []int{0, 0, 1, l}[r.Intn(4)])
	}
	for i := range bads {
		if i == 0 && still > 0 {
			fmt.Fprintf(&s, "%d\n", 2*signals)
			continue
		}
		fmt.Fprintf(&s, "%d\n", lit(signals))
	}
	for i := range gates {
		below := inputs + latches + i
		if i == gates-1 && still > 0 {
			fmt.Fprintf(&s, "%d %d %d\n", 2*below+2, 2*(inputs+still), lit(below))
			continue
		}
		fmt.Fprintf(&s, "%d %d %d\n", 2*below+2, lit(below), lit(below))
	}
	if r.Intn(2) == 0 {
		for i := range latches {
			fmt.Fprintf(&s, "l%d q[%d]\n", i, i)
		}
	}
	return s.String()
}
