package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Checker is a program that judges circuits, with the options it runs with.
type Checker struct {
	Name, Version, Options string
	// run fills in what became of one run. An error says that nothing did,
	// because ctx ended or the machine failed.
	run func(ctx context.Context, t Task, l Limits, r *Row) error
}

// Beginnings of reasons: a fault of the checker, one of the file, and a question
// that the checker is not made for.
const (
	crash    = "crash: "
	refuse   = "error: "
	notAsked = "not asked: "
)

// row makes the row of one run.
func (c *Checker) row(ctx context.Context, t Task, l Limits, seed, repeat int64) (Row, error) {
	r := c.key(t, l, seed, repeat)
	r.Verdict = Unknown
	err := c.run(ctx, t, l, &r)
	if r.CPU > 0 {
		r.QueriesPerSecond = float64(r.Queries) / r.CPU
	}
	return r, err
}

// key returns a row with what is known before the run.
func (c *Checker) key(t Task, l Limits, seed, repeat int64) Row {
	r := Row{
		File: t.Name, Property: t.Property, Tier: t.Tier, Expected: t.Expected,
		Checker: c.Name, Version: c.Version, Options: c.Options,
		Seed: seed, Repeat: repeat,
		CPULimit: l.CPU.Seconds(), MemoryLimit: l.Memory / 1024,
	}
	// As it will be read again.
	for _, column := range columns {
		if s, ok := column.field(&r).(*string); ok {
			*s = strings.Join(strings.Fields(*s), " ")
		}
	}
	return r
}

// measure copies what was measured, and why the run has no verdict if the
// system knows.
func (r *Row) measure(o outcome) {
	r.CPU, r.Wall, r.Peak = o.cpu.Seconds(), o.wall.Seconds(), o.peak
	switch {
	case o.ended != "":
		r.Reason = o.ended
	case o.signal != "":
		r.Reason = crash + o.signal
	}
}

// NewABC returns ABC's property directed reachability (Eén, Mishchenko and
// Brayton, FMCAD 2011), the program berkeley-abc of Debian or abc. aiglens is
// this program, which unpacks and encodes files for it; that is not measured.
//
// ABC judges the outputs and the bads of a file together, so it is asked only
// where this is the same question. Constraints must be folded before pdr, which
// would take them for outputs.
func NewABC(ctx context.Context, program, aiglens string) (Checker, error) {
	o, err := execute(ctx, versionLimits, "", program, "-q", "version")
	if err != nil {
		return Checker{}, err
	}
	version := strings.TrimSpace(string(o.stdout))
	if o.exit != 0 || version == "" {
		return Checker{}, fmt.Errorf("%s does not report its version: %s", program, strings.TrimSpace(string(o.stderr)))
	}
	run := func(ctx context.Context, t Task, l Limits, r *Row) error {
		dir, err := os.MkdirTemp("", "aiglens-bench")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if r.Reason, err = prepareForABC(ctx, t, l, aiglens, dir); err != nil || r.Reason != "" {
			return err
		}
		o, err := execute(ctx, l, dir, program, "-q", abcScript)
		if err != nil {
			return err
		}
		r.measure(o)
		r.parseABC(string(o.stdout) + string(o.stderr))
		return nil
	}
	return Checker{Name: ABC, Version: version, Options: abcScript, run: run}, nil
}

// ABC is the name of the checker of NewABC.
const ABC = "abc"

const (
	modelName = "model.aig"
	abcScript = "read " + modelName + "; logic; undc; strash; zero; fold; pdr"
)

// versionLimits bound questions that take no time.
var versionLimits = Limits{CPU: 10 * time.Second}

// prepareForABC puts the binary encoding of a file where abcScript reads it,
// unchanged where it is that already. The reason says why ABC is not to be asked.
func prepareForABC(ctx context.Context, t Task, l Limits, aiglens, dir string) (reason string, err error) {
	if strings.HasSuffix(t.Path, ".aig") {
		data, err := os.ReadFile(t.Path)
		if err != nil {
			return refuse + err.Error(), nil
		}
		if err := os.WriteFile(filepath.Join(dir, modelName), data, 0o666); err != nil {
			return "", err
		}
	} else {
		o, err := execute(ctx, l, dir, aiglens, "convert", "--to", "aig", "-o", modelName, absolute(t.Path))
		switch {
		case err != nil:
			return "", err
		case o.ended != "":
			return o.ended, nil
		case o.signal != "" || o.exit != 0:
			return refuse + lastLine(o.stderr), nil
		}
	}
	return unfitForABC(filepath.Join(dir, modelName), t.Property != "")
}

// unfitForABC says why ABC would answer another question, or "". one says that
// the task is about one property.
func unfitForABC(path string, one bool) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	// Format of the header: AIGER 1.9, section 2.
	var h struct{ m, i, l, o, a, b, c, j, f int }
	var magic string
	n, _ := fmt.Fscanln(f, &magic, &h.m, &h.i, &h.l, &h.o, &h.a, &h.b, &h.c, &h.j, &h.f)
	switch {
	case n < 6 || magic != "aig":
		return refuse + "no header of a binary AIGER file", nil
	case h.j > 0:
		return notAsked + "abc reads no justice properties", nil
	case h.b > 0 && h.o > 0:
		return notAsked + "abc takes outputs for bads", nil
	case one && h.b+h.o != 1:
		return notAsked + "abc judges all properties together", nil
	}
	return "", nil
}

// parseABC reads what pdr prints.
func (r *Row) parseABC(text string) {
	for line := range strings.Lines(text) {
		var n, clauses int64
		line = strings.TrimSpace(line)
		if _, rest, ok := strings.Cut(line, "was asserted in frame "); ok {
			if _, err := fmt.Sscanf(rest, "%d.", &n); err == nil {
				r.Verdict, r.Frames, r.Steps = Refuted, n, n+1
			}
		}
		if k, _ := fmt.Sscanf(line, "Invariant F[%d] : %d clauses", &n, &clauses); k == 2 {
			r.Frames, r.Clauses = n, clauses
		}
		if strings.HasPrefix(line, "Property proved.") {
			r.Verdict = Proved
		}
	}
	switch {
	case r.Definite():
		r.Reason, r.Certificate, r.Properties = "", Unchecked, 1
	case r.Reason == "":
		r.Reason = refuse + lastLine([]byte(text))
	}
}

// lastLine returns the last line that is not empty.
func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
