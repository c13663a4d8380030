package syntax

import (
	"strconv"
	"strings"

	"aiglens/internal/findings"
	"aiglens/internal/nearest"
	"aiglens/internal/source"
)

// wholeText looks at what concerns the text as a whole. It reports whether its rows are worth a look.
func (r *finder) wholeText() bool {
	text := r.f.text
	if r.f.NumRows() == 0 {
		r.structural = r.list.Add(codeEmptyFile, source.Span{}, "a row such as 1 sort bitvec 8 is expected, found none")
		r.structural.AddFix("Insert a counter to start from", source.Edit{Span: source.Span{}, NewText: starter})
		return false
	}
	start, _ := text.Run(0)
	if what := findings.WhatIsIt(start); what.Name != "" && what.Name != "BTOR2" {
		r.structural = r.list.Add(CodeOtherFormat, source.Span{Start: what.Start, Length: what.Length}, "%s", what.Not("BTOR2"))
		return false
	}
	if text.NumLines() == 1 && text.HasCarriage() {
		d := r.list.Add(CodeCRLines, text.Character(strings.IndexByte(start, '\r')), "lines end in CR alone, so that the whole text is one line: LF is expected")
		d.Fixes = []source.Fix{{Title: "Write LF line ends", Preferred: true, Later: func() []source.Edit { return replaced(text, "\r", "\n") }}}
		r.structural = d
		return false
	}
	for k, c := range r.f.chunks {
		if c.carriage >= 0 {
			end := text.LineSpan(r.f.lines[k] + c.carriage).End()
			// An editor has no place between CR and LF.
			d := r.list.Add(codeCRLF, source.SpanFromTo(end-1, min(end+1, text.Len())), "a line ends in CR LF, and LF alone is expected; Btor2Tools refuses the file")
			d.Fixes = []source.Fix{{Title: "Write LF line ends", Preferred: true, Later: func() []source.Edit { return replaced(text, "\r\n", "\n") }}}
			break
		}
	}
	if last := text.Len() - 1; text.Byte(last) != '\n' {
		d := r.list.Add(codeFinalNewline, text.LineSpan(text.NumLines()-1), "the last line has no line end; Btor2Tools refuses the file")
		d.Span = text.Character(last)
		d.AddPreferredFix("Add the line end", source.Edit{Span: source.Span{Start: last + 1}, NewText: "\n"})
	}
	return true
}

// starter is a file to start from.
var starter = strings.Join([]string{"1 sort bitvec 1", "2 sort bitvec 8", "3 zero 2", "4 one 2", "5 state 2 count", "6 init 2 5 3",
	"7 add 2 5 4", "8 next 2 5 7", "9 ones 2", "10 eq 1 5 9", "11 bad 10", ""}, "\n")

// replaced returns the edits that put a piece of text in the place of another one, wherever that occurs.
func replaced(text source.Text, from, to string) (edits []source.Edit) {
	content := text.Content()
	for at := strings.Index(content, from); at >= 0; {
		edits = append(edits, source.Edit{Span: source.Span{Start: at, Length: len(from)}, NewText: to})
		next := strings.Index(content[at+len(from):], from)
		if next < 0 {
			break
		}
		at += len(from) + next
	}
	return edits
}

// writing says what is wrong with the words of the row.
func (r *finder) writing() {
	if r.row.odd&oddAside != 0 {
		reportAside(r)
		return
	}
	s := r.rescan()
	if s.odd&(oddBlanks|oddTab|oddComment) != 0 {
		r.gaps(s)
	}
	if s.odd&oddID != 0 {
		r.oddNumber(s)
	}
	if s.odd&oddTag != 0 {
		r.oddTag(s)
		if s.op == NoOp {
			return
		}
	}
	if s.odd&oddWord != 0 {
		r.oddWords(s)
	}
	if s.odd&oddMissing != 0 {
		r.missing(s)
	}
	r.afterRow(s)
}

// gaps says where other white space stands than one blank.
func (r *finder) gaps(s *scan) {
	line, at, begun := s.line, 0, false
	for at < len(line) {
		from := at
		for at < len(line) && isBlank(line[at]) {
			at++
		}
		gap := line[from:at]
		if at == len(line) {
			gap = strings.TrimSuffix(gap, "\r")
		}
		r.gap(word{from, from + len(gap)}, gap, begun, at == len(line))
		if at == len(line) || line[at] == ';' {
			return
		}
		for at < len(line) && !isBlank(line[at]) && !(at == s.comment) {
			at++
		}
		begun = true
		if at == s.comment && at < len(line) {
			d := r.wrong(codeCommentJoined, whole, "a blank is expected before a comment")
			if d != nil {
				d.Span = source.Span{Start: r.start + at, Length: 1}
				d.AddPreferredFix("Insert a blank", source.Edit{Span: source.Span{Start: r.start + at}, NewText: " "})
			}
			return
		}
	}
}

// gap says what is wrong with the white space between two words.
func (r *finder) gap(w word, gap string, begun, atEnd bool) {
	var d *source.Diagnostic
	fixed := " "
	switch {
	case strings.Contains(gap, "\t"):
		d = r.wrong(codeTab, whole, "a blank is expected, found a tab")
	case !begun && !strings.Contains(gap, "\r"), gap == " " && !atEnd, gap == "":
		return
	case atEnd:
		d = r.wrong(codeTrailingSpace, whole, "a blank at the end of a row starts a symbol, and none follows")
	default:
		d = r.wrong(codeExtraSpace, whole, "one blank is expected between two words, found %d", len(gap))
	}
	if !begun || atEnd {
		fixed = ""
	}
	if d != nil {
		d.Span = w.at(r.start)
		d.AddPreferredFix(map[bool]string{true: "Delete it", false: "Write one blank"}[fixed == ""], source.Edit{Span: d.Span, NewText: fixed})
	}
}

// oddNumber says what is wrong with the number of the row.
func (r *finder) oddNumber(s *scan) {
	id := s.id.in(s.line)
	digits := strings.TrimLeft(id, "0")
	switch {
	case strings.HasPrefix(id, byteOrderMark) && s.number > 0:
		d := r.wrong(codeByteOrderMark, idPlace, "the row starts with a byte order mark, and no reader of BTOR2 expects one")
		if d != nil {
			d.Span.Length = len(byteOrderMark)
			d.AddPreferredFix("Delete it", source.Edit{Span: d.Span})
		}
	case id == "":
		d := r.wrong(CodeIDMissing, tagPlace, "a row starts with its number, found %s", findings.Quote(s.tag.in(s.line)))
		if d != nil {
			if free, ok := r.freeID(); ok {
				d.AddFix("Give it the number "+free, source.Edit{Span: source.Span{Start: d.Span.Start}, NewText: free + " "})
			}
		}
	case digits == "":
		d := r.wrong(codeIDZero, idPlace, "numbers of rows start with 1, found %s", id)
		if d != nil {
			if free, ok := r.freeID(); ok {
				d.AddFix("Give it the number "+free, source.Edit{Span: d.Span, NewText: free})
			}
		}
	case strings.Trim(digits, "0123456789") == "" && number(digits, maxID) < 0:
		r.wrong(codeNumberTooLarge, idPlace, "numbers of rows are below 2^40, found %s", findings.Quote(id))
	case s.number > 0:
		r.leadingZero(idPlace, digits)
	default:
		r.wrong(codeIDNotNumber, idPlace, "a row starts with its number, found %s", findings.Quote(id))
	}
}

// freeID returns a number between that of the row before and that of the row after, as digits.
func (r *finder) freeID() (string, bool) {
	next := r.top + 2
	if after := r.f.numberedFrom(r.n + 1); after < r.f.NumRows() {
		next = r.idOf(after)
	}
	return strconv.FormatInt(r.top+1, 10), r.top+1 < next && r.top+1 <= maxID
}

// leadingZero notes a number that starts with 0.
func (r *finder) leadingZero(place int, digits string) {
	if d := r.wrong(codeLeadingZero, place, "a number does not start with 0; Btor2Tools refuses the file"); d != nil {
		d.AddPreferredFix("Write "+digits, source.Edit{Span: d.Span, NewText: digits})
	}
}

// oddTag says what is wrong with the tag.
func (r *finder) oddTag(s *scan) {
	tag := s.tag.in(s.line)
	if tag == "" {
		r.wrong(codeTagMissing, idPlace, "a tag such as state or and is expected after the number of the row, found nothing")
		return
	}
	if s.op != NoOp {
		if d := r.wrong(codeTagCase, tagPlace, "tags are written in small letters, found %s", tag); d != nil {
			d.AddPreferredFix("Write "+s.op.String(), source.Edit{Span: d.Span, NewText: s.op.String()})
		}
		return
	}
	if why, ok := btor1[tag]; ok {
		r.wrong(codeUnknownTag, tagPlace, "%s is a tag of BTOR, the format before BTOR2; %s", tag, why)
		return
	}
	near := nearest.Near(lower(tag), tags)
	if near == "" {
		r.wrong(codeUnknownTag, tagPlace, "no tag of BTOR2 is called %s", findings.Quote(tag))
		return
	}
	if d := r.wrong(codeUnknownTag, tagPlace, "no tag of BTOR2 is called %s; did you mean %s?", findings.Quote(tag), near); d != nil {
		d.AddFix("Write "+near, source.Edit{Span: d.Span, NewText: near})
	}
}

// tags are the tags of BTOR2; those that go before others which are as near stand first.
var tags = func() []string {
	all := []string{"state", "next", "init", "input", "and", "or", "eq", "add", "sub"}
	for _, name := range opNames {
		if name != "" && OpOf(name) != NoOp {
			all = append(all, name)
		}
	}
	return all
}()

// btor1 are tags that only the older format has, and what BTOR2 has in their place.
var btor1 = map[string]string{
	"var": "write input, or state for a constant that is not known", "root": "write bad or constraint",
	"array": "write state with the sort of an array", "anext": "write next", "cond": "write ite", "acond": "write ite",
	"ulteq": "write ulte", "nego": "there is no such operator", "proxy": "write uext with 0 bits",
}

// oddWords says which words are not what the row needs there.
func (r *finder) oddWords(s *scan) {
	if s.op == SortRow && s.needed == 0 {
		kind := s.words[0].in(s.line)
		near := nearest.Near(lower(kind), []string{"bitvec", "array"})
		d := r.wrong(codeSortKind, -1, "bitvec or array is expected, found %s", findings.Quote(kind))
		if d != nil {
			d.Span = s.words[0].at(r.start)
			if near != "" {
				d.AddFix("Write "+near, source.Edit{Span: d.Span, NewText: near})
			}
		}
		return
	}
	for arg, n := range s.args {
		at := s.spanOf(arg)
		w := at.in(s.line)
		plain := strings.TrimPrefix(w, "-")
		digits := strings.TrimLeft(plain, "0")
		isDigits := s.op.hasDigits() && arg == 1
		switch {
		case n == 0 && len(w) > 1:
			r.leadingZero(arg, "0")
		case n != notNumber && !isDigits && len(plain) > 1 && plain[0] == '0':
			r.leadingZero(arg, w[:len(w)-len(plain)]+digits)
		case n != notNumber:
		case isDigits:
			r.oddDigits(arg, w)
		case plain != "" && strings.Trim(plain, "0123456789") == "" && digits != "":
			what := "numbers of rows are below 2^40"
			if r.isPlain(s, arg) {
				what = plainName(s.op) + " below 2^31"
			}
			r.wrong(codeNumberTooLarge, arg, "%s, found %s", what, findings.Quote(w))
		default:
			what := "the number of a row"
			if r.isPlain(s, arg) {
				what = "a number"
			}
			r.wrong(codeNotNumber, arg, "%s is expected, found %s", what, findings.Quote(w))
		}
	}
}

// isPlain reports whether an argument is no number of a row.
func (r *finder) isPlain(s *scan, arg int) bool {
	switch {
	case s.op == SortRow:
		return !s.array
	case s.op == Justice:
		return arg == 0
	}
	return s.op.IsOperator() && arg > s.op.Operands()
}

// plainName says what the numbers of a row are that are no numbers of rows, with the verb.
func plainName(op Op) string {
	switch op {
	case Justice:
		return "the number of conditions is"
	case Slice:
		return "the bits of a slice are"
	case Uext, Sext:
		return "the number of new bits is"
	}
	return "a width is"
}

// oddDigits says what is wrong with the digits of a constant, and offers the tag that they suit.
func (r *finder) oddDigits(arg int, w string) {
	what := map[Op]string{Const: "binary digits are", Constd: "a decimal number is", Consth: "hexadecimal digits are"}[r.row.op]
	d := r.wrong(codeConstDigits, arg, "%s expected, found %s", what, findings.Quote(w))
	if d == nil {
		return
	}
	for _, op := range []Op{Constd, Consth} {
		if r.refs[0] != NoRef && suits(op, w) && leastWidth(op, w) <= int64(r.rows[r.refs[0].Node()].sort.width) {
			d.AddFix("Write "+op.String(), source.Edit{Span: r.span(tagPlace), NewText: op.String()})
		}
	}
}

// missing says that the row ends too early.
func (r *finder) missing(s *scan) {
	if s.op == Justice && len(s.args) > 1 {
		d := r.wrong(codeJusticeCount, 0, "%s are announced, found %d", findings.Count(int(s.args[0]), "condition", "conditions"), len(s.args)-1)
		if d != nil {
			d.AddFix("Write "+strconv.Itoa(len(s.args)-1), source.Edit{Span: d.Span, NewText: strconv.Itoa(len(s.args) - 1)})
		}
		return
	}
	if d := r.wrong(codeOperandMissing, whole, "%s is expected after %s: %s", s.expects(len(s.args)), s.lastWord(), s.op.Form()); d != nil {
		last := s.tag
		if n := len(s.words); n > 0 {
			last = s.words[n-1]
		}
		d.Span = last.at(r.start)
	}
}

// expects names an argument.
func (s *scan) expects(arg int) string {
	switch {
	case s.op == SortRow && len(s.words) == 0:
		return "bitvec or array"
	case s.op == SortRow && !s.array:
		return "a width"
	case s.op == SortRow, s.op.HasSort() && arg == 0:
		return "a sort"
	case s.op == Justice && arg == 0:
		return "the number of conditions"
	case s.op.hasDigits():
		return "a number"
	case s.op.HasSort() && arg > s.op.Operands():
		return "a number"
	}
	return "an operand"
}

func (s *scan) lastWord() string {
	if n := len(s.words); n > 0 {
		return s.words[n-1].in(s.line)
	}
	return s.tag.in(s.line)
}

// afterRow looks at the symbol and what follows it.
func (r *finder) afterRow(s *scan) {
	if len(s.surplus) > 0 && s.odd&oddSymbol == 0 {
		first, last := s.surplus[0], s.surplus[len(s.surplus)-1]
		d := r.wrong(codeSymbolBlank, whole, "a symbol is one word, and a comment starts with a semicolon, found %s after it", findings.Quote(first.in(s.line)))
		if d != nil {
			d.Span = word{first.from, last.to}.at(r.start)
			d.AddFix("Make it a comment", source.Edit{Span: source.Span{Start: d.Span.Start}, NewText: "; "})
			joined := s.symbol.in(s.line)
			for _, w := range s.surplus {
				joined += "_" + w.in(s.line)
			}
			d.AddFix("Join the words", source.Edit{Span: word{s.symbol.from, last.to}.at(r.start), NewText: joined})
		}
		return
	}
	if s.odd&oddSymbol == 0 {
		return
	}
	if s.op == Justice && len(s.args) > 0 && s.odd&oddMissing == 0 {
		r.moreConditions(s)
		return
	}
	if len(s.surplus) == 0 { // some writers name nodes with numbers
		id := number(strings.TrimPrefix(s.symbol.in(s.line), "-"), maxID)
		if _, ok := r.ids.find(id); !ok {
			return
		}
	}
	code, message := codeSymbolNumber, "this is read as the symbol of the row: %s"
	if len(s.surplus) > 0 {
		code, message = codeOperandSurplus, "the row has too many operands: %s"
	}
	if d := r.wrong(code, symPlace, message, s.op.Form()); d != nil {
		end := s.symbol.to
		if n := len(s.surplus); n > 0 {
			end = s.surplus[n-1].to
		}
		d.Span = word{s.symbol.from, end}.at(r.start)
		d.AddFix("Delete it", source.Edit{Span: word{s.symbol.from - 1, end}.at(r.start)})
	}
}

// moreConditions says that more conditions follow than are announced; nothing where the number of them is malformed.
func (r *finder) moreConditions(s *scan) {
	if s.args[0] == notNumber {
		return
	}
	n := len(s.args) + len(s.surplus) // with the symbol, without the number
	if d := r.wrong(codeJusticeCount, 0, "%s announced, found %d", findings.Count(len(s.args)-1, "condition is", "conditions are"), n); d != nil {
		d.AddFix("Write "+strconv.Itoa(n), source.Edit{Span: d.Span, NewText: strconv.Itoa(n)})
	}
}

// number checks the number of the row against those before.
func (r *resolver) number() {
	id := r.row.id
	if id == 0 {
		return
	}
	if id > r.top {
		r.top = id
		return
	}
	if first, _ := r.ids.find(id); first != r.n {
		d := r.wrong(codeIDRepeated, idPlace, "row %d is there already", id)
		r.spoil(first)
		if d != nil {
			d.Relate(r.idSpan(first), "%d is defined here", id)
			if free, ok := r.freeID(); ok {
				d.AddFix("Give it the number "+free, source.Edit{Span: d.Span, NewText: free})
			}
		}
		return
	}
	if d := r.wrong(codeIDOrder, idPlace, "numbers of rows increase, found %d after %d; Btor2Tools refuses the file", id, r.top); d != nil {
		d.Fixes = []source.Fix{{Title: "Number all rows again", Later: func() []source.Edit { edits, _ := r.f.Renumber(); return edits }}}
	}
}

// symbol checks that no other row has the symbol.
func (r *resolver) symbol() {
	first := r.symbols.add(r.n, r.row.name)
	if first < 0 {
		return
	}
	r.loud = true
	if r.list.IsFull(codeSymbolRepeated) {
		r.wrong(codeSymbolRepeated, symPlace, "")
		return
	}
	s, start := r.f.scan(first)
	name := r.rescan().symbol.in(r.written.line)
	if s.symbol.in(s.line) != name {
		return
	}
	if d := r.wrong(codeSymbolRepeated, symPlace, "the symbol %s is that of row %d as well; btormc aborts at some such files", findings.Quote(name), r.idOf(first)); d != nil {
		d.Relate(s.symbol.at(start), "the symbol of row %d", r.idOf(first))
		d.AddFix("Delete it", source.Edit{Span: source.Span{Start: d.Span.Start - 1, Length: d.Span.Length + 1}})
	}
}

// Renumber returns the edits that number all rows from 1 on; ok is false when it is not clear which rows are meant.
func (f *File) Renumber() (edits []source.Edit, ok bool) {
	ids, last := make([]int64, f.NumRows()), int64(0)
	for row := range ids {
		if f.rowAt(row).op.IsAside() {
			continue
		}
		if first, ok := f.NodeOf(f.idAt(row)); !ok || first != row {
			return nil, false
		}
		last++
		ids[row] = last
	}
	for o := range f.OccurrencesIn(source.Span{Length: f.text.Len()}) {
		if o.Role == RoleSymbol {
			continue
		}
		of, ok := f.TargetOf(o)
		if !ok {
			return nil, false
		}
		edits = append(edits, f.Numbered(o, ids[of])...)
	}
	return edits, true
}
