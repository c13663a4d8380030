package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"aiglens/ic3/verify"
)

// TestLimitOfBuilding: a limit that passes before there is a circuit ends the command as one whose
// answer is unknown, and says so.
func TestLimitOfBuilding(t *testing.T) {
	in := readText(t, repeated(60, func(i int) string {
		return ".model m" + strings.Repeat("x", i) + "\n.inputs a\n.outputs y\n.subckt m" + strings.Repeat("x", i+1) + " a=a y=z\n.subckt m" + strings.Repeat("x", i+1) + " a=z y=y\n.end\n"
	})+".model m"+strings.Repeat("x", 60)+"\n.inputs a\n.outputs y\n.names a y\n1 1\n.end\n")
	var said bytes.Buffer
	e := env{stderr: &said}
	limited, stop := verify.WithLimits(t.Context(), verify.Limits{Wall: 1})
	defer stop()
	<-limited.Done()
	err := soundUnder(t.Context(), limited, e, in)
	if _, is := errors.AsType[*unbuiltError](err); !is {
		t.Fatalf("the error is %v", err)
	}
	const want = "aiglens: a.blif: unknown: timeout while the circuit was built\n"
	if code := problem(e, "a.blif: %v", err); code != exitUnknown || said.String() != want {
		t.Errorf("exit code %d: %s", code, &said)
	}
}
