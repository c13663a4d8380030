package comparison

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/hierarchy"
	"aiglens/design/runs"
)

const (
	maxKeptRuns      = 8       // runs
	maxKeptRunValues = 8 << 20 // of inputs and latches of such a run
)

// KeptRun is the run of a difference, on the circuit of this side, for a client that may ask what else
// the run does.
type KeptRun struct {
	Observed string     // the output or property that differs in the last step
	Trace    cert.Trace // of this side
	Sides    [2]Stamp   // this side, and the other one
	// Path is that of the other file; "" for a text that stays what it is. WasOpen says that the file was read from
	// the editor, and not from the disk.
	Path    string
	WasOpen bool
	Models  *hierarchy.Library // from which the other side takes models; nil for none
}

// Stamp tells a text and its circuit from others.
type Stamp struct {
	Text    [sha256.Size]byte
	Circuit string
}

// TextSum is the part of a stamp that is known before a text is elaborated. The error is that of ctx.
func TextSum(ctx context.Context, d *design.Design) ([sha256.Size]byte, error) {
	return sums.Of(ctx, d)
}

var sums = design.NewDerived(func(_ context.Context, d *design.Design) ([sha256.Size]byte, error) { return sum(d.Text), nil })

// Run returns the run on the circuit of a design that has the first of the stamps. The error is that of ctx.
func (t *KeptRun) Run(ctx context.Context, d *design.Design) (*runs.Run, error) {
	return runs.NewRun(ctx, d.Circuit(), t.Trace, nil)
}

// StepWords says which step of the run one is.
func (t *KeptRun) StepWords(step int) string {
	last := t.Trace.Steps() - 1
	words := fmt.Sprintf("step %d of %d", step, last)
	if step == last {
		words += ": differs"
	}
	return words
}

// id is the same for the same run, however often it was found.
func (t *KeptRun) id() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %x %t %q %s", t.Observed, t.Sides, t.WasOpen, t.Path, trace.Digits(t.Trace.Initial))
	for _, row := range t.Trace.Inputs {
		fmt.Fprintf(h, " %s", trace.Digits(row))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// KeepRun keeps a run, and returns the name by which a client asks for it; "" where the run is too large. Those
// that were asked about last are kept.
func (r *Results) KeepRun(t KeptRun) (id string) {
	values := len(t.Trace.Initial)
	for _, row := range t.Trace.Inputs {
		values += len(row)
	}
	if values > maxKeptRunValues {
		return ""
	}
	id = t.id()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keptRuns = slices.DeleteFunc(r.keptRuns, func(one named) bool { return one.id == id })
	if len(r.keptRuns) == maxKeptRuns {
		r.keptRuns = slices.Delete(r.keptRuns, 0, 1)
	}
	r.keptRuns = append(r.keptRuns, named{id, t})
	return id
}

// KeptRun returns the run that a client names; nil for none that is kept.
func (r *Results) KeptRun(id string) *KeptRun {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.keptRuns, func(one named) bool { return one.id == id })
	if i < 0 {
		return nil
	}
	found := r.keptRuns[i]
	r.keptRuns = append(slices.Delete(r.keptRuns, i, i+1), found)
	return &found.run
}

// named is a run by the name that a client has for it.
type named struct {
	id  string
	run KeptRun
}
