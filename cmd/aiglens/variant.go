package main

import (
	"bufio"
	"fmt"
	"os"

	"aiglens/circuit"
	"aiglens/ic3/classic"
	"aiglens/ic3/verify"
)

// variantFlags choose a published variant of IC3 and say where the rules that it
// applies are written.
type variantFlags struct {
	name     string
	traceLog string

	log *traceLog // nil: none
}

// validate says what is wrong with the flags.
func (f *variantFlags) validate() error {
	if f.name != "" {
		if _, err := classic.VariantNamed(f.name); err != nil {
			return fmt.Errorf("--variant: %v", err)
		}
	}
	if f.traceLog != "" && f.name != string(classic.Gurfinkel) {
		return fmt.Errorf("--trace-log writes the rules of one variant only; add --variant %s", classic.Gurfinkel)
	}
	return nil
}

// openLog creates the file of --trace-log, for the one property to be judged.
func (f *variantFlags) openLog(answers []*answer) error {
	if f.traceLog == "" {
		return nil
	}
	if len(answers) != 1 {
		return fmt.Errorf("--trace-log follows one property, not %d; choose one with --index or --property", len(answers))
	}
	file, err := os.Create(f.traceLog)
	if err != nil {
		return err
	}
	f.log = &traceLog{file: file, w: bufio.NewWriter(file), circuit: answers[0].model.circuit, property: answers[0].property}
	return nil
}

// close completes the log.
func (f *variantFlags) close() error {
	if f.log == nil {
		return nil
	}
	err := f.log.w.Flush()
	if closeErr := f.log.file.Close(); err == nil {
		err = closeErr
	}
	return err
}

// engine returns the engine for one job.
func (f *variantFlags) engine(o classic.Options) verify.Engine {
	o.Variant = classic.Variant(f.name)
	engine := &verify.Classic{Options: o}
	if f.log != nil {
		engine.Trace = f.log.write
	}
	return engine
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
