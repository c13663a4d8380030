package lsp

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/play"
	"aiglens/design/runs"
	"aiglens/design/words"
	"aiglens/internal/source"
	"aiglens/lsp/checks"
	"aiglens/lsp/ide"
	"aiglens/lsp/wire"
)

// counterexample returns that of the first refuted one of some properties, those of
// the whole file when ids is nil: then of the one whose step is shown first.
func (v *view) counterexample(ids []circuit.Property) *runs.Counterexample {
	if ids == nil {
		if v.selection != nil {
			ids = append(ids, v.selection.Property)
		}
		for _, p := range v.doc.Properties() {
			ids = append(ids, p.ID)
		}
	}
	for _, id := range ids {
		if x := v.status(id).Counterexample; x != nil {
			return x
		}
	}
	return nil
}

// oldCounterexample returns the last counterexample of the first of some properties
// that has one about an earlier text, that text, and what the property is called now.
func oldCounterexample(v *view, ids []circuit.Property) (*runs.Counterexample, *design.Design, circuit.Property) {
	if ids == nil {
		for _, p := range v.doc.Properties() {
			ids = append(ids, p.ID)
		}
	}
	for _, id := range ids {
		if old := v.status(id).Earlier; old != nil {
			return old.Counterexample, old.Document, id
		}
	}
	return nil, nil, circuit.Property{}
}

// noCounterexample is the answer to a request that needs a counterexample of the present text where none
// of some properties has one.
func noCounterexample(v *view, ids []circuit.Property) error {
	if err := onlyEarlier(v, ids); err != nil {
		return err
	}
	return refused(play.ErrNoOrigin)
}

// onlyEarlier says that the counterexample of one of some properties is about an earlier text, which the
// lens and aiglens.trace still show; its data names the property. It is nil where there is none, either.
func onlyEarlier(v *view, ids []circuit.Property) error {
	x, _, id := oldCounterexample(v, ids)
	if x == nil {
		return nil
	}
	name := id.String()
	if p, ok := v.doc.Property(id); ok {
		name = p.Name
	}
	return refusedWith(fmt.Errorf("the counterexample of %s is about an earlier text: its trace can still be shown; check again to learn whether the present text has one", name),
		wire.RefusalData{Earlier: &wire.PropertyParams{URI: v.name, Property: propertyID(id)}})
}

// shown returns the counterexample whose values are shown, if it is one of the present
// text, and the step of it.
func (v *view) shown() (x *runs.Counterexample, step int) {
	if v.selection == nil {
		return nil, 0
	}
	if x = v.status(v.selection.Property).Counterexample; x == nil {
		return nil, 0
	}
	return x.InInstance(v.selection.Instance), x.Within(v.selection.Step)
}

// inShown returns a counterexample with the instance of the step that is shown of it.
func (v *view) inShown(x *runs.Counterexample) *runs.Counterexample {
	if v.selection == nil || x == nil || v.selection.Property != x.Property {
		return x
	}
	return x.InInstance(v.selection.Instance)
}

// executeStep shows the values of a step in the text.
func executeStep(ctx context.Context, s *session, params *wire.StepParams) (wire.ShownStep, error) {
	v, ids, err := signalFrom(ctx, wire.CommandStep.Name, params.PropertyParams)
	if err != nil {
		return wire.ShownStep{}, err
	}
	if design.HasClauses(v.doc) {
		shown, err := moveInDerivation(s, v, ids, params)
		if err == nil && shown.Range != nil && !snapshotFrom(ctx).client.status { // nothing else would lead to the clause
			_, err = showPlace(ctx, s, protocol.Location{URI: v.name, Range: *shown.Range})
		}
		return shown, err
	}
	return moveStep(ctx, s, v, ids, params)
}

func moveStep(ctx context.Context, s *session, v *view, ids []circuit.Property, params *wire.StepParams) (wire.ShownStep, error) {
	var changes []int
	x := v.counterexample(ids)
	if params.Position != nil && x != nil && (params.To == wire.MoveNextChange || params.To == wire.MovePreviousChange) {
		if o, ok := v.doc.OccurrenceAt(v.mapper.PositionOffset(*params.Position)); ok {
			in := v.inShown(x)
			if params.Instance != "" {
				in = x.InInstance(params.Instance)
			}
			inWords, err := in.WordsInText(ctx, v.doc)
			if err == nil {
				changes, err = inWords.Changes(ctx, o.Lit, searchedSteps(v, x))
			}
			if err != nil {
				return wire.ShownStep{}, err
			}
		}
	}
	answer := wire.ShownStep{URI: v.name}
	var refusal error
	s.queue.Do(func() {
		f := s.texts.files[uri.URI(v.doc.URI)]
		switch {
		case f == nil || f.doc != v.doc:
			refusal = errTextChanged
			return
		case params.To == wire.MoveHide:
			s.publishing.showStep(f, nil)
			return
		case x == nil:
			refusal = noCounterexample(v, ids)
			return
		}
		from, instance := -1, params.Instance
		if f.shown.selection != nil && f.shown.selection.Property == x.Property {
			from = f.shown.selection.Step
			instance = cmp.Or(instance, f.shown.selection.Instance)
		}
		step, ok := runs.Move(string(params.To), from, x.Steps(), x.Limit(), changes)
		if !ok {
			refusal = jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s is not a step", params.To)
			return
		}
		s.publishing.showStep(f, &ide.Selection{Property: x.Property, Step: step, Instance: instance})
		answer = f.shownStep()
	})
	return answer, refusal
}

// searchedSteps returns the number of steps in which changes are looked for: after the step that
// is shown all that can show anything new.
func searchedSteps(v *view, x *runs.Counterexample) int {
	if v.selection == nil || v.selection.Property != x.Property {
		return x.Steps()
	}
	return min(max(v.selection.Step+1, x.Steps())+x.Recorded(), x.Limit())
}

// maxRounds bounds the rounds of a loop in an answer.
const maxRounds = 1000

// executeTrace answers with the signals of a counterexample. One of an earlier text is
// shown until there is a newer one, with the places where its signals are now.
func executeTrace(ctx context.Context, s *session, params *wire.TraceParams) (a wire.Trace, err error) {
	v, ids, err := propertiesFrom(ctx, wire.CommandTrace.Name, params.PropertyParams)
	if err != nil {
		return a, err
	}
	x, doc := v.counterexample(ids), v.doc
	var id circuit.Property // of v.doc; that of x when its row has not moved
	if x != nil {
		id = x.Property
	} else if x, doc, id = oldCounterexample(v, ids); x == nil {
		return a, noCounterexample(v, ids)
	}
	var chosen []design.Lit
	for _, p := range params.Positions {
		if o, ok := v.doc.OccurrenceAt(v.mapper.PositionOffset(p)); ok && doc == v.doc {
			chosen = append(chosen, o.Lit)
		}
	}
	steps := x.StepsOf(min(params.Rounds, maxRounds))
	signals, more, err := runs.TraceSignals(ctx, doc, x, steps, chosen, params.Expressions)
	if err != nil {
		return a, err
	}
	a = wire.Trace{
		URI: v.name, Property: propertyID(id), Name: id.String(), Steps: steps, Loop: x.LoopSteps(),
		Stale: doc != v.doc, Version: doc.Version, Signals: []wire.TraceSignal{}, More: more,
	}
	if !a.Stale {
		a.Others = v.status(id).HasOthers()
		if among := x.AmongOf(v.doc); among != nil {
			a.Among = &wire.FoundRun{Number: among.Number, Known: among.Known, Message: among.Words}
		}
	}
	if first, ok := x.Loop(); ok {
		a.Rounds = (steps - first) / a.Loop
	}
	row, known := doc.Property(x.Property)
	if known {
		a.Name = row.Name
	}
	if v.selection != nil && v.selection.Property == id {
		a.Step = &v.selection.Step
	}
	var moved func(design.SourceSignal) (design.SourceSignal, bool)
	if a.Stale {
		if err := v.doc.Elaborate(ctx); err != nil {
			return a, err
		}
		moved = movedPlaces(doc, v.doc)
	}
	for i := range signals {
		t := &signals[i]
		out := traceSignal(doc, t)
		if !a.Stale && a.Loop == 0 && v.status(id).OnlyChecked == nil {
			out.Settable = settableAt(doc, t)
		}
		switch m, found := t.Source, t.HasSource; {
		case t.Group == runs.GroupExpressions: // no text defines it
		case moved != nil && t.Group == runs.GroupProperty:
			if p, ok := v.doc.Property(id); ok && (p.Name == row.Name || checks.RowKey(p) == checks.RowKey(row)) {
				out.Location = &protocol.Location{URI: v.name, Range: v.mapper.SpanRange(p.Row)}
			}
		case moved != nil:
			if m, found = moved(m); found {
				out.Location = snapshotFrom(ctx).sourceLocation(v, m)
			}
		case found:
			out.Location = snapshotFrom(ctx).sourceLocation(v, m)
		}
		a.Signals = append(a.Signals, out)
	}
	if a.Words, err = traceWords(ctx, doc, signals); err != nil {
		return a, err
	}
	return a, ctx.Err()
}

// traceSignal is a signal in a message, but for its place.
func traceSignal(d *design.Design, t *runs.TraceSignal) wire.TraceSignal {
	out := wire.TraceSignal{
		Group: wire.SignalGroup(t.Group), Name: t.Name(), Signal: uint32(t.Lit), Values: trace.Digits(t.Values),
		Relevant: t.Relevant, Formula: t.Formula, Error: t.Error,
	}
	if t.Group == runs.GroupLatches || t.Group == runs.GroupInputs || t.Group == runs.GroupGates {
		if path, local := words.Scopes(d, t.Name()); len(path) > 0 {
			out.Scope, out.Local = path, local
		}
	}
	return out
}

var wordRadices = map[design.Radix]wire.WordRadix{design.Binary: wire.WordBinary, design.Decimal: wire.WordDecimal, design.Hexadecimal: wire.WordHex, design.SignedDecimal: wire.WordSigned}

// traceWords are the words of signals in a message. The error is that of ctx.
func traceWords(ctx context.Context, d *design.Design, signals []runs.TraceSignal) ([]wire.TraceWord, error) {
	found, err := runs.TraceWords(ctx, d, signals)
	if err != nil {
		return nil, err
	}
	return wordsInMessage(found), nil
}

func wordsInMessage(found []runs.TraceWord) []wire.TraceWord {
	all := make([]wire.TraceWord, len(found))
	for i, t := range found {
		w := t.Word
		out := wire.TraceWord{
			Group: wire.SignalGroup(t.Group), Name: w.Name, Scope: w.Path, Local: w.Local, High: w.Index(len(w.Bits) - 1), Low: w.Low,
			Signed: w.Signed, Radix: wordRadices[w.Radix],
		}
		for k, b := range slices.Backward(t.Bits) {
			out.Bits = append(out.Bits, wire.TraceBit{Signal: b.Signal, Missing: w.Bits[k].Missing, Negated: b.Negated})
		}
		for _, v := range w.Values {
			bits := slices.Clone(v.Value)
			slices.Reverse(bits)
			out.Values = append(out.Values, wire.WordValue{Name: v.Name, Bits: trace.Digits(bits)})
		}
		all[i] = out
	}
	return all
}

// movedPlaces finds signals of a text in a later one: a latch or input by its name, and
// what has none where the text around it is the same.
func movedPlaces(from, to *design.Design) func(design.SourceSignal) (design.SourceSignal, bool) {
	head, tail := source.Common(from.Text, to.Text)
	shift := to.Text.Len() - from.Text.Len()
	return func(m design.SourceSignal) (design.SourceSignal, bool) {
		if m.Name != fmt.Sprint(m.Lit) {
			return to.ElementNamed(m.Name)
		}
		switch {
		case m.Row.End() <= head:
			return m, true
		case m.Row.Start >= from.Text.Len()-tail:
			m.Row.Start += shift
			m.Span.Start += shift
			return m, true
		}
		return m, false
	}
}

// executeLatches answers with the latches of a counterexample in its order.
func executeLatches(ctx context.Context, s *session, params *wire.PropertyParams) ([]wire.LatchTrace, error) {
	v, ids, err := propertiesFrom(ctx, wire.CommandLatches.Name, *params)
	if err != nil {
		return nil, err
	}
	latches, err := latchesOf(ctx, v, ids)
	if err != nil {
		return nil, err
	}
	var all []wire.LatchTrace
	for _, l := range latches {
		latch := wire.LatchTrace{Name: l.Name, Values: l.Values, Loop: l.Loop, Location: snapshotFrom(ctx).latchLocation(v, l)}
		if v.doc.HasNumbers() {
			latch.Literal = numberOfLatch(v, l)
		}
		all = append(all, latch)
	}
	return all, nil
}

// latchesOf returns the latches of the first refuted one of some properties.
func latchesOf(ctx context.Context, v *view, ids []circuit.Property) ([]runs.LatchPlace, error) {
	if ids == nil {
		for _, p := range v.doc.Properties() {
			ids = append(ids, p.ID)
		}
	}
	for _, id := range ids {
		if x := v.status(id).Counterexample; x != nil {
			return runs.Latches(ctx, v.doc, x)
		}
	}
	return nil, onlyEarlier(v, ids)
}

// numberOfLatch is what a command calls a latch.
func numberOfLatch(v *view, l runs.LatchPlace) *uint32 {
	number := uint32(l.Index)
	if v.doc.HasNumbers() {
		number = uint32(l.Literal)
	}
	return &number
}

func (snap *snapshot) latchLocation(v *view, l runs.LatchPlace) protocol.Location {
	if l.Other != nil {
		return snap.locationOf(*l.Other)
	}
	return protocol.Location{URI: v.name, Range: v.mapper.SpanRange(l.Span)}
}

// executeGoToLatch asks the client to show a latch, where it can, and answers with the
// place in any case.
func executeGoToLatch(ctx context.Context, s *session, params *wire.GoToLatchParams) (place protocol.Location, err error) {
	v, ids, err := propertiesFrom(ctx, wire.CommandGoToLatch.Name, params.PropertyParams)
	if err != nil {
		return place, err
	}
	latches, err := latchesOf(ctx, v, ids)
	if err != nil {
		return place, err
	}
	if params.Latch != nil {
		latches = slices.DeleteFunc(latches, func(l runs.LatchPlace) bool { return *numberOfLatch(v, l) != *params.Latch })
	}
	if len(latches) == 0 {
		return place, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no counterexample with such a latch")
	}
	return showPlace(ctx, s, snapshotFrom(ctx).latchLocation(v, latches[0]))
}
