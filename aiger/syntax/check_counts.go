package syntax

import (
	"fmt"
	"iter"
	"strings"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// reportCounts says that header and rows disagree, once.
func (p *parser) reportCounts() {
	h, found := &p.file.header, p.file.counts
	announced := announcedCounts(h, &p.file.rows)
	maxVar := max(h.value(fieldM), p.file.defs.largest())
	if h.fault != nil {
		if len(h.fields) <= fieldA || h.fault.Code == codeHeaderNumber || h.fault.Code == codeNumberTooLarge {
			h.fault.AddPreferredFix("Rewrite the header from the rows below", h.edits(found, max(maxVar, p.file.largestUsed()))...)
		}
		return
	}
	var first SectionKind
	var parts []string
	for _, k := range []SectionKind{SectionInputs, SectionLatches, SectionOutputs, SectionAnds, SectionBads,
		SectionConstraints, SectionJustice, SectionFairness} {
		if announced[k] == found[k] {
			continue
		}
		if len(parts) == 0 {
			first = k
		}
		parts = append(parts, k.Count(announced[k])+", but "+thereAre(found[k]))
	}
	if len(parts) == 0 {
		if announced[SectionJusticeLits] != found[SectionJusticeLits] {
			p.reportJusticeSizes(announced[SectionJusticeLits], found)
		}
		return
	}
	message := "the header announces " + strings.Join(parts, "; ")
	if len(parts) == 1 && found[first] < announced[first] {
		message += "; " + NotWritten(announced[first], found[first])
	}
	if found.total() < announced.total() && len(parts) > 1 {
		message = "the header announces " + parts[0] + " before the rows end"
	}
	span := source.Span{Start: h.end}
	if i := fieldOf[first]; i < len(h.fields) {
		span = h.fields[i].Span
	}
	diag := p.Add(codeCountMismatch, span, "%s", message)
	misfit := found.start(first) + min(announced[first], found[first])
	if announced[first] > found[first] {
		diag.Relate(p.rowOrEndSpan(misfit), "expected %s here", first.WithArticle())
	} else {
		diag.Relate(p.rowOrEndSpan(misfit), "more than %s", first.Count(announced[first]))
	}
	diag.AddPreferredFix("Set the header to what the file holds", h.edits(found, maxVar)...)
}

// thereAre says how many rows there are.
func thereAre(n int) string {
	switch n {
	case 0:
		return "there is none"
	case 1:
		return "there is 1"
	}
	return fmt.Sprintf("there are %d", n)
}

// NotWritten says of rows of which fewer are found than announced that the others are missing.
func NotWritten(announced, found int) string {
	switch {
	case announced == 1:
		return "its row is not written yet"
	case found == 0:
		return "their rows are not written yet"
	}
	return findings.Count(announced-found, "row is", "rows are") + " not written yet"
}

// reportJusticeSizes says that the sizes and the literals disagree.
func (p *parser) reportJusticeSizes(announced int, found counts) {
	lo := found.start(SectionJustice)
	at := lo + found[SectionJustice] - 1
	d := found[SectionJusticeLits] - announced
	for r := at; r >= lo; r-- {
		if size := int(p.file.rows.at(r).Num[0]); size+d >= 0 && (d > 0 || size > 0) {
			at = r
			break
		}
	}
	span := p.file.NumberSpan(at, 0)
	diag := p.Add(codeJusticeSizes, span, "the justice sizes announce %s, but %s",
		SectionJusticeLits.Count(announced), thereAre(found[SectionJusticeLits]))
	misfit := found.start(SectionJusticeLits) + min(announced, found[SectionJusticeLits])
	diag.Relate(p.rowOrEndSpan(misfit), "first row that does not fit")
	if size := int(p.file.rows.at(at).Num[0]) + d; size >= 0 {
		diag.AddPreferredFix(fmt.Sprintf("Set the size to %d", size), source.Edit{Span: span, NewText: fmt.Sprint(size)})
	}
}

// checkMax compares M with what the rows use. A header that has been found
// wrong already is not reported again: its fix takes M along.
func (p *parser) checkMax() {
	f := p.file
	if !f.header.maxOK || p.misaligned {
		return
	}
	m, need := f.header.value(fieldM), f.defs.n
	if m >= need {
		f.maxLit = uint32(2*m + 1)
		return
	}
	span := f.header.fields[fieldM].Span
	diag := p.Add(codeMaxTooSmall, span, "expected M to be at least %d, the number of inputs, latches and ANDs, found %d", need, m)
	if r, i, ok := f.firstAbove(uint32(2*m + 1)); ok {
		diag.Relate(f.NumberSpan(r, i), "literal %d exceeds 2M+1 = %d", f.rows.at(r).Num[i], 2*m+1)
	}
	largest := max(need, f.defs.largest())
	diag.AddPreferredFix(fmt.Sprintf("Set M to %d", largest), source.Edit{Span: span, NewText: fmt.Sprint(largest)})
}

// firstAbove returns the first literal above a limit.
func (f *File) firstAbove(limit uint32) (r, i int, ok bool) {
	for r := range f.rowsAbove(limit) {
		k, _, ok := f.Place(r)
		_, most := rowSize(k)
		if row := f.rows.at(r); ok && k != SectionJustice {
			for i := range int(min(row.N, most)) {
				if row.Num[i] > limit {
					return r, i, true
				}
			}
		}
	}
	return 0, 0, false
}

// rowsAbove yields the rows that hold a number above a limit.
func (f *File) rowsAbove(limit uint32) iter.Seq[int] {
	return func(yield func(int) bool) {
		for c, chunk := range f.rows.chunks {
			if chunk.largest <= limit && chunk.flags&rowHuge == 0 {
				continue
			}
			for i := range chunk.rows {
				if num := &chunk.rows[i].Num; max(num[0], num[1], num[2]) > limit && !yield(int(f.rows.starts[c])+i) {
					return
				}
			}
		}
	}
}
