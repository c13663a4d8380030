package syntax

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// newSymbolTable returns the table of the lines from first on, without any.
func newSymbolTable(text source.Text, first, base int) symbolTable {
	return symbolTable{text: text, base: base, first: first, commentLine: -1}
}

// lineEdit says that the lines lo to newHi of a text stand for the lines lo to
// oldHi of the one before, the upper ends excluded.
type lineEdit struct{ lo, oldHi, newHi int }

// oldLine returns where a line stood before; ok is false for a line that was
// edited.
func (e lineEdit) oldLine(line int) (old int, ok bool) {
	switch {
	case line < e.lo:
		return line, true
	case line >= e.newHi:
		return line - e.newHi + e.oldHi, true
	}
	return 0, false
}

// read lexes the lines from first on, up to the comment or the end. It takes
// those that an edit has left alone from the table old, unless that is nil.
func (t *symbolTable) read(old *symbolTable, e lineEdit) {
	end := t.text.NumLines()
	if t.text.LineSpan(end-1).Length == 0 {
		end--
	}
	room := func(n int) { // for as many lines as before
		if old != nil && cap(t.lines)-len(t.lines) < n {
			t.lines = slices.Grow(t.lines, n+max(0, len(old.lines)-len(t.lines)))
		}
	}
	for line := t.first; line < end; {
		if run := t.known(line, old, e); len(t.lines) == 0 && len(run) > 0 {
			t.lines = run[:len(run):len(run)]
			line += len(run)
			continue
		} else if len(run) > 0 {
			room(len(run))
			t.lines = append(t.lines, run...)
			line += len(run)
			continue
		}
		for _, content := range t.text.LinesFrom(line) {
			if class := classify(content); class == lineComment || content[:min(len(content), 1)] == "c" && class != lineSymbol {
				t.commentLine = line
				return
			}
			room(1)
			t.lines = append(t.lines, lexSymbol(content))
			if line++; line == end || old != nil {
				break
			}
		}
	}
}

// known returns the lines of old from line on that need not be lexed again.
func (t *symbolTable) known(line int, old *symbolTable, e lineEdit) []symbolLine {
	if old == nil {
		return nil
	}
	from, ok := e.oldLine(line)
	if !ok || from < old.first {
		return nil
	}
	lines := old.lines[len(old.stray):]
	run := lines[min(from-old.first, len(lines)):]
	if line < e.lo {
		run = run[:min(len(run), e.lo-line)]
	}
	return run
}

// resolve finds the elements that the lines name, given the number of elements
// by section, and what is wrong with the lines.
func (t *symbolTable) resolve(sizes counts) {
	names := newNameSet(t, len(t.lines))
	for place := range t.lines {
		s := &t.lines[place]
		if s.isGap() {
			t.gaps = append(t.gaps, uint32(place))
		}
		if s.names(sizes) {
			t.enter(place, sizes[s.kind])
		}
		t.checkLine(place, sizes, names)
	}
}

// isGap reports whether the line is blank or ends in CR LF.
func (s *symbolLine) isGap() bool { return s.hasCR || s.state == symbolBlank }

// names reports whether the line names an element that exists.
func (s *symbolLine) names(sizes counts) bool {
	return (s.state == symbolSound || s.state == symbolEmptyName) && int(s.index) < sizes[s.kind]
}

// checkLine adds what is wrong with a line, given what names the elements and the
// names of the lines before.
func (t *symbolTable) checkLine(place int, sizes counts, names *nameSet) {
	s := &t.lines[place]
	switch {
	case s.state == symbolBlank:
		return
	case !s.state.isSymbol():
		t.issue(place, 0, codeOfSymbol[s.state])
		return
	case s.state == symbolEmptyName:
		t.issue(place, 0, CodeSymbolEmptyName)
	}
	if !s.names(sizes) {
		t.issue(place, 0, CodeSymbolOutOfRange)
		return
	}
	if first, _ := t.find(s.kind, int(s.index)); first != place {
		t.issue(place, first, CodeSymbolTwice)
		return
	}
	if s.hasNUL {
		t.issue(place, 0, CodeSymbolNUL)
		return
	}
	if s.state != symbolEmptyName {
		if other, isRepeated := names.add(place); isRepeated {
			t.issue(place, other, CodeSymbolDuplicateName)
		}
	}
}

// codeOfSymbol gives the codes of lines that name nothing.
var codeOfSymbol = [...]source.Code{
	symbolRow: codeRowMisplaced, symbolNoKind: codeSymbolKind, symbolNoIndex: codeSymbolSyntax,
	symbolNoName: codeSymbolNoName, symbolNoSpace: codeSymbolSyntax,
}

func (t *symbolTable) issue(place, other int, code source.Code) {
	t.issues = append(t.issues, symbolIssue{uint32(place), uint32(other), code})
}

// enter makes a line the name of its element unless an earlier line is.
func (t *symbolTable) enter(place, size int) {
	s := &t.lines[place]
	list := &t.byElement[s.kind]
	if *list == nil {
		*list = make([]uint32, 0, min(size, len(t.lines)))
	}
	for len(*list) <= int(s.index) {
		*list = append(*list, 0)
	}
	if at := &(*list)[s.index]; *at == 0 {
		*at = uint32(place) + 1
	}
}

// nameSet finds names that were seen before: a hash table with linear probing.
type nameSet struct {
	table *symbolTable
	slots []uint32 // 1 + place, or 0; at least twice as many as names
}

func newNameSet(t *symbolTable, lines int) *nameSet {
	n := 16
	for n < 2*lines {
		n *= 2
	}
	return &nameSet{t, make([]uint32, n)}
}

// add adds the name of a line. If it is there already it returns the first
// line that has it.
func (n *nameSet) add(place int) (first int, isRepeated bool) {
	s := &n.table.lines[place]
	for i := int(s.hash); ; i++ {
		slot := &n.slots[i&(len(n.slots)-1)]
		if *slot == 0 {
			*slot = uint32(place) + 1
			return 0, false
		}
		other := int(*slot) - 1
		o := &n.table.lines[other]
		if o.hash == s.hash && o.nameSpace() == s.nameSpace() && n.table.name(other) == n.table.name(place) {
			return other, true
		}
	}
}

// readSymbols reads what follows the rows, and symbols that stand among them.
func (p *parser) readSymbols(old *File, e lineEdit) {
	f := p.file
	f.symbols = newSymbolTable(f.text, f.end, 0)
	t := &f.symbols
	for _, l := range f.stray {
		if line := f.text.Line(int(l)); classify(line) == lineSymbol {
			t.stray = append(t.stray, int(l))
			t.lines = append(t.lines, lexSymbol(line))
		}
	}
	var before *symbolTable
	if old != nil {
		before = &old.symbols
	}
	t.read(before, e)
	if before == nil || !t.update(before, e, f.counts, old.counts) {
		t.resolve(f.counts)
	}
	t.report(&p.List, f.counts)
}

// endsRows reports whether it is known that no row stands after the body.
func (t *symbolTable) endsRows() bool {
	if t.commentLine >= 0 && classify(t.text.Line(t.commentLine)) != lineComment {
		return false // the comment may go on to look like symbols and rows
	}
	return !slices.ContainsFunc(t.issues, func(i symbolIssue) bool { return i.code == codeRowMisplaced })
}

// staysWithoutRows reports whether it is known that an edit puts no row between
// the body and the comment, when there was none before.
func (t *symbolTable) staysWithoutRows(text source.Text, e lineEdit) bool {
	if t.commentLine >= 0 && t.commentLine < e.oldHi {
		return e.lo > t.commentLine
	}
	for line, content := range text.LinesFrom(e.lo) {
		if line >= e.newHi {
			break
		}
		if classify(content) == lineRow {
			return false
		}
	}
	return true
}

// report turns the issues into diagnostics.
func (t *symbolTable) report(d *findings.List, sizes counts) {
	for _, issue := range t.issues {
		t.reportIssue(d, issue, sizes)
	}
	if t.commentLine < 0 {
		return
	}
	line, at := t.text.Line(t.commentLine), t.base+t.commentAt()
	if classify(line) == lineComment {
		return
	}
	rest := source.SpanFromTo(at+1, at+len(line))
	diag := d.Add(codeCommentStart, rest, "expected the comment section to start with a line that holds just c, found %s after it", findings.Quote(strings.TrimSpace(line[1:])))
	end := 1
	for end < len(line) && line[end] == ' ' {
		end++
	}
	diag.AddPreferredFix("Put the text on a line of its own", source.Edit{Span: source.SpanFromTo(at+1, at+end), NewText: "\n"})
}

func (t *symbolTable) reportIssue(d *findings.List, issue symbolIssue, sizes counts) {
	s := &t.lines[issue.place]
	line, start := t.lineText(int(issue.place))
	at := func(from, to int) source.Span { return source.SpanFromTo(start+from, start+to) }
	digits := max(1, t.text.Character(start).Length)
	for digits < len(line) && isDigit(line[digits]) {
		digits++
	}
	switch issue.code {
	case codeRowMisplaced:
		d.Add(issue.code, at(0, len(line)), "expected a symbol or a comment line, found the row %s", findings.Quote(line))
	case codeSymbolKind:
		d.Add(issue.code, at(0, max(1, min(digits, len(line)))), "expected a symbol that starts with one of i l o b c j f, found %s", findings.Quote(line))
	case codeSymbolSyntax:
		reportSymbolSyntax(d, s.state, line, digits, at)
	case codeSymbolNoName:
		diag := d.Add(issue.code, at(digits, digits), "expected a space and a name after %s, found the end of the line", line)
		t.fixDelete(diag, int(issue.place), true)
	case CodeSymbolEmptyName:
		diag := d.Add(issue.code, at(len(line), len(line)), "expected a name after %s, found none", line[:digits])
		t.fixDelete(diag, int(issue.place), true)
	case CodeSymbolOutOfRange:
		t.reportRange(d, issue, line, digits, sizes)
	case CodeSymbolTwice:
		diag := d.Add(issue.code, at(0, len(line)), "%s %d already has a name", s.kind.One(), s.index)
		other, otherAt := t.lineText(int(issue.other))
		diag.Relate(source.Span{Start: otherAt, Length: len(other)}, "first name")
		t.fixDelete(diag, int(issue.place), false)
	case CodeSymbolNUL:
		first := strings.IndexByte(line, 0)
		diag := d.Add(issue.code, at(first, first+1), "a NUL byte in the name of %s %d, at which programs written in C end it: delete it", s.kind.One(), s.index)
		var edits []source.Edit
		for i := first; i < len(line); i++ {
			if line[i] == 0 {
				edits = append(edits, source.Edit{Span: at(i, i+1)})
			}
		}
		diag.AddPreferredFix("Delete it from the name", edits...)
	case CodeSymbolDuplicateName:
		first := t.symbol(int(issue.other))
		name := at(int(s.name), len(line))
		diag := d.Add(issue.code, name, "%s %d has the same name, %s: other tools refuse that",
			first.Kind.One(), first.Index, findings.Quote(first.Name))
		diag.Relate(first.NameSpan, "%s %d", first.Kind.One(), first.Index)
		diag.AddFix("Append the position to the name", source.Edit{Span: source.Span{Start: name.End()}, NewText: fmt.Sprintf("_%d", s.index)})
	}
}

func reportSymbolSyntax(d *findings.List, state symbolState, line string, digits int, at func(from, to int) source.Span) {
	if state == symbolNoSpace {
		d.Add(codeSymbolSyntax, at(digits, len(line)), "expected one space and a name after %s, found %s", line[:digits], findings.Quote(line[digits:]))
		return
	}
	spaces := 1
	for spaces < len(line) && line[spaces] == ' ' {
		spaces++
	}
	if spaces > 1 && spaces < len(line) && isDigit(line[spaces]) {
		diag := d.Add(codeSymbolSyntax, at(1, spaces), "expected the position directly after %c, found a space", line[0])
		diag.AddPreferredFix("Delete the space", source.Edit{Span: at(1, spaces)})
		return
	}
	d.Add(codeSymbolSyntax, at(0, len(line)), "expected a symbol: %c, a position, one space, a name; found %s", line[0], findings.Quote(line))
}

func (t *symbolTable) reportRange(d *findings.List, issue symbolIssue, line string, digits int, sizes counts) {
	s := &t.lines[issue.place]
	_, start := t.lineText(int(issue.place))
	span := source.SpanFromTo(start+1, start+digits)
	if sizes[s.kind] == 0 { // the kind is wrong, not the position
		span = source.SpanFromTo(start, start+digits)
	}
	diag := d.Add(issue.code, span, "there is no %s %s: the file has %s", s.kind.One(), line[1:digits], s.kind.Count(sizes[s.kind]))
	if s.kind == SectionBads && int(s.index) < sizes[SectionOutputs] {
		diag.AddPreferredFix("Name the output instead", source.Edit{Span: source.Span{Start: start, Length: 1}, NewText: "o"})
	}
	t.fixDelete(diag, int(issue.place), false)
}

func (t *symbolTable) fixDelete(diag *source.Diagnostic, place int, preferred bool) {
	l := t.lineOf(place)
	diag.Fixes = append(diag.Fixes, source.Fix{Title: "Delete the line", Preferred: preferred, Edits: []source.Edit{{Span: source.SpanFromTo(t.base+t.text.LineStart(l), t.base+t.text.LineStart(l+1))}}})
}
