package aiger

import (
	"fmt"
	"strings"

	"aiglens/internal/source"
)

// reportCounts says that header and rows disagree, once.
func (p *parser) reportCounts() {
	h, found := &p.file.header, p.file.counts
	announced := announcedCounts(h, &p.file.rows)
	maxVar := max(h.value(fieldM), p.file.defs.largest())
	if h.fault != nil {
		if len(h.fields) <= fieldA || h.fault.Code == CodeHeaderNumber || h.fault.Code == CodeNumberTooLarge {
			h.fault.AddPreferredFix("Write the header anew from the rows below", h.edits(found, max(maxVar, p.file.largestUsed()))...)
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
		parts = append(parts, fmt.Sprintf("%s announced, %d found", count(announced[k], k), found[k]))
	}
	if len(parts) == 0 {
		if announced[SectionJusticeLits] != found[SectionJusticeLits] {
			p.reportJusticeSizes(announced[SectionJusticeLits], found)
		}
		return
	}
	message := strings.Join(parts, "; ")
	if found.total() < announced.total() && len(parts) > 1 {
		message = parts[0] + " before the rows end"
	}
	span := source.Span{Start: h.end}
	if i := fieldOf[first]; i < len(h.fields) {
		span = h.fields[i].Span
	}
	diag := p.Add(CodeCountMismatch, span, "%s", message)
	misfit := found.start(first) + min(announced[first], found[first])
	if announced[first] > found[first] {
		diag.Relate(p.rowOrEndSpan(misfit), "expected %s here", article(first))
	} else {
		diag.Relate(p.rowOrEndSpan(misfit), "more than %s", count(announced[first], first))
	}
	diag.AddPreferredFix("Set the header to what the file holds", h.edits(found, maxVar)...)
}

// reportJusticeSizes says that the sizes and the literals disagree.
func (p *parser) reportJusticeSizes(announced int, found counts) {
	lo := found.start(SectionJustice)
	at := lo + found[SectionJustice] - 1
	d := found[SectionJusticeLits] - announced
	for r := at; r >= lo; r-- {
		if size := int(p.file.rows.at(r).num[0]); size+d >= 0 && (d > 0 || size > 0) {
			at = r
			break
		}
	}
	span := p.file.numberSpan(at, 0)
	diag := p.Add(CodeJusticeSizes, span, "the justice sizes announce %s, %d found",
		count(announced, SectionJusticeLits), found[SectionJusticeLits])
	misfit := found.start(SectionJusticeLits) + min(announced, found[SectionJusticeLits])
	diag.Relate(p.rowOrEndSpan(misfit), "first row that does not fit")
	if size := int(p.file.rows.at(at).num[0]) + d; size >= 0 {
		diag.AddPreferredFix(fmt.Sprintf("Set the size to %d", size), source.Edit{Span: span, NewText: fmt.Sprint(size)})
	}
}

// article puts the indefinite article before an element of a section.
func article(k SectionKind) string {
	if name := k.One(); strings.IndexByte("aeiouA", name[0]) >= 0 {
		return "an " + name
	}
	return "a " + k.One()
}
