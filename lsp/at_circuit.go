package lsp

import (
	"cmp"
	"fmt"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/expression"
	"aiglens/design/play"
	"aiglens/design/runs"
	"aiglens/design/words"
	"aiglens/lsp/ide"
	"aiglens/lsp/wire"
)

// circuit adds what the circuit and the verdicts say. That waits until it is known which verdicts hold
// for the text: the circuit is built by then.
func (p *placing) circuit() error {
	if !p.answer.Settled {
		return nil
	}
	if design.HasClauses(p.v.doc) {
		return p.clauses()
	}
	if err := p.v.doc.Elaborate(p.ctx); err != nil {
		return err
	}
	if err := p.around(); err != nil {
		return err
	}
	if p.at.Word != nil {
		return p.placedWord(p.at.Word)
	}
	if p.at.Signal == nil || p.at.Signal.Lit <= 1 { // a constant
		return nil
	}
	known, err := words.Of(p.ctx, p.v.doc)
	if err != nil {
		return err
	}
	l := p.at.Signal.Lit.Signal().Lit()
	if whole := known.OfSignal(l.Signal()); len(whole) > 0 && len(p.v.doc.Copies(l, 1)) == 0 {
		return p.placedWord(whole[0]) // no bit of it is meant more than the others
	}
	return p.placed(l)
}

// placedWord says what is known of a word.
func (p *placing) placedWord(w *design.Word) error {
	var bits []circuit.Var
	for _, b := range w.Bits {
		if !b.Missing && b.Lit.Var() != 0 {
			bits = append(bits, b.Lit.Var())
		}
	}
	if len(bits) == 0 {
		return nil
	}
	x, err := p.shown()
	if err != nil {
		return err
	}
	if x != nil {
		m, inside, err := x.run.MomentOfWord(p.ctx, w, x.step, x.searched)
		if err != nil {
			return err
		}
		if p.answer.Now, err = p.now(0, x, m, inside); err != nil {
			return err
		}
	}
	p.answer.Always, err = p.always(bits, nil)
	return err
}

// placed says what is known of a signal of the circuit.
func (p *placing) placed(l design.Lit) error {
	d := p.v.doc
	copies := d.Copies(l, runs.MaxSought)
	x, err := p.shown()
	if err != nil {
		return err
	}
	meant, ok := p.meant(l, copies, x)
	known, err := words.Of(p.ctx, d)
	if err != nil {
		return err
	}
	if !ok {
		return nil // no sound signal of the circuit
	}
	s := p.answer.Signal
	number := uint32(meant.Lit)
	s.Signal = &number
	if len(copies) > 1 {
		s.Instances = append(s.Instances, meant.Path)
		for _, c := range copies {
			if c.Path != meant.Path && len(s.Instances) < placeCopies {
				s.Instances = append(s.Instances, c.Path)
			}
		}
	}
	name := s.Name
	if meant.Path != "" {
		name = meant.Path + "/" + name
	}
	if path, local := words.Scopes(d, name); len(path) > 0 {
		s.Scope, s.Local = path, local
	}
	var inWord []circuit.Var // of the word that it is a bit of
	if w, ok := known.AtName(meant.Lit, name); ok {
		s.Word = &wire.PlaceBit{Name: w.Word.Name, Index: w.Word.Index(w.Position), Bits: len(w.Word.Bits), Negated: w.Negated}
		for _, b := range w.Word.Bits {
			if !b.Missing {
				inWord = append(inWord, b.Lit.Var())
			}
		}
	}
	if x != nil {
		m, inside, err := x.run.MomentOf(p.ctx, d, l, x.step, x.searched)
		if err != nil {
			return err
		}
		if p.answer.Now, err = p.now(l, x, m, inside); err != nil {
			return err
		}
	}
	p.answer.Always, err = p.always([]circuit.Var{meant.Lit.Var()}, inWord)
	return err
}

// meant returns the copy of a signal that is meant: the one whose values the run shows, else that in the instance that
// is asked for, else the first.
func (p *placing) meant(l design.Lit, copies []design.Copy, x *shownRun) (c design.Copy, ok bool) {
	if x != nil {
		if c, _, ok = x.run.Copy(p.v.doc, l); ok {
			return c, true
		}
	}
	if len(copies) == 0 {
		return c, false
	}
	i := slices.IndexFunc(copies, func(c design.Copy) bool { return c.Path == p.params.Instance })
	return copies[max(i, 0)], true
}

// shownRun is the run whose values are told of a place.
type shownRun struct {
	kind           wire.RunKind
	run            *runs.Run
	counterexample *runs.Counterexample // of which it is the run; nil for a run of no property
	step           int
	of, words      string // what the run is, and which step it is
	searched       int    // in how many steps changes are looked for
}

// shown returns the run that is asked for, or the counterexample of which a step is shown; nil for none, and for a run
// of an earlier text.
func (p *placing) shown() (shown *shownRun, err error) {
	if p.params.Compared != "" {
		return p.compared(p.params.Compared)
	}
	if sent := p.params.Run; sent != nil {
		if sent.Circuit != play.Key(p.v.doc) {
			return nil, nil
		}
		played, _, err := play.From(p.ctx, p.v.doc, play.Request{Run: p.v.keptRun(sent)})
		switch {
		case p.ctx.Err() != nil:
			return nil, p.ctx.Err()
		case err != nil:
			return nil, refused(err)
		}
		run := played.Values.InInstance(p.params.Instance)
		step := run.Within(p.params.Step)
		words := fmt.Sprintf("step %d of %d", step, run.Steps()-1)
		return &shownRun{kind: wire.RunPlayed, run: run, step: step, of: "run that is played", words: words, searched: run.Steps()}, nil
	}
	x, step := p.v.shown()
	if x == nil {
		return nil, nil
	}
	if p.params.Instance != "" {
		x = x.InInstance(p.params.Instance)
	}
	of := ide.RunOf(x.Property, p.nameOf(x.Property))
	return &shownRun{kind: wire.RunCounterexample, run: &x.Run, counterexample: x, step: step, of: of, words: x.StepWords(step), searched: searchedSteps(p.v, x)}, nil
}

// compared returns the run of a difference; nil where it is not known, or of an earlier text.
func (p *placing) compared(id string) (*shownRun, error) {
	if p.difference == nil {
		return nil, nil
	}
	kept, err := p.difference(id)
	if kept == nil || err != nil {
		return nil, err
	}
	run, err := kept.Run(p.ctx, p.v.doc)
	if err != nil {
		return nil, err
	}
	run = run.InInstance(p.params.Instance)
	step := run.Within(p.params.Step)
	return &shownRun{kind: wire.RunCompared, run: run, step: step, of: "difference in " + kept.Observed, words: kept.StepWords(step), searched: run.Steps()}, nil
}

func (p *placing) nameOf(id circuit.Property) string {
	if row, ok := p.v.doc.Property(id); ok {
		return row.Name
	}
	return id.String()
}

// now is what a signal does in the run that is shown; of a word alone l is 0.
func (p *placing) now(l design.Lit, x *shownRun, m runs.Moment, inside bool) (_ *wire.PlaceNow, err error) {
	d := p.v.doc
	out := &wire.PlaceNow{Kind: x.kind, Of: x.of, Step: x.step, Steps: x.run.Steps(), Loop: x.run.LoopSteps(), Words: x.words, Actions: []wire.PlaceAction{}}
	canExplain := x.counterexample == nil || p.v.status(x.counterexample.Property).OnlyChecked == nil
	if x.counterexample != nil {
		out.Property, out.Name = propertyID(x.counterexample.Property), p.nameOf(x.counterexample.Property)
	}
	canChange := canExplain && out.Loop == 0 && x.kind != wire.RunCompared // the texts would no longer be told apart
	if !inside {
		out.Outside = true
		l = 0
	} else {
		out.First = m.First
		if l != 0 {
			out.Instance, out.Value, out.Values = m.Copy.Path, m.Value.String(), trace.Digits(m.Values)
		}
		if m.Next >= 0 {
			out.Next = &m.Next
		}
		if m.Previous >= 0 {
			out.Previous = &m.Previous
		}
		if m.Word != nil {
			out.Word = p.wordValue(m, x.step)
			if canChange {
				out.Word.Settable = wire.Settable(play.WordSettableAt(d, m.Word))
			}
		}
		if !canExplain {
			// the values alone are known
		} else if !m.Outside {
			if canChange {
				out.Settable = wire.Settable(play.SettableAt(d, m.Copy.Lit))
			}
			if out.Why, err = p.why(x, m.Copy.Lit); err != nil {
				return nil, err
			}
		} else if l == 0 && m.Word != nil {
			if out.Why, err = p.cause(runs.WhyWord(p.ctx, d, x.run, m.Word, x.step, p.causes())); err != nil {
				return nil, err
			}
		}
	}
	if x.counterexample != nil {
		row, _ := d.Property(x.counterexample.Property)
		for _, a := range ide.StepMoves(d, row, l) {
			out.Actions = append(out.Actions, p.actions(a)...)
		}
	}
	return out, nil
}

// why is why a literal has its value at the step; nil where it is outside of the run.
func (p *placing) why(x *shownRun, l circuit.Lit) (*wire.Cause, error) {
	if x.counterexample != nil {
		return p.cause(runs.Why(p.ctx, p.v.doc, x.counterexample, l, x.step, p.causes()))
	}
	return p.cause(runs.WhyInRun(p.ctx, p.v.doc, x.run, l, x.step, p.causes()))
}

// cause is a cause as it is sent; nil for one outside of the run, or that cannot be shown.
func (p *placing) cause(root *runs.Cause, err error) (*wire.Cause, error) {
	switch {
	case err == runs.ErrOutside, err == runs.ErrAbstract:
		return nil, nil
	case err != nil:
		return nil, err
	}
	cause := p.snap.cause(p.v, root)
	return &cause, nil
}

// wordValue is the value of a word at the step that is shown, and at those around it.
func (p *placing) wordValue(m runs.Moment, step int) *wire.PlaceValue {
	now, radix := m.WordValues[step-m.First], words.Chosen(p.ctx, p.v.doc, m.Word)
	out := &wire.PlaceValue{Name: m.Word.Name, Text: words.TextIn(radix, m.Word, now), Value: ide.ValueOfWord(radix, m.Word, now), Radix: wordRadices[cmp.Or(radix, m.Word.Radix)], Written: expression.Quote(m.Word.Name)}
	for _, v := range m.Word.Values {
		out.Names = append(out.Names, v.Name)
	}
	for _, v := range m.WordValues {
		out.Values = append(out.Values, words.TextIn(radix, m.Word, v))
	}
	return out
}

// always is what is proved about signals of the circuit, and which properties depend on them. What is proved of a word
// is said of each of its bits, by proofs of properties that depend on others, too.
func (p *placing) always(signals, inWord []circuit.Var) (*wire.PlaceAlways, error) {
	d := p.v.doc
	out := &wire.PlaceAlways{Facts: []wire.PlaceFact{}, Properties: []wire.PropertyStatus{}}
	depend, unknown, err := answers.Dependants(p.ctx, d, signals)
	if err != nil {
		return nil, err
	}
	out.Unsearched = unknown
	for _, row := range depend[:min(len(depend), placeOf)] {
		out.Properties = append(out.Properties, statusOf(p.v, row))
	}
	out.MoreProperties = len(depend) - len(out.Properties)
	proved := depend
	if len(inWord) > 0 {
		if proved, _, err = answers.Dependants(p.ctx, d, slices.Concat(signals, inWord)); err != nil {
			return nil, err
		}
	}
	p.ask(proved...)
	all, proofs, err := p.facts(proved, signals)
	if err != nil {
		return nil, err
	}
	for _, f := range all[:min(len(all), placeFacts)] {
		out.Facts = append(out.Facts, wire.PlaceFact{ProofFact: p.snap.factMessage(p.v, f.Fact), Property: propertyID(f.of.ID), Name: f.of.Name})
	}
	out.MoreFacts = len(all) - len(out.Facts)
	isLatch := false
	for _, v := range signals {
		at, err := design.LatchOf(p.ctx, d, v)
		if err != nil {
			return nil, err
		}
		isLatch = isLatch || at >= 0
	}
	switch {
	case len(all) > 0:
	case !isLatch:
		out.Nothing = "Proofs say something about latches only."
	case proofs.known > 0 && proofs.known < proofs.fresh:
		out.Nothing = fmt.Sprintf("Not all proofs were looked at: of %s, %s say nothing about it.", answers.Thousands(proofs.fresh), answers.Thousands(proofs.known))
	case proofs.fresh == 0 && unknown > 0:
		out.Nothing = "No property that is known to depend on it is proved for this text."
	case proofs.fresh == 0:
		out.Nothing = "No property that depends on it is proved for this text."
	case proofs.known == 0:
		out.Nothing = "It is not known yet what the proofs say."
	case unknown > 0:
		out.Nothing = "The proofs of the properties that are known to depend on it say nothing about it."
	default:
		out.Nothing = "The proofs say nothing about it."
	}
	return out, nil
}

// factOf is a fact of the proof of a property.
type factOf struct {
	answers.Fact
	of design.Property
}

// proofCount is how many properties are proved for the text, and of how many it is known what the proofs say and
// was looked at.
type proofCount struct{ fresh, known int }

// facts are those of proofs that refer to signals. A fact that several proofs say is that of the first.
func (p *placing) facts(of []design.Property, signals []circuit.Var) (all []factOf, n proofCount, err error) {
	seen := map[string]bool{}
	for _, row := range of {
		status := p.v.status(row.ID)
		if !status.IsProved() {
			continue
		}
		if n.fresh++; n.known == placeProofs {
			continue
		}
		facts := ide.FactsAbout(p.ctx, p.v.doc, row.ID, status, signals)
		if err := p.ctx.Err(); err != nil {
			return nil, n, err
		}
		if facts == nil {
			continue
		}
		n.known++
		for _, f := range facts {
			if text := f.String(); !seen[text] {
				seen[text] = true
				all = append(all, factOf{f, row})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b factOf) int { return answers.CompareFacts(a.Fact, b.Fact) })
	return all, n, nil
}

// around draws the cone of the place.
func (p *placing) around() error {
	if p.params.Cone <= 0 {
		return nil
	}
	subject, err := answers.SubjectAt(p.v.doc, p.offset)
	if err != nil { // there is nothing to draw
		return nil
	}
	drawn, err := answers.Draw(p.ctx, p.v.doc, subject, answers.DrawOptions{Nodes: placeNodes, Depth: min(p.params.Cone, placeLevels)})
	if err != nil {
		return err
	}
	picture, err := pictureMessage(p.ctx, p.v, subject, drawn)
	if err == nil {
		p.answer.Around = &picture
	}
	return err
}
