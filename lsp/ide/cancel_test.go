package ide

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/blifdesign"
	"aiglens/design/runs"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// refuted returns the status of a property that some values of the inputs refute, a
// letter for each at every step.
func refuted(t *testing.T, d *design.Design, rows ...string) Statuses {
	t.Helper()
	id, run := d.Properties()[0].ID, cert.Trace{Initial: make([]circuit.Value, len(d.Circuit().Latches()))}
	for _, row := range rows {
		values := make([]circuit.Value, len(row))
		for i, digit := range row {
			values[i] = circuit.Value(strings.IndexRune("01x", digit))
		}
		run.Inputs = append(run.Inputs, values)
	}
	checked, err := cert.Check(t.Context(), d.Circuit(), id, cert.Verdict{Outcome: cert.Refuted, Trace: run})
	if err != nil {
		t.Fatal(err)
	}
	r := verify.Result{Checked: checked}
	x, ok := runs.NewCounterexample(t.Context(), d.Circuit(), id, r)
	if !ok {
		t.Fatal("no counterexample")
	}
	return func(circuit.Property) Status { return Status{Result: &r, Freshness: Fresh, Counterexample: x} }
}

// chain returns a circuit in which a 1 at the input reaches the property through n
// latches, and its run to there.
func chain(t *testing.T, n int) (*design.Design, Statuses) {
	t.Helper()
	var s strings.Builder
	fmt.Fprintf(&s, "aag %d 1 %d 0 0 1\n2\n", n+1, n)
	rows := make([]string, n+1)
	for i := range n {
		fmt.Fprintf(&s, "%d %d\n", 2*i+4, 2*i+2)
		rows[i] = "1"
	}
	rows[n] = "0"
	fmt.Fprintf(&s, "%d\n", 2*n+2)
	d := design.New("file:///w/a.aag", aigerdesign.Format, 1, source.NewText(s.String()), design.Options{})
	return d, refuted(t, d, rows...)
}

// TestCancelled asks for everything under a context that has ended.
func TestCancelled(t *testing.T) {
	const n = 1500
	d, status := chain(t, n)
	p := d.Properties()[0]
	x := status(p.ID).Counterexample
	all := source.Span{Length: d.Text.Len()}
	shown := HoverOptions{Depth: 3, Shown: &Selection{Property: p.ID, Step: n}}
	last := d.Text.LineStart(n + 1) // of the last latch
	ended, end := context.WithCancel(t.Context())
	end()
	for name, ask := range map[string]func(context.Context) error{
		"hover": func(ctx context.Context) error { _, _, err := Hover(ctx, d, last, status, shown); return err },
		"completion": func(ctx context.Context) error {
			_, err := CompletionDocumentation(ctx, d, 4, status, shown)
			return err
		},
		"why": func(ctx context.Context) error {
			_, err := runs.Why(ctx, d, x, x.Evidence()[0].Lit, n, trace.Limit{})
			return err
		},
		"trace": func(ctx context.Context) error {
			_, _, err := runs.TraceSignals(ctx, d, x, x.Steps(), nil, nil)
			return err
		},
		"values":  func(ctx context.Context) error { _, err := x.Values(ctx, x.Evidence()[0].Lit, x.Steps()); return err },
		"actions": func(ctx context.Context) error { _, err := Actions(ctx, d, p.Row, status, nil); return err },
		"actions of a step": func(ctx context.Context) error {
			_, err := Actions(ctx, d, source.Span{Start: last}, status, shown.Shown)
			return err
		},
		"lenses": func(ctx context.Context) error {
			_, err := Lenses(ctx, d, status, func(Command) bool { return true })
			return err
		},
		"latches":        func(ctx context.Context) error { _, err := runs.Latches(ctx, d, x); return err },
		"values in text": func(ctx context.Context) error { _, err := StepHints(ctx, d, all, x, n); return err },
		"inlay hints": func(ctx context.Context) error {
			_, err := InlayHints(ctx, d, all, HintOptions{true, true})
			return err
		},
		"tokens":         func(ctx context.Context) error { _, err := Tokens(ctx, d, all); return err },
		"incoming calls": func(ctx context.Context) error { _, err := IncomingCalls(ctx, d, last); return err },
		"outgoing calls": func(ctx context.Context) error { _, err := OutgoingCalls(ctx, d, last); return err },
	} {
		if err := ask(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := ask(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want that of the context", name, err)
		}
	}
}

// TestWhyOfWideCover asks for the causes of a signal behind more unnamed gates than an
// answer passes over, and of one behind few enough.
func TestWhyOfWideCover(t *testing.T) {
	check := func(cubes int, cut bool) {
		t.Helper()
		const inputs = 18
		var s strings.Builder
		s.WriteString(".model wide\n.inputs")
		for i := range inputs {
			fmt.Fprintf(&s, " a%d", i)
		}
		s.WriteString("\n.outputs bad\n.names")
		for i := range inputs {
			fmt.Fprintf(&s, " a%d", i)
		}
		s.WriteString(" y\n")
		for i := range cubes {
			fmt.Fprintf(&s, "%0*b 1\n", inputs, 2*i+1)
		}
		s.WriteString(".names y bad\n0 1\n.end\n")
		d := design.New("file:///w/wide.blif", blifdesign.Format, 1, source.NewText(s.String()), design.Options{})
		x := refuted(t, d, strings.Repeat("0", inputs))(d.Properties()[0].ID).Counterexample
		root, err := runs.Why(t.Context(), d, x, x.Evidence()[0].Lit, 0, trace.Limit{Depth: 4, Nodes: 100})
		if err != nil {
			t.Fatalf("%d cubes: %v", cubes, err)
		}
		if root.Cut != cut || len(root.Causes) == 0 != cut {
			t.Errorf("%d cubes: %d causes, cut %v", cubes, len(root.Causes), root.Cut)
		}
	}
	check(1_000, false)
	check(120_000, true)
}
