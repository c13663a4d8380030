package main

import (
	"errors"
	"fmt"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design/answers"
	"aiglens/design/horndesign"
	"aiglens/ic3/verify"
)

// tally is what a check has come to so far.
type tally struct {
	many      bool // the check is of a folder or several files
	standings map[verify.Standing]bool
	// outcomes are counted by kind: what is shown of a lemma or a cover is not a property proved or refuted.
	properties, lemmas, covers map[cert.Outcome]int
	without, unread            int     // files
	faults                     []error // of files, in order
	unwritten                  bool    // a result could not be written
}

func newTally(many bool) *tally {
	return &tally{
		many:       many,
		standings:  map[verify.Standing]bool{},
		properties: map[cert.Outcome]int{}, lemmas: map[cert.Outcome]int{}, covers: map[cert.Outcome]int{},
	}
}

// count counts what was shown of a property.
func (t *tally) count(p circuit.Property, o cert.Outcome) {
	t.standings[verify.StandingOf(p.Kind, o)] = true
	switch p.Kind {
	case circuit.PropertyLemma:
		t.lemmas[o]++
	case circuit.PropertyCover:
		t.covers[o]++
	default:
		t.properties[o]++
	}
}

// addFile counts what is known of a file before its answers.
func (t *tally) addFile(f *fileReport) {
	switch {
	case f.err != nil:
		t.faults = append(t.faults, f.err)
	case f.unread:
		t.unread++
		t.standings[verify.Open] = true
	case f.without != "" && !f.isForeign:
		t.without++
	}
}

// addBroken counts a file of whose properties so many were not checked for its errors. Beside other
// files it is listed at the end.
func (t *tally) addBroken(file string, properties int) {
	if properties == 0 {
		return
	}
	err := fmt.Errorf("%s: the file has errors: %s not checked", file, answers.Count(properties, "property", "properties"))
	if !t.many {
		err = &reportedError{err}
	}
	t.faults = append(t.faults, err)
}

// addUnwritten counts a file about an answer that is not there. Where a limit has ended its making, that is
// left open.
func (t *tally) addUnwritten(err error) {
	if _, isLimit := errors.AsType[limitError](err); isLimit {
		t.standings[verify.Open] = true
		return
	}
	t.unwritten = true
}

// code returns the exit code. What was refuted stands, whatever cannot be read beside it; a result
// that cannot be written is an error in any case.
func (t *tally) code() int {
	if t.unwritten {
		return exitUsage
	}
	code := exitOK
	if len(t.faults) > 0 {
		code = exitUsage
	}
	return exitCode(code, t.standings)
}

// tell writes what stands in no answer: why files have none, how many have no property or were not
// read, and on a terminal what a check of many files has come to.
func (t *tally) tell(e env, flags *checkFlags, took time.Duration) {
	for _, fault := range t.faults {
		if reported, is := errors.AsType[*reportedError](fault); is && t.many { // far above, perhaps
			fault = reported.error
		}
		problem(e, "%v", fault)
	}
	if t.unread > 0 {
		fmt.Fprintf(e.stderr, "aiglens: the deadline of %s has passed, unread files: %d\n", flags.deadline, t.unread)
	}
	switch {
	case t.many && e.terminal != nil:
		fmt.Fprintln(e.stderr, t.summary(took))
	case t.without > 0:
		fmt.Fprintf(e.stderr, "aiglens: %s; --require-properties makes that an error\n", t.filesWithout())
	}
}

func (t *tally) filesWithout() string {
	return answers.Count(t.without, "file", "files") + " without properties"
}

// summary says in one line what a check of many files has come to.
func (t *tally) summary(took time.Duration) string {
	unknown := t.properties[cert.Unknown] + t.covers[cert.Unknown]
	words := fmt.Sprintf("%s proved, %s refuted, %s unknown in %s", answers.Thousands(t.properties[cert.Proved]), answers.Thousands(t.properties[cert.Refuted]), answers.Thousands(unknown), shortTime(took))
	for _, part := range []struct {
		n     int
		words string
	}{
		{t.covers[cert.Refuted], answers.Count(t.covers[cert.Refuted], "cover", "covers") + " reached"},
		{t.covers[cert.Proved], answers.Count(t.covers[cert.Proved], "cover", "covers") + " never reached"},
		{t.lemmas[cert.Proved], answers.Count(t.lemmas[cert.Proved], "lemma", "lemmas") + " proved"},
		{t.lemmas[cert.Refuted] + t.lemmas[cert.Unknown], answers.Count(t.lemmas[cert.Refuted]+t.lemmas[cert.Unknown], "lemma", "lemmas") + " not proved"},
		{t.without, t.filesWithout()},
		{t.unread, answers.Count(t.unread, "file", "files") + " not read"},
		{len(t.faults), answers.Count(len(t.faults), "error", "errors")},
	} {
		if part.n > 0 {
			words += "; " + part.words
		}
	}
	return words
}

// shortTime is a time for a person, in tenths of a second up to ten seconds.
func shortTime(d time.Duration) string {
	if d < 9950*time.Millisecond {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

// withoutPropertiesError says that a file has nothing to check.
type withoutPropertiesError struct{ file, why string }

func (e *withoutPropertiesError) Error() string { return e.file + ": " + e.why }

// excuse takes from a file below a folder the error that it has no property, which is none there unless the flags ask for
// one; not from one with errors, where a property may be missing for these. A text of SMT-LIB in another logic is for
// other programs: a remark says so.
func (f *fileReport) excuse(e env, flags *checkFlags) {
	without, ok := errors.AsType[*withoutPropertiesError](f.err)
	if !ok || hasErrors(f.diagnostics) {
		return
	}
	if f.isForeign = horndesign.IsOtherLogic(f.in); f.isForeign {
		e.remark(f.name, without.why)
	}
	if f.isForeign || !flags.requireProperties && len(flags.names)+len(flags.indices) == 0 {
		f.err, f.without = nil, without.why
	}
}
