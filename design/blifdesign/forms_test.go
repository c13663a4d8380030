package blifdesign

import (
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/design"
	"aiglens/internal/source"
)

// TestForms reads the forms as an editor leaves them that fills in nothing.
func TestForms(t *testing.T) {
	for _, f := range forms {
		text := strings.ReplaceAll(design.Form(f.label, f.detail, f.snippet).Insert, "NAME", "m") + "\n"
		if strings.ContainsAny(text, "${}|") {
			t.Errorf("%s: expanded to %q", f.label, text)
		}
		if !strings.HasPrefix(text, ".model") {
			text = ".model m\n.inputs a b\n.outputs y\n" + text + ".end\n"
		}
		// What a part names is defined elsewhere, and the ports of an empty model
		// are still to be joined.
		for _, d := range diagnose.Diagnostics(blif.Options{}.Parse(source.NewText(text))) {
			switch d.Code {
			case codes.UndrivenSignal, codes.UndrivenOutput, codes.ControlUndriven, codes.PragmaSignal, codes.UnknownModel, codes.SearchMissing, codes.KissNoLogic:
				if f.part != atStart {
					continue
				}
			}
			if d.Severity <= source.Warning {
				t.Errorf("%s: %s: %s\n%s", f.label, d.Code, d.Message, text)
			}
		}
	}
}
