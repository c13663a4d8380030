package lsp

import (
	"slices"
	"strings"

	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/horndesign"
	"aiglens/horn/cert"
	"aiglens/lsp/ide"
	"aiglens/lsp/wire"
)

// query is what is known of the query of the place.
func (p *placing) query(row design.Property) *wire.PlaceProperty {
	p.ask(row)
	queries := horndesign.Queries(p.v.doc)
	i := slices.IndexFunc(queries, func(q horndesign.Query) bool { return q.Property == row.ID })
	p.answer.Title = "**query** " + answers.Code(row.Name)
	if i < 0 { // an error leaves open what the text means
		return &wire.PlaceProperty{PropertyStatus: statusOf(p.v, row), Words: p.v.status(row.ID).Verdict(), Says: []string{}, Facts: []string{}, Actions: []wire.PlaceAction{}}
	}
	q := queries[i]
	s := p.v.queries.status(q)
	words := s.String()
	if words == "check" {
		words = "not checked yet"
	}
	out := &wire.PlaceProperty{
		PropertyStatus: queryStatusOf(p.v, q), Words: words, Certificate: s.Certificate(), Says: []string{}, Facts: []string{}, Actions: []wire.PlaceAction{},
	}
	if s.Result != nil {
		out.Engine = s.Result.Variant
	}
	facts := q.Invariants(s.Answer())
	out.Facts = append(out.Facts, facts[:min(len(facts), placeFacts)]...)
	out.MoreFacts = len(facts) - len(out.Facts)
	if x := s.DerivationOf(q); x != nil {
		limit := p.causes()
		why := p.v.derivationCause(x, x.Why(len(x.Steps), limit.Depth, limit.Nodes))
		out.Why = &why
	}
	for _, a := range ide.PlaceQueryActions(row, s) {
		out.Actions = append(out.Actions, p.actions(a)...)
	}
	return out
}

// clauses adds what answers say of the place in a text of clauses.
func (p *placing) clauses() error {
	p.derived()
	if p.at.Signal != nil && p.at.Signal.Kind == design.Predicate {
		p.answer.Always = p.alwaysOf()
	}
	return p.ctx.Err()
}

// derived is the step of a derivation that is shown, and what it says of the place.
func (p *placing) derived() {
	x, step := p.v.shownDerivation()
	if x == nil {
		return
	}
	row, _ := p.v.doc.Property(x.Query.Property)
	out := &wire.PlaceNow{
		Kind: wire.RunDerivation, Property: propertyID(row.ID), Name: row.Name, Of: "derivation of " + row.Name,
		Step: step, Steps: len(x.Steps), Words: x.Words(step), Actions: []wire.PlaceAction{},
	}
	for _, n := range x.At(p.offset) {
		switch {
		case n < step:
			out.Previous = &n
		case n > step && out.Next == nil:
			out.Next = &n
		}
	}
	if values := x.Step(step).Values; len(values) > 0 {
		out.Says = append(out.Says, "with "+answers.Code(strings.Join(values, ", ")))
	}
	limit := p.causes()
	why := p.v.derivationCause(x, x.Why(step, limit.Depth, limit.Nodes))
	out.Why = &why
	for _, a := range ide.DerivationMoves(p.v.doc, row, p.offset) {
		out.Actions = append(out.Actions, p.actions(a)...)
	}
	p.answer.Now = out
}

// alwaysOf is what the models of queries say of the predicate of the place, and which queries depend on it. What several
// say is that of the first.
func (p *placing) alwaysOf() *wire.PlaceAlways {
	out := &wire.PlaceAlways{Facts: []wire.PlaceFact{}, Properties: []wire.PropertyStatus{}}
	isSafe, said := false, map[string]bool{}
	for _, q := range horndesign.Queries(p.v.doc) {
		if !q.DependsOn(p.offset) {
			continue
		}
		row, _ := p.v.doc.Property(q.Property)
		p.ask(row)
		if len(out.Properties) < placeOf {
			out.Properties = append(out.Properties, queryStatusOf(p.v, q))
		} else {
			out.MoreProperties++
		}
		c := p.v.queries.status(q).Answer()
		isSafe = isSafe || c.Outcome() == cert.Sat
		for _, f := range q.LemmasAt(c, p.offset) {
			switch {
			case said[f]:
				continue
			case len(out.Facts) == placeFacts:
				out.MoreFacts++
				continue
			}
			said[f] = true
			out.Facts = append(out.Facts, wire.PlaceFact{
				ProofFact: wire.ProofFact{Kind: wire.FactClause, Text: f, Latches: []wire.FactLatch{}}, Property: propertyID(q.Property), Name: q.Name,
			})
		}
	}
	switch {
	case len(out.Facts) > 0:
	case isSafe:
		out.Nothing = "The model says nothing about it."
	default:
		out.Nothing = "No query that depends on it is safe in this text, as far as is known."
	}
	return out
}
