package blifdesign

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aiglens/blif"
	"aiglens/blif/edit"
	"aiglens/blif/statement"
	"aiglens/design"
	"aiglens/internal/source"
	"aiglens/internal/wordline"
)

func (s *syntax) Changes(_ context.Context, span source.Span, _ bool) []source.Change {
	return edit.Changes(s.file, span.Start)
}
func (s *syntax) Format(ctx context.Context) ([]source.Edit, error)       { return edit.Format(ctx, s.file) }
func (s *syntax) LineTyped(int, bool, design.FittingHeader) []source.Edit { return nil }
func (s *syntax) RowsGone(int, int, design.FittingHeader) []source.Edit   { return nil }
func (s *syntax) FittingHeader() (none design.FittingHeader)              { return none }
func (s *syntax) AddAsides(a design.Asides) ([]source.Edit, error) {
	if a.Word != nil {
		return edit.AddWord(s.file, a.Word.Line, literals(a.Word.Lits))
	}
	own := make([][][]edit.Literal, len(a.Lemmas))
	for i, l := range a.Lemmas {
		for _, clause := range l.Clauses {
			own[i] = append(own[i], literals(clause))
		}
	}
	return edit.AddLemmas(s.file, own)
}

func literals(from []design.Lit) []edit.Literal {
	lits := make([]edit.Literal, len(from))
	for i, l := range from {
		lits[i] = edit.Literal{Net: blif.Signal(l.Signal()), IsNegated: l.IsNegated()}
	}
	return lits
}
func (s *syntax) RenameTarget(offset int) (source.Span, string, bool) {
	return edit.RenameTarget(s.file, offset)
}
func (s *syntax) Rename(offset int, to string) ([]source.Edit, error) {
	return edit.Rename(s.file, offset, to)
}

// directives are the directives that are offered, the usual ones first, with
// what they are for (Berkeley BLIF 1992 and the manuals of ABC and Yosys).
var directives = [...]struct {
	part       part
	word, help string
}{
	{inModel, ".names", "in1 … inN out: one function, rows of 0, 1 and - below"},
	{inModel, ".latch", "input output [type control] [init]: one state bit"},
	{inModel, ".subckt", "model formal=actual …: instance of a model"},
	{inModel, ".inputs", "inputs of the model"},
	{inModel, ".outputs", "outputs of the model"},
	{anywhere, ".model", "name: begins a model; the first one is checked"},
	{inModel, ".end", "ends the model"},
	{anywhere, ".search", "file: further models"},
	{inModel, ".clock", "clocks of the model"},
	{inModel, ".gate", "cell formal=actual …: gate of a cell library"},
	{inModel, ".mlatch", "cell formal=actual … control [init]: latch of a cell library"},
	{inModel, ".conn", "from to: joins two nets (Yosys, VTR)"},
	{inModel, ".short", "in out: joins two nets (ABC)"},
	{inModel, ".constraint", "nets that are assumed to be 0 (ABC)"},
	{inModel, ".flop", "D=… Q=… [init=0/1/2]: flip-flop by pins (ABC)"},
	{inModel, ".blackbox", "the model has no body"},
	{inModel, ".cname", "name of the object above (Yosys, VTR)"},
	{inModel, ".attr", "name [value]: attribute of the object above (Yosys, VTR)"},
	{inModel, ".param", "name [value]: parameter of the object above (Yosys, VTR)"},
	{inModel, ".exdc", "begins the external don't-care network"},
	{inModel, ".start_kiss", "begins a state table"},
	{inTable, ".end_kiss", "ends a state table"},
	{inModel, ".latch_order", "latches in the order of the codes"},
	{inModel, ".code", "state bits: code of a state of the table"},
}

// pragmas are the comments that make properties, see blif.Rule.
var pragmas = [...]struct{ word, help string }{
	{"bad", "net that must never be 1"},
	{"assert", "net that must always be 1"},
	{"assume", "net that is 1 in every step: a constraint"},
	{"justice", "nets that are not all 1 infinitely often"},
	{"fair", "net that is 1 infinitely often: a fairness constraint"},
	{"lemma", "net that you take to be 1 always: proved first, then used to prove the others"},
	{"cover", "net that is 1 in some run"},
	{"live", "net that is 1 infinitely often in each infinite run"},
	{"shown", "output that only shows a property to other tools: convert leaves it out"},
}

// maxCompletions bounds an answer; a longer word brings the others.
const maxCompletions = 200

// Complete offers directives and forms at the start of a line, as far as they may stand
// there, kinds of properties behind
// "# prop:", models after .subckt, then the formals that are missing, and nets of
// the model elsewhere.
func (s *syntax) Complete(offset int) design.Completions {
	line := s.file.Text().LineSpan(s.file.Text().LineAt(offset))
	before := s.file.Text().Slice(source.SpanFromTo(line.Start, offset))
	word := before[strings.LastIndexAny(before, " \t")+1:]
	behind := s.file.Text().Slice(source.SpanFromTo(offset, line.End()))
	end := offset
	if i := strings.IndexAny(behind+"\n", " \t\r\n=#"); !strings.HasPrefix(behind[i:], "=") {
		end += i
	}
	c := design.Completions{Span: source.SpanFromTo(offset-len(word), end)}
	fields := strings.Fields(before[:len(before)-len(word)])
	if len(fields) > 0 && strings.HasPrefix(fields[0], "#") {
		return s.completePragma(c, strings.Join(fields, " "), word)
	}
	if len(fields) == 0 && !s.isContinued(line.Start) && (word == "" || isStatementStart(word)) {
		p := s.partAt(line.Start)
		if p == atStart {
			s.completeForms(&c, p, word)
		}
		for _, d := range directives {
			if p.allows(d.part) {
				keyword(&c, d.word, d.help, word)
			}
		}
		if p != atStart {
			s.completeForms(&c, p, word)
		}
		// A list that stayed over the whole word would take the next line break.
		c.Incomplete = true
		if len(c.Items) == 1 && c.Items[0].Insert == word {
			c.Items = nil
		}
		return c
	}
	st := s.file.StatementAt(offset)
	first := source.SpanFromTo(st.Directive.End(), c.Span.Start)
	typed := strings.Fields(strings.ReplaceAll(s.file.Text().Slice(first), "\\\n", " "))
	switch st.Kind {
	case statement.KindModel, statement.KindSearch, statement.KindCname, statement.KindAttr, statement.KindParam, statement.KindText:
		return c
	case statement.KindSubckt:
		if len(typed) == 0 {
			return s.completeModels(c, st)
		}
		if formal, actual, isPin := strings.Cut(word, "="); isPin {
			c.Span = source.SpanFromTo(offset-len(actual), end)
			return s.completeNets(c, st, actual, formal)
		}
		return s.completeFormals(c, st, typed)
	case statement.KindGate, statement.KindMlatch:
		if _, actual, isPin := strings.Cut(word, "="); isPin {
			c.Span = source.SpanFromTo(offset-len(actual), end)
			return s.completeNets(c, st, actual, "")
		}
		return c
	case statement.KindLatch:
		if len(typed) == 2 {
			for _, t := range [...][2]string{{"re", "rising edge"}, {"fe", "falling edge"}, {"ah", "active high"}, {"al", "active low"},
				{"as", "asynchronous"}, {"0", "starts with 0"}, {"1", "starts with 1"}, {"2", "any value"}, {"3", "unknown"}} {
				c.Items = append(c.Items, design.Completion{Kind: design.CompletionKeyword, Label: t[0], Insert: t[0], Filter: t[0], Detail: t[1]})
			}
			return c
		}
	}
	if line.Start > s.headSpan(st.ID).End() {
		return c // a row
	}
	return s.completeNets(c, st, word, "")
}

// isStatementStart reports whether a word can be the beginning of a directive or of
// the name of a form: rows start with other characters, but for those of state tables.
func isStatementStart(word string) bool {
	return word[0] == '.' || 'a' <= word[0] && word[0] <= 'z'
}

// isContinued reports whether the line before ends with a backslash.
func (s *syntax) isContinued(lineStart int) bool {
	return lineStart > 0 && strings.HasSuffix(strings.TrimRight(s.file.Text().Line(s.file.Text().LineAt(lineStart-1)), " \t\r"), `\`)
}

// keyword offers a word that goes on as typed.
func keyword(c *design.Completions, word, help, typed string) {
	if strings.HasPrefix(word, typed) {
		c.Items = append(c.Items, design.Completion{Kind: design.CompletionKeyword, Label: word, Insert: word, Filter: word, Detail: help})
	}
}

func (s *syntax) completePragma(c design.Completions, before, word string) design.Completions {
	rest, isPragma := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(before, "#")), "prop:")
	line, isWord := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(before, "#")), wordline.Prefix)
	switch fields := strings.Fields(rest); {
	case !isPragma && !isWord && before == "#":
		keyword(&c, "prop:", "a property or a constraint", word)
		keyword(&c, wordline.Prefix, "signals that are read as one value: NAME = BITS {VALUE = NUMBER}", word)
	case isWord && strings.Contains(line, "=") && !strings.Contains(line, "{"):
		return s.completeNets(c, s.file.StatementAt(c.Span.Start), word, "")
	case isPragma && len(fields) == 0:
		for _, p := range pragmas {
			keyword(&c, p.word, p.help, word)
		}
	case isPragma:
		return s.completeNets(c, s.file.StatementAt(c.Span.Start), word, "")
	}
	return c
}

// completeModels offers the models of the file, then those of other files: of the
// .search lines and of the folder.
func (s *syntax) completeModels(c design.Completions, st statement.Statement) design.Completions {
	known := map[string]bool{}
	add := func(m *blif.Model, kind design.CompletionKind, lit design.Lit) {
		if !known[m.Name] && len(c.Items) < maxCompletions {
			known[m.Name] = true
			c.Items = append(c.Items, design.Completion{Kind: kind, Label: m.Name, Insert: m.Name, Filter: m.Name, Detail: portList(m), Lit: lit})
		}
	}
	for _, m := range s.file.Models() {
		if m != s.file.ModelAt(st.ID) {
			add(m, design.CompletionLiteral, s.modelSignal(m).Lit())
		}
		known[m.Name] = true
	}
	if s.view == nil {
		return c
	}
	for other := range s.file.Statements(0, s.file.NumStatements()) {
		if other.Kind != statement.KindSearch {
			continue
		}
		for _, w := range s.file.Arguments(other.ID) {
			if f := s.view.Search(s.file.Text().Slice(w)); f != nil {
				for _, m := range f.Models() {
					add(m, design.CompletionName, 0)
				}
			}
		}
	}
	for _, m := range s.view.Models() {
		add(m, design.CompletionName, 0)
	}
	return c
}

// completeFormals offers the ports of a model that the instance does not join
// yet, inputs first.
func (s *syntax) completeFormals(c design.Completions, st statement.Statement, typed []string) design.Completions {
	m := s.file.Instance(st.ID)
	if m == nil {
		return c
	}
	taken := map[string]bool{}
	for i, span := range s.file.Arguments(st.ID) {
		if i%2 == 1 && !span.Contains(c.Span.End()) { // model, then pairs
			taken[s.file.Text().Slice(span)] = true
		}
	}
	for _, port := range [...]struct {
		names  []string
		detail string
	}{{m.Inputs(), "input of " + m.Name}, {m.Outputs(), "output of " + m.Name}} {
		for _, name := range port.names {
			if !taken[name] && len(c.Items) < maxCompletions {
				c.Items = append(c.Items, design.Completion{Kind: design.CompletionName, Label: name + "=", Insert: name + "=", Filter: name, Detail: port.detail})
			}
		}
	}
	return c
}

// completeNets offers the nets of the model, those first that start with the word
// and the one that is called like the formal before all.
func (s *syntax) completeNets(c design.Completions, st statement.Statement, word, formal string) design.Completions {
	m := s.file.ModelAt(st.ID)
	if m == nil {
		return c
	}
	from, to := m.Signals()
	var names []design.Completion
	for v := from; v < to; v++ {
		name := s.file.Name(v)
		if !strings.Contains(name, word) || name == word && s.file.CountUses(v) <= 1 {
			continue
		}
		d, ok := s.driver(design.Signal(v))
		if !ok && s.file.CountUses(v) == 0 {
			continue // a name of an earlier version
		}
		names = append(names, design.Completion{Kind: design.CompletionLiteral, Label: name, Insert: name, Filter: name, Detail: d.kind.String(), Lit: design.Signal(v).Lit()})
		if len(names) > 50*maxCompletions {
			break
		}
	}
	slices.SortStableFunc(names, func(a, b design.Completion) int {
		rank := func(c design.Completion) int {
			switch {
			case c.Label == formal:
				return 0
			case strings.HasPrefix(c.Label, word):
				return 1
			}
			return 2
		}
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a.Label, b.Label)
	})
	c.Incomplete = len(names) > maxCompletions
	c.Items = append(c.Items, names[:min(len(names), maxCompletions)]...)
	return c
}

func portList(m *blif.Model) string {
	return fmt.Sprintf("model (%s) → (%s)", strings.Join(m.Inputs(), ", "), strings.Join(m.Outputs(), ", "))
}
