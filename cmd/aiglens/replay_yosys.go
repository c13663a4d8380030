package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/btor2design"
	"aiglens/design/runs"
	"aiglens/internal/wave"
	"aiglens/internal/yosys"
)

// formatYosys is the format of witness traces of Yosys.
const formatYosys = "yw"

// readTrace reads a witness trace of Yosys as a run without a property. Where a constraint is x in it, each
// x is taken as 0.
func (f *replayFlags) readTrace(ctx context.Context, e env, in *design.Design, data []byte) (run cert.Trace, err error) {
	m, err := runs.YosysMapOf(in)
	if err != nil {
		return run, err
	}
	read, fault := yosys.ReadTrace(data)
	var unknown []string
	if fault == nil {
		run, unknown, fault = runs.FromYosys(in, m, read)
	}
	switch {
	case fault != nil:
		return run, fmt.Errorf("%s: %w", f.witness, fault)
	case run.Steps() == 0:
		return run, fmt.Errorf("%s: the run has no step", f.witness)
	case len(unknown) > 0:
		e.remark(f.witness, fmt.Sprintf("the map does not have %s, whose values are ignored", firstOf(unknown)))
	}
	wide := runs.Widen(in, run)
	if _, refused := errors.AsType[*trace.Refusal](trace.Allowed(ctx, in.Circuit(), wide)); refused {
		if zeros := trace.Concrete(in.Circuit(), wide); trace.Allowed(ctx, in.Circuit(), zeros) == nil {
			e.remark(f.witness, "each value that it does not give is taken as 0")
			for i, row := range zeros.Inputs {
				zeros.Inputs[i] = row[:in.NumInputs()]
			}
			return zeros, nil
		}
	}
	return run, nil
}

// mostListed bounds the names of a list.
const mostListed = 5

// firstOf names the first of some.
func firstOf(names []string) string {
	if more := len(names) - mostListed; more > 0 {
		names = append(slices.Clone(names[:mostListed]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// trace returns a run as a witness trace of Yosys, and says what that cannot hold.
func (p *player) trace(ctx context.Context, r replayed) ([]byte, error) {
	in := r.answer.in
	m, err := runs.YosysMapOf(in)
	if err != nil {
		return nil, err
	}
	if in.Kind == btor2design.Format && in.URI != design.StandardInput {
		info := strings.TrimSuffix(in.URI, filepath.Ext(in.URI)) + ".info"
		data, err := p.flags.selected.files.content(ctx, p.e, info)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		m.Clocks = btor2design.ClocksOf(in, yosys.ReadClocks(data))
	}
	run := r.Run
	if r.Loop >= 0 {
		rounds := p.flags.rounds
		if rounds == 0 {
			rounds = wave.Rounds(wave.VCD)
		}
		loop := run.Inputs[r.Loop:]
		run.Inputs = slices.Clone(run.Inputs)
		for range rounds - 1 {
			run.Inputs = append(run.Inputs, loop...)
		}
		p.e.remark(in.URI, fmt.Sprintf("the format has no loops: %s of one that repeats for ever, from step %d on", answers.Count(rounds, "round", "rounds"), r.Loop))
	}
	written, left := runs.ToYosys(in, m, run)
	var names []string
	for _, i := range left {
		if at := i - in.NumInputs(); at >= 0 {
			names = append(names, fmt.Sprint("the start of l", at))
			continue
		}
		names = append(names, fmt.Sprint("i", i))
	}
	if len(left) > 0 {
		p.e.remark(in.URI, fmt.Sprintf("the map does not have the inputs %s, whose values are left out", firstOf(names)))
	}
	return written.Append(nil), nil
}
