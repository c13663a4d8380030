package checks

import (
	"iter"

	"aiglens/circuit"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
)

// Status folds a property's last verdict with what is known of the present text. While
// the analysis of that is missing, a verdict is stale.
func (f *File) Status(p circuit.Property) ide.Status {
	status := ide.Status{Kind: p.Kind}
	s := f.slots[p]
	if s != nil {
		status.Result, status.Activity, status.Progress = s.last, s.Activity(), s.progress
	}
	if s != nil && s.trace != nil && (f.analysis == nil || f.analysis.verdicts[p].Result == nil) {
		status.Earlier = s.trace
	}
	if f.analysis == nil {
		return status
	}
	if status.Result != nil && status.Result.Unsupported {
		status.Freshness = ide.Fresh // refused for its kind, whatever else the text says
	}
	status.OnlyChecked = f.analysis.onlyChecked[p]
	found := f.analysis.faults[p]
	status.FaultLine, status.Fault = found.line, found.brief
	if status.FaultLine > 0 {
		status.Freshness = ide.Stale
	} else if k, ok := f.analysis.verdicts[p]; ok {
		status.Result, status.Freshness = k.Result, ide.Fresh
		status.Counterexample, status.LeftOpen = k.Counterexample, k.leftOpen
	}
	return status
}

// Faults returns the errors that forbid verdicts on the present text, each once; none
// while the analysis of that is missing. The slice is shared.
func (f *File) Faults() []source.Diagnostic {
	if f.analysis == nil {
		return nil
	}
	return f.analysis.Faults()
}

// Properties returns those of which something is known.
func (f *File) Properties() iter.Seq[circuit.Property] {
	return func(yield func(circuit.Property) bool) {
		for p := range f.slots {
			if !yield(p) {
				return
			}
		}
		if f.analysis == nil {
			return
		}
		for p := range f.analysis.faults {
			if f.slots[p] == nil && !yield(p) {
				return
			}
		}
	}
}

// Progress adds up how far the runs have come.
func (f *File) Progress() verify.Progress {
	var sum verify.Progress
	for _, s := range f.slots {
		sum.Depth, sum.Bound = max(sum.Depth, s.progress.Depth), max(sum.Bound, s.progress.Bound)
		sum.Nodes += s.progress.Nodes
		sum.Lemmas, sum.Obligations = sum.Lemmas+s.progress.Lemmas, sum.Obligations+s.progress.Obligations
	}
	return sum
}
