package cert

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/horn"
	"aiglens/horn/rational"
	"aiglens/horn/term"
)

// StepText is a step of a derivation as people read it.
type StepText struct {
	Number int      // from 1
	Atom   string   // what is derived: "P(1, 2)", in the last step "false"
	From   []int    // the numbers of the steps that derive the atoms of the body
	Values []string // of the variables of the clause: "x = 1"
}

// String says a step: "step 3: P(2), from step 2".
func (t StepText) String() string {
	text := fmt.Sprintf("step %d: %s", t.Number, t.Atom)
	switch from := slices.Compact(slices.Sorted(slices.Values(t.From))); len(from) {
	case 0:
		return text
	case 1:
		return fmt.Sprintf("%s, from step %d", text, from[0])
	default:
		return text + ", from steps " + strings.Trim(strings.ReplaceAll(fmt.Sprint(from), " ", ", "), "[]")
	}
}

// OnLine says a step with the values of its variables, on one line whatever names are.
func (t StepText) OnLine() string {
	text := t.String()
	if len(t.Values) > 0 {
		text += ", with " + strings.Join(t.Values, ", ")
	}
	return strings.NewReplacer("\n", " ", "\r", " ").Replace(text)
}

// Text says step i of a derivation, which is an instance of a clause of s.
func (x Step) Text(i int, s *horn.System, c *horn.Clause) StepText {
	t := StepText{Number: i + 1, Atom: "false"}
	by := make(map[term.Term]Value, len(c.Vars))
	for k, v := range c.Vars {
		by[v] = x.Values[k]
		t.Values = append(t.Values, fmt.Sprintf("%s = %s", s.Terms.Name(v), x.Values[k]))
	}
	if !c.IsQuery() {
		t.Atom = atomWith(s, c.Head, by)
	}
	for _, p := range x.Premises {
		t.From = append(t.From, p+1)
	}
	return t
}

// atomWith writes an atom with the values of its variables.
func atomWith(s *horn.System, a horn.Atom, by map[term.Term]Value) string {
	values := term.NewEvaluation(s.Terms, func(v term.Term) term.Value {
		if x := by[v]; x.Number != nil {
			return term.Value{Number: rational.FromBig(x.Number)}
		}
		return term.Value{Truth: by[v].Bool}
	})
	if len(a.Args) == 0 {
		return s.Preds[a.Pred].Name
	}
	args := make([]string, len(a.Args))
	for i, t := range a.Args {
		if x := values.Value(t); s.Terms.SortOf(t) == term.Bool {
			args[i] = Value{Bool: x.Truth}.String()
		} else {
			args[i] = Value{Number: x.Number.Big()}.String()
		}
	}
	return s.Preds[a.Pred].Name + "(" + strings.Join(args, ", ") + ")"
}
