package main

import (
	"bufio"
	"fmt"
	"os"

	"aiglens/circuit"
	"aiglens/ic3/classic"
	"aiglens/ic3/engines"
)

// traceLogFlag says where the rules that a variant of IC3 applies are written.
type traceLogFlag struct {
	path string // "" for nowhere

	log *traceLog // nil: none
}

// validate says what is wrong with the flag beside those that choose the engine.
func (f *traceLogFlag) validate(s engines.Spec) error {
	if f.path != "" && s.Variant != string(classic.Gurfinkel) {
		return fmt.Errorf("--trace-log writes the rules of one variant only; add --variant %s", classic.Gurfinkel)
	}
	return nil
}

// open creates the file, for the one property to be judged.
func (f *traceLogFlag) open(answers []*answer) error {
	if f.path == "" {
		return nil
	}
	if len(answers) != 1 {
		return fmt.Errorf("--trace-log follows one property, not %d; choose one with --index or --property", len(answers))
	}
	file, err := os.Create(f.path)
	if err != nil {
		return err
	}
	f.log = &traceLog{file: file, w: bufio.NewWriter(file), circuit: answers[0].circuit, property: answers[0].property}
	return nil
}

// close completes the log.
func (f *traceLogFlag) close() error {
	if f.log == nil {
		return nil
	}
	err := f.log.w.Flush()
	if closeErr := f.log.file.Close(); err == nil {
		err = closeErr
	}
	return err
}

// trace writes the rules that an engine applies; nil without a log.
func (f *traceLogFlag) trace() engines.Trace {
	if f.log == nil {
		return nil
	}
	return f.log.write
}

// traceLog writes one line a rule: its name, the level, and the literals of the
// cube, as l and the position of the latch in the file, with ! for negation.
type traceLog struct {
	file     *os.File
	w        *bufio.Writer
	circuit  *circuit.Circuit
	property circuit.Property
	latches  []int // by position in the cone
}

func (l *traceLog) write(problem *circuit.Circuit, e classic.Event) {
	if l.latches == nil {
		// The engine was given this cone.
		if cone, err := l.circuit.Cone(l.property); err == nil {
			l.latches = cone.Latches
		}
	}
	fmt.Fprintf(l.w, "%s %d", e.Rule, e.Frame)
	for _, lit := range e.Cube {
		sign := ""
		if lit.IsNegated() {
			sign = "!"
		}
		fmt.Fprintf(l.w, " %sl%d", sign, l.latches[problem.LatchIndex(lit.Var())])
	}
	fmt.Fprintln(l.w)
}
