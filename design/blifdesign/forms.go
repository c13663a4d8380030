package blifdesign

import (
	"strings"

	"aiglens/blif/statement"
	"aiglens/design"
	"aiglens/internal/source"
)

// part says where in a file a statement stands.
type part uint8

const (
	atStart  part = iota // nothing but comments is there
	outside              // of all models
	inModel              // between .model and .end
	inTable              // between .start_kiss and .end_kiss
	anywhere             // but in tables
)

// partAt returns what a statement on the line that starts at offset would be in. A
// word that has been begun there does not count.
func (s *syntax) partAt(offset int) part {
	if strings.TrimSpace(s.file.Text().Slice(source.Span{Length: offset})) == "" &&
		strings.TrimSpace(s.file.Text().Slice(source.SpanFromTo(s.file.Text().LineSpan(s.file.Text().LineAt(offset)).End(), s.file.Text().Len()))) == "" {
		return atStart
	}
	isTable := true
	for id := s.file.StatementAt(offset).ID; id >= 0; id-- {
		st := s.file.Statement(id)
		if st.Directive.Start >= offset {
			continue
		}
		switch st.Kind {
		case statement.KindStartKiss:
			if isTable {
				return inTable
			}
		case statement.KindEndKiss:
			isTable = false
		case statement.KindEnd:
			return outside
		case statement.KindModel:
			return inModel
		}
	}
	return outside
}

// allows reports whether a statement of one part may stand in another.
func (p part) allows(of part) bool {
	return of == p || of == anywhere && p != inTable || of == outside && p == atStart
}

// forms are texts with places to fill in. NAME stands for that of the file.
var forms = [...]struct {
	part                   part
	label, detail, snippet string
}{
	{atStart, "circuit", "whole file: an input, a latch that it sets, a property that holds", `.model ${1:NAME}
.inputs ${2:set}
.outputs ${3:falls}
# prop: bad ${3:falls}
.latch ${4:next} ${5:state} 0
.latch ${5:state} ${6:before} 0
.names ${2:set} ${5:state} ${4:next}
1- 1
-1 1
.names ${6:before} ${5:state} ${3:falls}
10 1
.end
`},
	{anywhere, "model", "name, ports, body", ".model ${1:NAME}\n.inputs ${2:a b}\n.outputs ${3:y}\n$0\n.end"},
	{inModel, "names", "function: inputs, output, then rows of 0, 1 and - with the output value", ".names ${1:a b} ${2:y}\n${3:11} ${4|1,0|}$0"},
	{inModel, "and", "conjunction of two nets", ".names ${1:a} ${2:b} ${3:y}\n11 1$0"},
	{inModel, "or", "disjunction of two nets", ".names ${1:a} ${2:b} ${3:y}\n1- 1\n-1 1$0"},
	{inModel, "xor", "exactly one of two nets", ".names ${1:a} ${2:b} ${3:y}\n10 1\n01 1$0"},
	{inModel, "not", "negation of a net", ".names ${1:a} ${2:y}\n0 1$0"},
	{inModel, "mux", "one of two nets, by a third one", ".names ${1:select} ${2:then} ${3:else} ${4:y}\n11- 1\n0-1 1$0"},
	{inModel, "constant", "net with a constant value", ".names ${1:one}\n${2|1,0|}$0"},
	{inModel, "latch", "state bit: next state, name, initial value (2: any, 3: unknown)", ".latch ${1:next} ${2:state} ${3|0,1,2,3|}$0"},
	{inModel, "clatch", "state bit with type and clock", ".latch ${1:next} ${2:state} ${3|re,fe,ah,al,as|} ${4:clock} ${5|0,1,2,3|}$0"},
	{inModel, "subckt", "instance of a model: formal=actual pairs", ".subckt ${1:model} ${2:a}=${3:net} ${4:y}=${5:net}$0"},
	{anywhere, "search", "further models, from a file beside this one", ".search ${1:file}.blif$0"},
	{inModel, "exdc", "before .end: inputs under which an output does not matter", ".exdc\n.inputs ${1:a b}\n.outputs ${2:y}\n.names ${1:a b} ${2:y}\n${3:11} 1$0"},
	{inModel, "kiss", "state table: input, present state, next state, output", `.start_kiss
.i ${1:2}
.o ${2:1}
.p 2
.s 2
.r ${3:S0}
${4:1-} ${3:S0} ${5:S1} ${6:0}
${7:-1} ${5:S1} ${3:S0} ${8:1}
.end_kiss$0`},
	{inModel, "prop", "property or constraint: bad is never 1, assert and lemma always; live infinitely often; cover in some run; assume is taken to be 1", "# prop: ${1|bad,assert,assume,live,fair,lemma,cover|} ${2:net}$0"},
	{inModel, "justice", "nets that are not all 1 infinitely often", "# prop: justice ${1:net} ${2:net}$0"},
}

// completeForms adds the forms that may stand in a part.
func (s *syntax) completeForms(c *design.Completions, p part, typed string) {
	name := s.file.BaseName()
	if strings.ContainsAny(name, `$}\`) { // which mean something in a form
		name = "top"
	}
	for _, f := range forms {
		if p.allows(f.part) && strings.HasPrefix(f.label, typed) {
			c.Items = append(c.Items, design.Form(f.label, f.detail, strings.ReplaceAll(f.snippet, "NAME", name)))
		}
	}
}
