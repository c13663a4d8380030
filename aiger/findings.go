package aiger

import (
	"fmt"
	"sort"

	"aiglens/internal/source"
)

// maxPerCode bounds the diagnostics of one code: a file with a million
// undefined literals has one problem, not a million.
const maxPerCode = 1000

// findings collects diagnostics.
type findings struct {
	list   []*source.Diagnostic
	counts map[source.Code]int
	last   map[source.Code]*source.Diagnostic
}

// add records a finding with the severity of its code. The caller may complete
// the result. Beyond maxPerCode the last kept diagnostic of the code stands in
// for all others, and what is written to the result is lost.
func (d *findings) add(code source.Code, span source.Span, format string, args ...any) *source.Diagnostic {
	if d.counts == nil {
		d.counts = map[source.Code]int{}
		d.last = map[source.Code]*source.Diagnostic{}
	}
	d.counts[code]++
	if d.counts[code] > maxPerCode {
		return &source.Diagnostic{}
	}
	diag := &source.Diagnostic{
		Span: span, Severity: infoOf(code).Severity, Code: code, Message: fmt.Sprintf(format, args...),
	}
	d.list = append(d.list, diag)
	d.last[code] = diag
	return diag
}

// finish sorts by place and says on the last diagnostic of a code how many
// more there are.
func (d *findings) finish() []*source.Diagnostic {
	for code, n := range d.counts {
		if n > maxPerCode {
			d.last[code].Message += fmt.Sprintf(" (and %d more like this)", n-maxPerCode)
		}
	}
	sort.SliceStable(d.list, func(i, j int) bool { return d.list[i].Span.Start < d.list[j].Span.Start })
	return d.list
}

func values(list []*source.Diagnostic) []source.Diagnostic {
	var vs []source.Diagnostic
	for _, diag := range list {
		vs = append(vs, *diag)
	}
	return vs
}

func hasError(list []*source.Diagnostic) bool {
	for _, diag := range list {
		if diag.Severity == source.Error {
			return true
		}
	}
	return false
}

// fix adds a way out to a diagnostic.
func fix(diag *source.Diagnostic, title string, edits ...source.Edit) {
	diag.Fixes = append(diag.Fixes, source.Fix{Title: title, Edits: edits})
}

// safeFix is fix for the one that may be applied without asking.
func safeFix(diag *source.Diagnostic, title string, edits ...source.Edit) {
	diag.Fixes = append(diag.Fixes, source.Fix{Title: title, Edits: edits, Preferred: true})
}

func relate(diag *source.Diagnostic, span source.Span, format string, args ...any) {
	diag.Related = append(diag.Related, source.Related{Span: span, Message: fmt.Sprintf(format, args...)})
}

// quote shows a piece of a file in a message, shortened.
func quote(s string) string {
	if len(s) > 24 {
		s = s[:21] + "..."
	}
	return fmt.Sprintf("%q", s)
}

// count writes a number with its noun.
func count(n int, k SectionKind) string {
	if n == 1 {
		return "1 " + k.One()
	}
	return fmt.Sprintf("%d %s", n, k)
}
