package checks

import (
	"context"
	"maps"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/runs"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
)

// Analysis is what the circuit of one text says about verdicts.
type Analysis struct {
	doc      *design.Design
	faults   map[circuit.Property]fault // errors in the cone
	found    []source.Diagnostic        // ∀p: faults[p] is about one of them; each is there once
	verdicts map[circuit.Property]Known // ∀p: the fingerprint of the verdict is that of p's cone in doc
	// onlyChecked says of which properties nothing but the verdict is known, and why: see design.OnlyChecked.
	onlyChecked map[circuit.Property]error
}

// fault is an error that forbids a verdict.
type fault struct {
	line  int // from 1
	brief string
}

// maxFaults bounds the errors that an analysis keeps as a whole: no user reads more.
const maxFaults = 1000

// addFault keeps the error that forbids a verdict on a property. known are those that
// have been kept.
func (a *Analysis) addFault(p circuit.Property, d source.Diagnostic, known map[faultKey]bool) {
	a.faults[p] = fault{a.doc.Text.LineAt(d.Span.Start) + 1, d.Brief()}
	if key := (faultKey{d.Span.Start, d.Message}); !known[key] && len(known) < maxFaults {
		known[key] = true
		a.found = append(a.found, d)
	}
}

// faultKey is what tells errors apart.
type faultKey struct {
	offset  int
	message string
}

// Faults returns the errors that forbid verdicts, each once. The slice is shared.
func (a *Analysis) Faults() []source.Diagnostic { return a.found }

// Faulty returns the properties with an error that forbids a verdict.
func (a *Analysis) Faulty() map[circuit.Property]bool {
	all := make(map[circuit.Property]bool, len(a.faults))
	for p := range a.faults {
		all[p] = true
	}
	return all
}

// Known is a verdict that holds for a text.
type Known struct {
	Result         *verify.Result
	Counterexample *runs.Counterexample // nil unless it is refuted
	embedding      design.Embedding     // of the cone, where there is a counterexample
	leftOpen       design.LeftOpen      // see ide.Status
}

// Known returns the verdicts of the last text that was analysed, for the analysis of
// the next one.
func (f *File) Known() map[circuit.Property]Known { return maps.Clone(f.known) }

// AnalyseDocument returns nil when ctx ends first. Fingerprints are computed only when
// there are results to compare with. before holds the verdicts on an earlier text, whose
// counterexamples may be ones of this text as they are.
func AnalyseDocument(ctx context.Context, doc *design.Design, results map[circuit.Fingerprint]verify.Result, before map[circuit.Property]Known) *Analysis {
	if doc.Elaborate(ctx) != nil {
		return nil
	}
	a := NoAnalysis(doc)
	known := map[faultKey]bool{}
	for _, p := range doc.Properties() {
		if ctx.Err() != nil {
			return nil
		}
		fault := design.FaultOfCheck(doc, p.ID)
		if fault != nil {
			a.addFault(p.ID, *fault, known)
			continue
		}
		if why := design.OnlyChecked(doc, p.ID); why != nil {
			a.onlyChecked[p.ID] = why
		}
		if k, ok := verdictFor(ctx, doc, p.ID, results, before[p.ID]); ok {
			a.verdicts[p.ID] = k
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return a
}

// NoAnalysis is the analysis of a document of which nothing could be found out: no
// verdict holds for its text. What it says of that is shown as errors of the text are.
func NoAnalysis(doc *design.Design, why ...source.Diagnostic) *Analysis {
	return &Analysis{doc: doc, found: why, faults: map[circuit.Property]fault{}, verdicts: map[circuit.Property]Known{}, onlyChecked: map[circuit.Property]error{}}
}

// verdictFor looks for a verdict on a property's cone.
func verdictFor(ctx context.Context, doc *design.Design, p circuit.Property, results map[circuit.Fingerprint]verify.Result, before Known) (Known, bool) {
	if len(results) == 0 {
		return Known{}, false
	}
	fingerprint, ok := doc.Fingerprint(p)
	if !ok {
		return Known{}, false
	}
	r, ok := results[fingerprint]
	if !ok {
		return Known{}, false
	}
	if x := before.Counterexample; x != nil && x.Property == p && before.Result.Fingerprint == fingerprint &&
		before.embedding == doc.Embedding(p) && r.Checked.Outcome() == cert.Refuted {
		before.leftOpen = doc.LeftOpen(p)
		return before, true
	}
	return KnownFrom(ctx, doc, p, r)
}

// KnownFrom relates a verdict on a property's cone to the text. The numbers of latches
// and inputs may be others than in the version that was checked, so a trace is carried
// over, which checks it again; the other verdicts carry nothing that is shown by place.
func KnownFrom(ctx context.Context, doc *design.Design, p circuit.Property, r verify.Result) (k Known, ok bool) {
	if r.Checked.Outcome() != cert.Refuted {
		return Known{Result: &r}, true
	}
	if r, ok = r.TransferTo(ctx, doc.Circuit(), p); !ok {
		return Known{}, false
	}
	x, ok := runs.NewCounterexample(ctx, doc.Circuit(), p, r)
	return Known{&r, x, doc.Embedding(p), doc.LeftOpen(p)}, ok
}

// Relation says what a verdict means for a text.
type Relation struct {
	Run     Run // that has found it; the zero Run for none
	Known   Known
	Current bool // it is one about that text, and Known says how
	doc     *design.Design
}

// RelationOf holds the verdict of an effect against a text.
func RelationOf(ctx context.Context, doc *design.Design, e Relate) Relation {
	relation, p, r := Relation{Run: e.Run, doc: doc}, e.Property, *e.Result
	if doc.Elaborate(ctx) != nil || design.FaultOfCheck(doc, p) != nil {
		return relation
	}
	if r.Unsupported {
		relation.Known, relation.Current = Known{Result: &r}, true
		return relation
	}
	if fingerprint, ok := doc.Fingerprint(p); ok && fingerprint == r.Fingerprint {
		relation.Known, relation.Current = KnownFrom(ctx, doc, p, r)
	}
	return relation
}

// keepTrace keeps a counterexample for the time when the text is another one.
func (s *Slot) keepTrace(k Known, doc *design.Design) {
	s.trace = nil
	if k.Counterexample != nil {
		s.trace = &ide.EarlierTrace{Counterexample: k.Counterexample, Document: doc}
	}
}
