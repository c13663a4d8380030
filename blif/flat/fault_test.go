package flat_test

import (
	"fmt"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/flat"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// TestFaultBehindMany checks that an error forbids a verdict even where so many
// of its code stand before it that it is not shown.
func TestFaultBehindMany(t *testing.T) {
	var text strings.Builder
	text.WriteString(".model top\n.inputs a\n.outputs bad\n")
	last := findings.MaxPerCode + 10
	for i := range last + 1 {
		fmt.Fprintf(&text, ".subckt buf i=a o=y%d z=a\n", i)
	}
	fmt.Fprintf(&text, ".names y%d bad\n1 1\n.end\n.model buf\n.inputs i\n.outputs o\n.names i o\n1 1\n.end\n", last)
	f := blif.Options{Properties: blif.PropertyOptions{Combinational: true}}.Parse(source.NewText(text.String()))
	if n := len(diagnose.Diagnostics(f)); n != findings.MaxPerCode {
		t.Errorf("%d diagnostics are shown", n)
	}
	fault := flat.Elaborate(f).Fault(f.Properties()[0].ID)
	if fault == nil || fault.Code != codes.UnknownFormal || f.StatementAt(fault.Span.Start).ID != 3+last {
		t.Errorf("the fault is %v", fault)
	}
}
