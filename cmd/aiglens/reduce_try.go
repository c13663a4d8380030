package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/ic3/verify"
	"aiglens/internal/family"
	"aiglens/internal/lazy"
)

// hasVerdict reports whether the property of a file has the verdict that is to stay. The
// property must be the only one, of the kind that it was.
func (r *reduction) hasVerdict(ctx context.Context, data []byte) bool {
	d, err := open(ctx, design.StandardInput, data, &readFlags{limit: r.goal.bytes})
	if err != nil || d.Elaborate(ctx) != nil {
		return false
	}
	all := d.PropertyIDs()
	if len(all) != 1 || !r.isKind(all[0].Kind) || d.Fault(all[0]) != nil {
		return false
	}
	job := verify.Job{Circuit: d.Circuit(), Property: all[0], Engine: r.engine, Limits: r.goal.limits}
	result := verify.Run(ctx, job, nil)
	if result.Internal != nil || result.Checked.Outcome().String() != r.goal.verdict {
		return false
	}
	if r.steps == 0 {
		r.steps = result.Checked.Trace().Steps()
	}
	return !r.goal.steps || result.Checked.Trace().Steps() == r.steps
}

// isKind reports whether a property may be the one that is to stay: of its kind, or a bad where
// that was an output, which is how BLIF and BTOR2 are written.
func (r *reduction) isKind(k circuit.PropertyKind) bool {
	return k == r.kind || isNamed(r.encoding) && r.kind == circuit.PropertyOutput && k == circuit.PropertyBad
}

// ownFaults is what a check says on standard error when it fails.
var ownFaults = lazy.Pattern(`(?m)^(aiglens: internal error|panic: |fatal error: |runtime: )|a part of the engine failed`)

// trial runs the command of --while, or check, on files.
type trial struct {
	flags *reduceFlags
	path  string
}

// holds reports whether a file has what is to stay.
func (r *trial) holds(ctx context.Context, data []byte, limits verify.Limits) bool {
	if os.WriteFile(r.path, data, 0o600) != nil {
		return false
	}
	if wall := limits.Wall; wall > 0 {
		if r.flags.command == "" {
			wall += 10 * time.Second // check ends by itself
		}
		limited, cancel := context.WithTimeout(ctx, wall)
		defer cancel()
		ctx = limited
	}
	var stderr bytes.Buffer
	cmd := r.shell(ctx)
	if r.flags.command == "" {
		program, err := os.Executable()
		if err != nil {
			return false
		}
		cmd = exec.CommandContext(ctx, program, r.checkArguments(limits)...)
		cmd.Stderr = &stderr
	}
	family.OwnGroup(cmd)
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		return false // too slow, or interrupted
	}
	if !r.flags.crashes {
		return err == nil
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return ownFaults().Match(stderr.Bytes()) && r.flags.command == ""
	}
	// A shell says by 128 + its number that a signal has ended what it ran.
	return exit.ExitCode() < 0 || exit.ExitCode() > exitSignal || r.flags.command == "" && ownFaults().Match(stderr.Bytes())
}

// checkArguments are those of a check with the flags of reduce.
func (r *trial) checkArguments(limits verify.Limits) []string {
	f := &r.flags.check
	args := []string{"check", "--no-cache", "--no-vacuity", "--timeout", limits.Wall.String(), "--cpu", limits.CPU.String(), "--memory", strconv.FormatInt(limits.Memory, 10),
		"--engine", f.engine.Engine, "--variant", f.engine.Variant, "--solver", f.engine.Solver, "--seed", strconv.FormatInt(f.engine.Seed, 10), "--jobs", strconv.Itoa(f.engine.Jobs)}
	if f.engine.Tactics != "" {
		args = append(args, "--tactics", f.engine.Tactics)
	}
	return append(args, r.path)
}

// shell returns the command of --while with the path of the file.
func (r *trial) shell(ctx context.Context) *exec.Cmd {
	path := r.path
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	shell := []string{"/bin/sh", "-c"}
	if runtime.GOOS == "windows" {
		quote = func(s string) string { return `"` + s + `"` }
		shell = []string{"cmd", "/C"}
	}
	line := strings.ReplaceAll(r.flags.command, "{}", quote(path))
	if !strings.Contains(r.flags.command, "{}") {
		line += " " + quote(path)
	}
	return exec.CommandContext(ctx, shell[0], shell[1], line)
}
