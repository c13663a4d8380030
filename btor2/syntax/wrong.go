package syntax

import (
	"slices"
	"strconv"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// Places of a row beside its arguments.
const (
	whole    = -1 // from its number to its symbol
	tagPlace = -2
	idPlace  = -3
	symPlace = -4
)

// at goes to a row.
func (r *finder) at(row int) {
	k, i := r.f.placeOf(row)
	r.n, r.chunk, r.row = row, r.f.chunks[k], &r.f.chunks[k].rows[i]
	r.args, r.refs = r.chunk.argsOf(i), r.f.refsOf(r.resolution, row)
}

// wrong notes something about the row. The result is nil when it is not kept, since there is too much of the kind.
func (r *finder) wrong(code source.Code, place int, format string, values ...any) *source.Diagnostic {
	span := source.Span{}
	full := r.list.IsFull(code)
	if !full {
		span = r.span(place)
	}
	d := r.list.Add(code, span, format, values...)
	r.loud = true
	if Catalogue.Reach(code) != findings.ReachNone {
		kept := r.list.StandIn(code, d)
		r.now.sound = false
		if r.faults[r.n] == nil {
			r.faults[r.n] = kept
		}
		if r.structural == nil && Catalogue.Reach(code) == findings.ReachFile {
			r.structural = kept
		}
	}
	if full {
		return nil
	}
	return d
}

// rescan takes the row apart again.
func (r *finder) rescan() *scan {
	if r.writtenOf != r.n {
		line := r.f.LineOf(r.n)
		r.written.read(r.f.text.Line(line))
		r.start, r.writtenOf = r.f.text.LineStart(line), r.n
	}
	return &r.written
}

// span returns the span of an argument of the row, or of another place in it.
func (r *finder) span(place int) source.Span {
	s := r.rescan()
	return s.spanOf(place).at(r.start)
}

// spanOf returns where an argument stands, or what another place names.
func (s *scan) spanOf(place int) word {
	if place >= 0 && s.op == SortRow {
		place++
	}
	switch {
	case place >= len(s.words):
		return word{s.end(), s.end()}
	case place >= 0:
		return s.words[place]
	case place == tagPlace:
		return s.tag
	case place == idPlace:
		return s.id
	case place == symPlace:
		return s.symbol
	}
	return word{s.id.from, s.end()}
}

// end returns where the row ends, before a comment.
func (s *scan) end() int {
	last := max(s.id.to, s.tag.to, s.symbol.to, s.label.to)
	for _, w := range s.words {
		last = max(last, w.to)
	}
	for _, w := range s.surplus {
		last = max(last, w.to)
	}
	return last
}

// idOf returns the number of a row.
func (r *finder) idOf(row int) int64 { return r.f.idAt(row) }

// idSpan returns where the number of a row stands.
func (r *finder) idSpan(row int) source.Span {
	s, start := r.f.scan(row)
	return s.id.at(start)
}

// relateArg adds the place that defines an argument.
func (r *finder) relateArg(d *source.Diagnostic, arg int) {
	if arg < len(r.refs) && r.refs[arg] != NoRef {
		node := r.refs[arg].Node()
		d.Relate(r.idSpan(node), "%d has %s", r.idOf(node), r.rows[node].sort.sort())
	}
}

// offerSorts adds fixes that put a sort of some bits at an argument: the first row before that defines it. Where
// the width is not known, each of few sorts is offered.
func (r *finder) offerSorts(d *source.Diagnostic, arg, width int) {
	if d == nil {
		return
	}
	put := func(sort span32) {
		row, ok := r.sorts.rowOf[sort]
		if !ok || row >= r.n || arg >= len(r.args) {
			return
		}
		id := strconv.FormatInt(r.idOf(row), 10)
		d.Fixes = append(d.Fixes, source.Fix{Title: "Use sort " + id + ", " + sort.sort().String(),
			Edits: []source.Edit{{Span: r.span(arg), NewText: id}}, Preferred: width > 0 && len(d.Fixes) == 0})
	}
	if width > 0 {
		put(span32{width: int32(width)})
		return
	}
	before, _ := slices.BinarySearch(r.sorts.rows, r.n)
	if before > maxOffers {
		return
	}
	for _, row := range r.sorts.rows[:before] {
		put(r.rows[row].sort)
	}
}

// maxOffers is how many sorts are offered at most.
const maxOffers = 8

// lineSpan returns the span of the line of the row with its end.
func (r *finder) lineSpan() source.Span {
	line := r.f.LineOf(r.n)
	return source.SpanFromTo(r.f.text.LineStart(line), r.f.text.LineStart(line+1))
}

// deleteRow adds the fix that deletes the row.
func (r *finder) deleteRow(d *source.Diagnostic) {
	d.AddFix("Delete the row", source.Edit{Span: r.lineSpan()})
}

// keepValue adds the fix by which a state without next keeps its value.
func (r *finder) keepValue(d *source.Diagnostic) {
	if len(r.args) == 0 || r.top >= maxID {
		return
	}
	id := strconv.FormatInt(r.row.id, 10)
	text := strconv.FormatInt(r.top+1, 10) + " next " + strconv.FormatInt(r.args[0], 10) + " " + id + " " + id + "\n"
	end := r.f.text.Len()
	if end > 0 && r.f.text.Byte(end-1) != '\n' {
		text = "\n" + text
	}
	d.AddFix("Keep its value with a next", source.Edit{Span: source.Span{Start: end}, NewText: text})
}

// useInstead returns the edits that delete a sort row and use an equal one in its place.
func (r *finder) useInstead(row, first int) func() []source.Edit {
	f := r.f
	return func() []source.Edit {
		to := f.idAt(first)
		line := f.LineOf(row)
		edits := []source.Edit{{Span: source.SpanFromTo(f.text.LineStart(line), f.text.LineStart(line+1))}}
		for o := range f.OccurrencesIn(source.Span{Length: f.text.Len()}) {
			if o.Role == RoleSort && o.Ref != NoRef && o.Ref.Node() == row && o.Node != row {
				edits = append(edits, source.Edit{Span: o.Span, NewText: strconv.FormatInt(to, 10)})
			}
		}
		return source.InOrder(edits)
	}
}

// numberedFrom returns the first row from one on that is no aside, or the number of rows.
func (f *File) numberedFrom(row int) int {
	for row < f.NumRows() && f.rowAt(row).op.IsAside() {
		row++
	}
	return row
}

// idAt returns the number of a row.
func (f *File) idAt(row int) int64 {
	k, i := f.placeOf(row)
	return f.chunks[k].rows[i].id
}
