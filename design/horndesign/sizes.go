package horndesign

import (
	"fmt"

	"aiglens/design"
	"aiglens/horn/syntax"
	"aiglens/internal/findings"
)

// Sizes counts what the clauses are made of.
func (s *fileSyntax) Sizes() []design.Size {
	system, functions := s.file.System(), 0
	for k := range s.file.NumSymbols() {
		if s.file.DeclarationOf(syntax.Symbol(k)).Kind == syntax.KindFunction {
			functions++
		}
	}
	var args, facts, several, vars int
	for _, p := range system.Preds {
		args = max(args, len(p.Args))
	}
	for i := range system.Clauses {
		c := &system.Clauses[i]
		vars = max(vars, len(c.Vars))
		if c.IsFact() && !c.IsQuery() {
			facts++
		}
		if len(c.Body) > 1 {
			several++
		}
	}
	note := fmt.Sprintf(" (%s", findings.Count(facts, "fact", "facts"))
	if several > 0 {
		note += fmt.Sprintf(", %d with several predicates in the body", several)
	}
	return []design.Size{
		{Name: "predicates", N: len(system.Preds), Note: fmt.Sprintf(" (%s at most)", findings.Count(args, "argument", "arguments"))},
		{Name: "functions", N: functions},
		{Name: "clauses", N: len(system.Clauses), Note: note + ")"},
		{Name: "queries", N: len(s.Properties())},
		{Name: "variables", N: vars, Note: " at most in a clause"},
	}
}
