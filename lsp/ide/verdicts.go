package ide

import (
	"context"
	"fmt"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/runs"
	"aiglens/ic3/proof"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// maxRelatedLatches bounds the latches that a diagnostic lists.
const maxRelatedLatches = 20

// VerdictOptions say which verdicts become diagnostics.
type VerdictOptions struct {
	Proved bool
}

// The codes of verdict diagnostics.
const (
	CodeRefuted  source.Code = "refuted"
	CodeProved   source.Code = "proved"
	CodeUnknown  source.Code = "unknown"
	CodeVacuous  source.Code = "vacuous"
	CodeReached  source.Code = "reached"       // a cover
	CodeNever    source.Code = "never-reached" // a cover
	CodeInternal source.Code = "internal-error"
)

// Verdicts returns the verdicts as diagnostics on the rows of their
// properties.
//
// Of the stale ones a refutation stays as a hint, because an error that goes away
// during typing reads as if the fault were repaired; other stale
// verdicts ask for nothing and are left out. A property with an error in its
// cone has that error's own diagnostic.
func Verdicts(d *design.Design, status Statuses, opts VerdictOptions) []source.Diagnostic {
	var all []source.Diagnostic
	for _, p := range d.Properties() {
		s := status(p.ID)
		if s.Result == nil || s.FaultLine > 0 {
			continue
		}
		diagnostic := source.Diagnostic{Span: p.Row, Message: p.Name + ": " + s.Verdict()}
		outcome := s.Result.Checked.Outcome()
		switch {
		case p.ID.Kind == circuit.PropertyCover && outcome != cert.Unknown:
			if s.Freshness == Stale || outcome == cert.Refuted && !opts.Proved {
				continue
			}
			diagnostic.Severity, diagnostic.Code = source.Error, CodeNever
			if outcome == cert.Refuted {
				diagnostic.Severity, diagnostic.Code = source.Hint, CodeReached
			}
		case s.Freshness == Stale && outcome != cert.Refuted:
			continue
		case outcome == cert.Proved && s.Vacuity() != nil:
			diagnostic.Severity, diagnostic.Code = source.Warning, CodeVacuous
			vacuous(d, p, s.Vacuity(), &diagnostic)
		case outcome == cert.Proved && !opts.Proved:
			continue
		case s.Freshness == Stale:
			diagnostic.Severity, diagnostic.Code = source.Hint, CodeRefuted
		case s.Result.Internal != nil:
			diagnostic.Severity, diagnostic.Code = source.Warning, CodeInternal
			diagnostic.Message = fmt.Sprintf("%s: %s; see the log", p.Name, s.Result.Checked.Reason())
		case outcome == cert.Refuted:
			diagnostic.Severity, diagnostic.Code = source.Error, CodeRefuted
			if p.ID.Kind == circuit.PropertyLemma { // which says nothing about the design
				diagnostic.Severity = source.Warning
			}
			if why := s.LeftOpen.Reasons(); why != "" {
				diagnostic.Message = fmt.Sprintf("%s: %s; it may fail only because of what the text leaves open: %s", p.Name, s.withoutLeftOpen().Verdict(), why)
			}
			diagnostic.Related = relatedLatches(d, s.Counterexample)
		case outcome == cert.Proved:
			diagnostic.Severity, diagnostic.Code = source.Hint, CodeProved
		default:
			diagnostic.Severity, diagnostic.Code = source.Information, CodeUnknown
		}
		all = append(all, diagnostic)
	}
	return all
}

// vacuous says why a property holds vacuously, with what is to blame as related places.
func vacuous(d *design.Design, p design.Property, f *proof.Vacuity, to *source.Diagnostic) {
	condition, places := conditionIn(d, p.ID)
	to.Message = fmt.Sprintf("%s is proved, but vacuously: %s", p.Name, f.Words(condition...))
	constraints := d.Circuit().Constraints()
	for _, i := range f.Constraints {
		if i >= len(constraints) {
			continue
		}
		if m, ok := d.SourceOf(constraints[i].Lit); ok && m.Other == nil && m.Span.Length > 0 {
			to.Related = append(to.Related, source.Related{Span: m.Span, Message: fmt.Sprintf("constraint %d", i)})
		}
	}
	if f.Kind != proof.VacuousAntecedent {
		return
	}
	for i, m := range places {
		if m.Other == nil && m.Span.Length > 0 {
			to.Related = append(to.Related, source.Related{Span: m.Span, Message: condition[i] + " is part of the condition"})
		}
	}
}

// conditionIn names the condition of a property that is an implication.
func conditionIn(d *design.Design, p circuit.Property) (names []string, places []design.SourceSignal) {
	bad, ok := d.Circuit().Bad(p)
	if !ok {
		return nil, nil
	}
	for _, l := range proof.ConditionOf(d.Circuit(), bad) {
		m, ok := d.SourceOf(l)
		if !ok {
			m.Name = fmt.Sprint(l)
		}
		name := m.Name
		if m.Negated {
			name = "¬" + name
		}
		names, places = append(names, name), append(places, m)
	}
	return names, places
}

func relatedLatches(d *design.Design, x *runs.Counterexample) []source.Related {
	var all []source.Related
	for _, l := range runs.FirstLatches(d, x, maxRelatedLatches) {
		if l.Other != nil && l.Span.Length == 0 { // nothing of this text stands for it, as an instance does
			continue
		}
		all = append(all, source.Related{Span: l.Span, Message: fmt.Sprintf("%s: %s", l.Name, l.Word)})
	}
	return all
}

// The codes of what is said of rows.
const (
	CodeFact     source.Code = "fact"
	CodeUnneeded source.Code = "unneeded"
)

// Bounds of the facts that are shown on the rows of a file.
const (
	maxRowFacts      = 200
	maxExplained     = 64   // proofs
	maxExplainedSize = 5000 // clauses of one
)

// FactsOnRows says on the rows of latches what the proofs of a text say, as long as ctx lives.
func FactsOnRows(ctx context.Context, doc *design.Design, results map[circuit.Property]*verify.Result) []source.Diagnostic {
	var all []source.Diagnostic
	type row struct {
		span source.Span
		text string
	}
	seen := map[row]bool{}
	explained := 0
	for _, p := range doc.Properties() {
		r := results[p.ID]
		if r == nil || len(r.Checked.Invariant()) > maxExplainedSize {
			continue
		}
		if ctx.Err() != nil || explained == maxExplained {
			break
		}
		f, err := answers.FactsOf(ctx, doc, p.ID, r)
		if err != nil {
			continue
		}
		explained++
		for _, fact := range f.Rows(maxRowFacts) {
			if at := (row{fact.Span, fact.Text}); !seen[at] && len(all) < maxRowFacts {
				seen[at] = true
				all = append(all, source.Diagnostic{Span: fact.Span, Severity: source.Hint, Code: CodeFact, Message: fmt.Sprintf("%s, as the proof of %s says", fact.Text, p.Name)})
			}
		}
	}
	return all
}

// UnneededRows fades rows that the proof of a property does not need. shares say how many of
// all rows they are.
func UnneededRows(rows []source.Span, property, shares string) []source.Diagnostic {
	var all []source.Diagnostic
	for _, span := range rows {
		all = append(all, source.Diagnostic{
			Span: span, Severity: source.Hint, Code: CodeUnneeded, Unnecessary: true,
			Message: "can change without breaking the proof of " + property + ", with all faded rows at once: " + shares,
		})
	}
	return all
}
