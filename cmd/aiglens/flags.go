package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/cluster"
	"aiglens/internal/worker"
)

// proofFlags are what is said of a proof.
type proofFlags struct{ facts, unneeded, noVacuity bool }

// checkFlags are the flags of check, as the user gave them.
type checkFlags struct {
	proofFlags
	names       stringList
	indices     propertyList
	limits      verify.Limits
	deadline    time.Duration // of the whole check; 0 is none
	engine      engines.Spec
	processes   bool
	on          onFlag
	workers     int
	format      string
	witnesses   string
	certificate string
	noCache     bool
	stats       bool
	// requireProperties makes a file below a folder an error that has no property.
	requireProperties bool
	anyCircuit        bool // one without properties will do
	clauses           clauseUse
	files             readFlags
	traceLog          traceLogFlag
	// cache has the results of earlier runs; nil for none.
	cache verify.Cache
	// pool has the worker processes of --processes; nil without.
	pool *worker.Pool
}

func (f *checkFlags) register(fs *flag.FlagSet) {
	f.limits.Wall = verify.DefaultWall
	fs.Var(&f.names, "property", "check only the property of this `name`; may be repeated")
	fs.Var(&f.indices, "index", "check only this property, as `KIND:N` (bad:0, output:2, justice:1); may be repeated")
	f.files.registerLemmas(fs)
	f.registerLimits(fs)
	fs.Var((*duration)(&f.deadline), "deadline", "wall `time` for the whole command, with the time in the queue of a cluster; what has no answer by then is unknown; 0 is no limit")
	registerEngine(fs, &f.engine)
	fs.BoolVar(&f.processes, "processes", false, "run each engine of --engine portfolio in a process of its own")
	f.on.register(fs)
	fs.StringVar(&f.traceLog.path, "trace-log", "", "write into this `file` the rules that --variant gurfinkel applies")
	fs.IntVar(&f.workers, "workers", 0, "properties checked at a time; 0 is one for each core (for each --jobs cores with --engine portfolio), or one when --cpu or --memory is given")
	fs.StringVar(&f.format, "format", "text", "output `format`: text, json, hwmcc, sarif or junit")
	fs.StringVar(&f.witnesses, "witness", "", "write the counterexample of each refuted property, or the derivation of a query that is reached, below this `directory`, in the same folders as the files")
	fs.StringVar(&f.certificate, "certificate", "", "write a witness circuit for each proved property, or the definitions of a safe query, below this `directory`, in the same folders as the files")
	fs.BoolVar(&f.requireProperties, "require-properties", false, "a file without properties is an error also below a folder")
	fs.BoolVar(&f.noCache, "no-cache", false, "neither use results of earlier runs nor keep new ones")
	fs.BoolVar(&f.stats, "stats", false, "print what the engine did")
	fs.BoolVar(&f.noVacuity, "no-vacuity", false, "do not look for vacuous proofs, those that mean little")
	fs.BoolVar(&f.unneeded, "unneeded", false, "say which part of the circuit can change without breaking each proof (text; json lists it)")
	fs.BoolVar(&f.facts, "facts", false, "say what each proof implies about the latches (text and json)")
	f.files.register(fs)
}

// registerLimits registers the limits of one property.
func (f *checkFlags) registerLimits(fs *flag.FlagSet) {
	fs.Var((*duration)(&f.limits.Wall), "timeout", "wall `time` for each property; 0 is no limit")
	fs.Var((*duration)(&f.limits.CPU), "cpu", "CPU `time` for each property; 0 is no limit")
	fs.Var((*size)(&f.limits.Memory), "memory", "heap `size` at which a check ends, such as 512M or 2G; 0 is no limit")
}

// validate says what is wrong with the flags, and completes them.
func (f *checkFlags) validate() error {
	if err := f.engine.Validate(); err != nil {
		return fmt.Errorf("--%w", err)
	}
	if err := f.traceLog.validate(f.engine); err != nil {
		return err
	}
	if _, ok := formats[f.format]; !ok {
		return errNoFormat("format", f.format, checkChoices)
	}
	if f.processes && (f.engine.Engine != engines.Portfolio || f.engine.Variant != "") {
		return fmt.Errorf("--processes: only --engine %s has several engines", engines.Portfolio)
	}
	if err := f.on.validate(); err != nil {
		return err
	}
	if f.on.where != "" && (f.processes || f.traceLog.path != "") {
		return fmt.Errorf("--on cannot be combined with --processes and --trace-log, which concern engines of this process")
	}
	if f.on.where != "" {
		checks := f.on.settle(&f.engine)
		if f.workers == 0 {
			f.workers = f.on.workers(checks)
		}
	}
	if f.workers < 0 {
		return fmt.Errorf("--workers must not be negative")
	}
	if f.workers == 0 {
		f.workers = max(1, runtime.NumCPU()/f.engine.Processors())
		if f.limits.CPU > 0 || f.limits.Memory > 0 {
			f.workers = 1
		}
	}
	return nil
}

// errDeadline ends a check whose --deadline has passed.
var errDeadline = errors.New("deadline")

// untilDeadline returns a context that ends with ctx and at the deadline.
func (f *checkFlags) untilDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if f.deadline == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, f.deadline, errDeadline)
}

// isLate reports whether the deadline has ended a context.
func isLate(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errDeadline) }

// silent is a cache that is told answers and asked for none.
type silent struct{ verify.Cache }

func (silent) Lookup(circuit.Fingerprint, circuit.Problem) (e verify.Entry, ok bool) {
	return e, false
}

// openCache opens the result cache where the flags of fs do not forbid it.
func (f *checkFlags) openCache(e env, fs *flag.FlagSet) {
	if f.on.asker != nil {
		f.on.asker.Fresh = f.noCache || isSet(fs, append(engineFlags, "stats")...)
	}
	if f.noCache {
		return
	}
	f.cache = openCache(e, "")
	if f.on.asker != nil && f.on.local == 0 {
		f.cache = cluster.Verdicts{Asker: f.on.asker, Next: f.cache}
	}
	if f.cache != nil && isSet(fs, append(engineFlags, "stats")...) {
		f.cache = silent{f.cache}
	}
}

// openPool makes the pool of --processes. The function that it returns ends its processes.
func (f *checkFlags) openPool() (end func(), err error) {
	if !f.processes {
		return func() {}, nil
	}
	if f.pool, err = newPool(); err != nil {
		return nil, err
	}
	return f.pool.Close, nil
}

// engineOf returns the engine that valid flags name.
func engineOf(spec engines.Spec) verify.Engine {
	engine, err := spec.New()
	if err != nil {
		panic(err)
	}
	return engine
}

// newEngine returns the engine. The flags must be valid.
func (f *checkFlags) newEngine() verify.Engine {
	if f.on.asker != nil {
		return f.on.asker.Engine(f.engine)
	}
	if f.pool != nil {
		return f.pool.Portfolio(f.engine)
	}
	engine, err := f.engine.NewTraced(f.traceLog.trace())
	if err != nil {
		panic(err)
	}
	return engine
}

// newEngineFor returns the engine for a file, whose name a cluster is told.
func (f *checkFlags) newEngineFor(file string) verify.Engine {
	if f.on.asker != nil {
		return cluster.About(f.newEngine(), file)
	}
	return f.newEngine()
}

// engineName returns what the user reads of an engine that has not answered.
func (f *checkFlags) engineName() string { return f.newEngine().Name }

// options says the flags that decide a verdict, as one line.
func (f *checkFlags) options() string {
	options := fmt.Sprintf("engine=%s solver=%s timeout=%s cpu=%s memory=%d", f.engine.Engine, f.engine.Solver, f.limits.Wall, f.limits.CPU, f.limits.Memory)
	if f.engine.Variant != "" {
		options += " variant=" + f.engine.Variant
	}
	if f.engine.Tactics != "" {
		options += " tactics=" + f.engine.Tactics
	}
	if jobs := f.engine.Processors(); jobs > 1 && (f.on.where == "" || f.engine.Jobs > 0) {
		options += fmt.Sprintf(" jobs=%d", jobs)
	}
	if f.processes {
		options += " processes"
	}
	if f.on.where != "" {
		options += " on=" + f.on.where
	}
	return options
}

// timeoutOf returns the value of the flag --timeout; 0 is none.
func timeoutOf(fs *flag.FlagSet) time.Duration {
	if f := fs.Lookup("timeout"); f != nil {
		return time.Duration(*f.Value.(*duration))
	}
	return 0
}

// duration is a time.Duration flag that also takes bare seconds.
type duration time.Duration

func (d *duration) String() string { return time.Duration(*d).String() }

func (d *duration) Set(s string) error {
	if seconds, err := strconv.ParseFloat(s, 64); err == nil {
		s = strconv.FormatFloat(seconds, 'f', -1, 64) + "s"
	}
	v, err := time.ParseDuration(s)
	if err != nil || v < 0 {
		return fmt.Errorf("expected a time such as 30s or 5m")
	}
	*d = duration(v)
	return nil
}

// size is a flag of bytes with an optional binary suffix.
type size int64

func (b *size) String() string {
	for i := len(sizeSuffixes); i > 0; i-- {
		if n := int64(*b) >> (10 * i); n > 0 && n<<(10*i) == int64(*b) {
			return strconv.FormatInt(n, 10) + sizeSuffixes[i-1:i]
		}
	}
	return strconv.FormatInt(int64(*b), 10)
}

const sizeSuffixes = "KMGT"

func (b *size) Set(s string) error {
	number, shift := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(s), "B"), "I"), 0
	if n := len(number); n > 0 {
		if i := strings.IndexByte(sizeSuffixes, number[n-1]); i >= 0 {
			number, shift = number[:n-1], 10*(i+1)
		}
	}
	v, err := strconv.ParseInt(number, 10, 64)
	if err != nil || v < 0 || v > (1<<62)>>shift {
		return fmt.Errorf("expected a size such as 512M or 2G")
	}
	*b = size(v << shift)
	return nil
}

// stringList is a flag that may be repeated.
type stringList []string

func (l *stringList) String() string     { return strings.Join(*l, ",") }
func (l *stringList) Set(s string) error { *l = append(*l, s); return nil }

// formFlag is a flag that names a form of names, and may be repeated.
type formFlag design.WordForms

func (f *formFlag) String() string { return "" }

func (f *formFlag) Set(s string) error {
	forms, err := design.WordFormsOf([]string{s})
	*f |= formFlag(forms)
	return err
}

// propertyList is a flag KIND:N that may be repeated.
type propertyList []circuit.Property

func (l *propertyList) String() string { return fmt.Sprint(*l) }

func (l *propertyList) Set(s string) error {
	kind, number, _ := strings.Cut(s, ":")
	index, err := strconv.Atoi(number)
	for _, k := range []circuit.PropertyKind{circuit.PropertyBad, circuit.PropertyOutput, circuit.PropertyJustice, circuit.PropertyLemma, circuit.PropertyCover} {
		if kind == k.String() && err == nil && index >= 0 {
			*l = append(*l, circuit.Property{Kind: k, Index: index})
			return nil
		}
	}
	return fmt.Errorf("expected bad:N, output:N, justice:N, lemma:N or cover:N")
}
