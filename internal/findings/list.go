package findings

import (
	"fmt"
	"slices"

	"aiglens/internal/source"
)

// MaxPerCode bounds the diagnostics of one code: a file with a million
// undefined signals has one problem, not a million.
const MaxPerCode = 1000

// List collects diagnostics, of each code at most MaxPerCode.
type List struct {
	catalogue *Catalogue
	// kept holds for each code its first min(counts[code], MaxPerCode) findings,
	// in the order in which they came; last[code] is the last of them.
	kept   []*source.Diagnostic
	counts map[source.Code]int
	last   map[source.Code]*source.Diagnostic
}

// NewList returns an empty list of findings of a catalogue.
func NewList(c *Catalogue) List { return List{catalogue: c} }

// Add records a finding. The caller may complete the result; what is written to
// one that is not kept is lost.
func (l *List) Add(code source.Code, span source.Span, format string, args ...any) *source.Diagnostic {
	if !l.count(code) {
		return &source.Diagnostic{}
	}
	d := l.catalogue.Diagnostic(code, span, format, args...)
	l.keep(&d)
	return &d
}

// Keep records a finding that has been made elsewhere.
func (l *List) Keep(d source.Diagnostic) {
	if l.count(d.Code) {
		kept := d // only this is allocated
		l.keep(&kept)
	}
}

// count reports whether one more finding of a code is to be kept.
func (l *List) count(code source.Code) bool {
	if l.counts == nil {
		l.counts = map[source.Code]int{}
		l.last = map[source.Code]*source.Diagnostic{}
	}
	l.counts[code]++
	return l.counts[code] <= MaxPerCode
}

func (l *List) keep(d *source.Diagnostic) {
	l.kept = append(l.kept, d)
	l.last[d.Code] = d
}

// IsFull reports whether no further finding of a code is kept, so that a
// check can skip the search for one.
func (l *List) IsFull(code source.Code) bool { return l.counts[code] >= MaxPerCode }

// HasFrom reports whether an error or a warning starts at an offset or after it.
func (l *List) HasFrom(offset int) bool {
	return slices.ContainsFunc(l.kept, func(d *source.Diagnostic) bool {
		return d.Severity <= source.Warning && d.Span.Start >= offset
	})
}

// StandIn returns what is shown for a finding of a code, the result of Add:
// the finding itself or, when there were too many, the last that was kept.
func (l *List) StandIn(code source.Code, d *source.Diagnostic) *source.Diagnostic {
	if l.counts[code] > MaxPerCode {
		return l.last[code]
	}
	return d
}

// Finish says on the last diagnostic of each code how many more there are, and
// returns all as Sorted does. It is called once, after everything was added.
func (l *List) Finish() []*source.Diagnostic {
	for code, n := range l.counts {
		if n > MaxPerCode {
			l.last[code].Message += fmt.Sprintf(" (and %d more like this)", n-MaxPerCode)
		}
	}
	return l.Sorted()
}

// Sorted returns the diagnostics by place; those of one place in the order in
// which they came.
func (l *List) Sorted() []*source.Diagnostic {
	slices.SortStableFunc(l.kept, func(a, b *source.Diagnostic) int { return a.Span.Start - b.Span.Start })
	return l.kept
}

// Values returns copies of diagnostics.
func Values(list []*source.Diagnostic) []source.Diagnostic {
	values := make([]source.Diagnostic, 0, len(list))
	for _, d := range list {
		values = append(values, *d)
	}
	return values
}

// Quote shows a piece of a file in a message, shortened.
func Quote(s string) string {
	if len(s) > 24 {
		s = s[:21] + "..."
	}
	return fmt.Sprintf("%q", s)
}
