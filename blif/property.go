package blif

import (
	"aiglens/circuit"
	"aiglens/internal/source"
)

// Rule says what makes a signal a property. BLIF has no section for them; the
// rules are tried in this order, and the first that gives a property counts.
type Rule uint8

// The rules.
const (
	rulePragma  Rule = iota + 1 // a comment line "# prop: bad x"
	RuleCell                    // a formal cell of Yosys such as $assert, in the top model or an instance
	RuleName                    // an output whose name says so
	RuleOutputs                 // every output of the top model
)

// String names the rule for people.
func (r Rule) String() string {
	switch r {
	case rulePragma:
		return "# prop: comment"
	case RuleCell:
		return "formal cell"
	case RuleName:
		return "name of the output"
	case RuleOutputs:
		return "every output"
	}
	return "rule?"
}

// By names what makes the signal a property, for people.
func (p Property) By() string {
	if p.Rule == RuleCell {
		return "$" + p.Kind + " cell"
	}
	return p.Rule.String()
}

// PropertyOptions say which outputs are properties where neither comments nor
// cells name any.
type PropertyOptions struct {
	// Bad, Assert and Assume are patterns for names of outputs; '*' stands for
	// any characters. Empty lists stand for defaultPatterns.
	Bad, Assert, Assume []string
	// OutputLimit is the number of outputs up to which all of them are taken as
	// properties: 0 stands for 25, a negative number for none at all.
	OutputLimit int
	// Combinational takes the outputs also of a model without latches.
	Combinational bool
}

// defaultPatterns are the patterns of empty PropertyOptions. "bad[*]" also
// stands for the bits of a vector.
var defaultPatterns = PropertyOptions{
	Bad: []string{"bad", "bad_*", "bad[*]", "fail*"}, Assert: []string{"assert*"}, Assume: []string{"assume*"},
}

// Property is something to check.
type Property struct {
	ID   circuit.Property
	Rule Rule
	Kind string // bad, assert, lemma, cover, justice, live, output
	Name string // a label, or the signal; with the path of the instance that it lies in
	// Signals are those of this file that the property is about; Negated says
	// that the first one must never be 0 instead of never 1. Of a property of an
	// instance whose model lies in another file there are none here.
	Signals []Signal
	Negated bool
	Span    source.Span // where it is said; of one in another file, the instance through which it comes

	Cell PlacedCell // of RuleCell
}
