package diagnose

import (
	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// OutputsThatAreInputs returns the outputs of models behind the first that are inputs
// of the same name: ABC ends when it puts such a model in the place of an instance.
func OutputsThatAreInputs(f *blif.File) []source.Diagnostic {
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
				d := codes.Finding(codes.OutputIsInput, f.RefSpan(p.Ref), "output "+f.NameText(p.Name)+" is an input of the same name: ABC ends at an instance of this model")
				d.Related = []source.Related{{Span: f.RefSpan(ref), Message: "the input"}}
				all = append(all, d)
			}
		}
	}
	return all
}
