package lsp

import (
	"context"
	"errors"
	"time"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/lsp/wire"
)

// executeStats answers with the size of a circuit.
func executeStats(ctx context.Context, s *session, params *wire.FileParams) (answer wire.CircuitStats, err error) {
	v, err := openView(ctx, wire.CommandStats.Name, params.URI)
	if err != nil {
		return answer, err
	}
	found, err := answers.StatsOf(ctx, v.doc)
	if err != nil {
		return answer, err
	}
	answer = wire.CircuitStats{Text: found.Title() + "\n" + found.Text(""), Inputs: found.Inputs, Latches: found.Latches, Gates: found.Gates, Levels: found.Levels, Cones: []wire.ConeStats{}}
	for _, k := range found.Cones {
		answer.Cones = append(answer.Cones, wire.ConeStats{Property: propertyID(k.Property), Inputs: k.Inputs, Latches: k.Latches, Gates: k.Gates})
	}
	return answer, nil
}

// executeDraw answers with a schematic.
func executeDraw(ctx context.Context, s *session, params *wire.DrawParams) (answer wire.Picture, err error) {
	v, _, err := signalFrom(ctx, wire.CommandDraw.Name, params.PropertyParams)
	if err != nil {
		return answer, err
	}
	if err := v.doc.Elaborate(ctx); err != nil {
		return answer, err
	}
	subject, err := drawnSubject(v, params.PropertyParams)
	if err != nil {
		return answer, err
	}
	if circuit.IsAbstraction(v.doc.Circuit()) {
		if err := design.SoundIn(v.doc, subject.Lits()...); err != nil {
			return answer, refused(err)
		}
	}
	var expand []uint32 // of another text these are other signals
	if params.Version != nil && *params.Version == v.doc.Version {
		expand = params.Expand
	}
	p, err := answers.Draw(ctx, v.doc, subject, answers.DrawOptions{
		Nodes: answers.MaxNodes, Expand: expand, Bits: params.Bits,
		Instances: answers.Instances(params.Instances), Except: params.Except,
	})
	if err != nil {
		return answer, err
	}
	return pictureMessage(ctx, v, subject, p)
}

// pictureMessage is a schematic in a message.
func pictureMessage(ctx context.Context, v *view, subject answers.Subject, p *answers.Picture) (answer wire.Picture, err error) {
	snap := snapshotFrom(ctx)
	answer = wire.Picture{
		URI: v.name, Version: v.doc.Version, Title: subject.Title, DOT: p.DOT(), Errors: answers.CountErrors(v.doc), Nodes: []wire.PictureNode{},
		Instances: string(p.Instances()),
	}
	for _, n := range p.Nodes() {
		node := wire.PictureNode{ID: n.ID, Name: n.Name, Kind: n.Kind, Cut: n.Cut, Signals: signalNumbers(n.Signals)}
		for _, pin := range n.Pins {
			node.Pins = append(node.Pins, wire.PicturePin(pin))
		}
		if n.Source != nil {
			node.Location = snap.sourceLocation(v, *n.Source)
		}
		answer.Nodes = append(answer.Nodes, node)
	}
	answer.Values, err = v.pictureStep(ctx, p)
	return answer, err
}

// pictureStep returns the values of a picture at the step that is shown; nil for none.
func (v *view) pictureStep(ctx context.Context, p *answers.Picture) (*wire.PictureStep, error) {
	if v.selection == nil {
		return nil, nil
	}
	x := v.status(v.selection.Property).Counterexample
	if x == nil {
		return nil, nil
	}
	s, err := p.Values(ctx, x, v.selection.Step)
	if err != nil {
		return nil, err
	}
	return &wire.PictureStep{Property: propertyID(x.Property), Step: s.Step, At: s.At, Values: s.Values, Causes: s.Causes, Pins: orEmptyEach(s.Pins)}, nil
}

// orEmptyEach has no list be null.
func orEmptyEach(lists [][]string) [][]string {
	for i := range lists {
		lists[i] = orEmpty(lists[i])
	}
	return lists
}

// signalNumbers returns how clients know signals.
func signalNumbers(signals []circuit.Var) []uint32 {
	all := make([]uint32, len(signals))
	for i, s := range signals {
		all[i] = uint32(s)
	}
	return all
}

// drawnSubject returns what is to be drawn.
func drawnSubject(v *view, params wire.PropertyParams) (answers.Subject, error) {
	if params.Property == "" && params.Position != nil {
		subject, err := answers.SubjectAt(v.doc, v.mapper.PositionOffset(*params.Position))
		if err != nil {
			err = refused(err)
		}
		return subject, err
	}
	ids, err := v.propertiesFor(params)
	if err != nil {
		return answers.Subject{}, err
	}
	subject, err := answers.SubjectOf(v.doc, v.orAll(ids))
	if err != nil {
		err = refused(err)
	}
	return subject, err
}

// statesTime bounds the search of the states of a graph.
const statesTime = 10 * time.Second

// executeStates answers with the states of a property.
func executeStates(ctx context.Context, s *session, params *wire.PropertyParams) (answer wire.StateGraph, err error) {
	v, err := openView(ctx, wire.CommandStates.Name, params.URI)
	if err != nil {
		return answer, err
	}
	p, err := propertyOfStates(v, params)
	if err != nil {
		return answer, err
	}
	if err := v.doc.Elaborate(ctx); err != nil {
		return answer, err
	}
	g, err := answers.StatesOf(ctx, v.doc, p, v.status(p.ID).Counterexample, statesTime)
	var why answers.RefusalError
	if errors.As(err, &why) {
		err = refused(why)
	}
	if err != nil {
		return answer, err
	}
	answer = wire.StateGraph{
		URI: v.name, Version: v.doc.Version, Property: propertyID(p.ID), Position: v.mapper.OffsetPosition(p.Row.Start),
		Title: g.Title, DOT: g.DOT, Errors: answers.CountErrors(v.doc), Others: v.doc.DependsOnOthers(),
		Latches: g.Latches, Words: []wire.StateWord{}, States: make([]wire.GraphState, len(g.States)), Path: orEmpty(g.Path), IsCounterexample: g.IsCounterexample,
	}
	for _, w := range g.Words {
		answer.Words = append(answer.Words, wire.StateWord{Name: w.Name, Latches: w.Latches})
	}
	for i, s := range g.States {
		answer.States[i] = wire.GraphState{ID: s.ID, Values: s.Values, Words: orEmpty(s.Words), Initial: s.Initial, Bad: s.Bad, Next: orEmpty(s.Next)}
	}
	if x, step := v.shown(); g.IsCounterexample && x != nil && x.Property == p.ID {
		answer.Shown = &wire.StateStep{Step: step, At: x.StepWords(step)}
	}
	return answer, nil
}

// propertyOfStates returns the property that is named, or at the position, else the one whose
// step is shown, else the first. With both it is the one at the position, of several there the
// one that is named: what a name stood for may have moved since.
func propertyOfStates(v *view, params *wire.PropertyParams) (p design.Property, err error) {
	if params.Property != "" && params.Position != nil {
		if id, err := propertyFromID(params.Property); err == nil {
			if p, ok := v.doc.Property(id); ok && v.mapper.SpanRange(p.Row).Start.Line == params.Position.Line {
				return p, nil
			}
		}
		ids, err := v.propertiesFor(wire.PropertyParams{URI: params.URI, Position: params.Position})
		if err != nil {
			return p, err
		}
		p, _ = v.doc.Property(ids[0])
		return p, nil
	}
	if params.Property != "" {
		ids, err := v.propertiesFor(*params)
		if err != nil {
			return p, err
		}
		p, _ = v.doc.Property(ids[0])
		return p, nil
	}
	if params.Position != nil {
		if p, ok := v.doc.PropertyAt(v.mapper.PositionOffset(*params.Position)); ok {
			return p, nil
		}
	}
	if v.selection != nil {
		if p, ok := v.doc.Property(v.selection.Property); ok {
			return p, nil
		}
	}
	if all := v.doc.Properties(); len(all) > 0 {
		return all[0], nil
	}
	return p, refused(errors.New("the file has no property whose states could be drawn"))
}

// executeSignalsAt answers with the signals at a position.
func executeSignalsAt(ctx context.Context, s *session, params *wire.SignalsAtParams) (answer wire.SignalsAt, err error) {
	v, err := openView(ctx, wire.CommandSignalsAt.Name, params.URI)
	if err != nil {
		return answer, err
	}
	if err := v.doc.Elaborate(ctx); err != nil {
		return answer, err
	}
	return wire.SignalsAt{Version: v.doc.Version, Signals: signalNumbers(answers.SignalsAt(v.doc, v.mapper.PositionOffset(params.Position)))}, nil
}
