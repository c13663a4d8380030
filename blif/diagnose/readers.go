package diagnose

import (
	"context"
	"slices"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// forOthers are the codes of what ABC or Yosys read otherwise, or not at all, and what
// formatting leaves as it is: another form would need a name, a port or an order that
// the user has to choose.
var forOthers = map[source.Code]bool{
	codes.OutputIsInput: true, codes.ModelMissing: true, codes.ModelName: true, codes.InferredPorts: true,
	codes.TopInstantiated: true, codes.CommentJoin: true,
}

// ForOtherReaders returns the findings about what ABC or Yosys do not read as it is meant
// and formatting leaves. The error is that of the context.
func ForOtherReaders(ctx context.Context, f *blif.File) ([]source.Diagnostic, error) {
	linted, err := Lint(ctx, f)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(Diagnostics(f), linted)
	all = slices.DeleteFunc(all, func(d source.Diagnostic) bool { return !forOthers[d.Code] })
	slices.SortStableFunc(all, func(a, b source.Diagnostic) int { return a.Span.Start - b.Span.Start })
	return all, nil
}

// outputsThatAreInputs returns the outputs of models after the first that are inputs
// of the same name: ABC aborts when it puts such a model in the place of an instance.
func outputsThatAreInputs(f *blif.File) []source.Diagnostic {
	var all []source.Diagnostic
	for _, m := range f.Models() {
		if m.Index == 0 || m.BlackBox || len(m.OutputList) == 0 {
			continue
		}
		inputs := make(map[statement.Name]statement.TokenRef, len(m.InputList))
		for _, p := range m.InputList {
			inputs[p.Name] = p.Ref
		}
		for _, p := range m.OutputList {
			if ref, ok := inputs[p.Name]; ok {
				d := codes.Finding(codes.OutputIsInput, f.RefSpan(p.Ref), "output "+f.NameText(p.Name)+" is an input of the same name: ABC aborts at an instance of this model")
				d.Related = []source.Related{{Span: f.RefSpan(ref), Message: "the input"}}
				all = append(all, d)
			}
		}
	}
	return all
}
