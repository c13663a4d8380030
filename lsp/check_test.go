package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/lsp/ide"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/settings"
	"aiglens/lsp/wire"
)

// toggle has one latch that toggles; bad 0 refutes at step 1. A second latch,
// outside its cone, keeps bad 1 proved.
const toggle = `aag 2 0 2 0 0 2
2 3
4 4
2
4
l0 flip
l1 stuck
`

// edited returns toggle with one line replaced.
func edited(line int, text string) string {
	lines := strings.Split(toggle, "\n")
	lines[line-1] = text
	return strings.Join(lines, "\n")
}

const (
	refutedAt1 = "refuted at step 1"
	provedT    = "proved · depth 1 · 1 clause · T s"
)

func (b *bench) expectTitles(want ...string) {
	b.t.Helper()
	b.awaitTitles(doc, strings.Join(want, " | "), func(titles []string) bool {
		for i := range titles {
			titles[i] = elapsed.ReplaceAllString(titles[i], "T s")
		}
		return slices.Equal(titles, want)
	})
}

// expectTitlesNow is for what must hold at once, without a refresh before.
func (b *bench) expectTitlesNow(want ...string) {
	b.t.Helper()
	titles := b.titles(doc)
	for i := range titles {
		titles[i] = elapsed.ReplaceAllString(titles[i], "T s")
	}
	if !slices.Equal(titles, want) {
		b.t.Errorf("lenses %q, expected %q", titles, want)
	}
}

func (b *bench) expectRuns(n int32) {
	b.t.Helper()
	if got := b.runs.Load(); got != n {
		b.t.Errorf("%d runs, expected %d", got, n)
	}
}

// checked opens toggle, saves it and waits for both verdicts.
func checked(t *testing.T) *bench {
	t.Helper()
	var learnt atomic.Int32
	b := newBench(t, explicit, func(o *Options) { o.onLearnt = func() { learnt.Add(1) } })
	b.Initialize(capable, nil)
	b.open(doc, toggle)
	b.expectTitlesNow("check", "check")
	b.save(doc)
	b.expectTitles(refutedAt1, provedT)
	b.await(func() bool { return learnt.Load() >= 2 })
	b.expectRuns(2)
	return b
}

func TestSaveChecksOnce(t *testing.T) {
	b := checked(t)
	b.save(doc)
	b.settled(doc)
	b.expectTitlesNow(refutedAt1, provedT)
	b.expectRuns(2)
}

// TestIdleHoldsNoCircuit: a verdict outlives the version it was given for, and
// must not keep its circuit.
func TestIdleHoldsNoCircuit(t *testing.T) {
	s := checked(t).server.session
	s.queue.Do(func() {
		for _, f := range s.texts.files {
			for p := range f.checks.Properties() {
				if f.checks.Job(p).Circuit != nil {
					t.Errorf("%s is idle and holds a circuit", p)
				}
			}
		}
	})
}

func TestEditInTheConeMakesStale(t *testing.T) {
	b := checked(t)
	b.replace(doc, 2, edited(2, "2 3 1"))
	b.expectTitlesNow("stale · "+refutedAt1, provedT)
	ds := b.diagnostics(doc)
	if i := slices.IndexFunc(ds, func(d diagnostic) bool { return d.Code == "refuted" }); i < 0 || ds[i].Severity != 4 {
		t.Errorf("a stale refutation is not a hint: %v", ds)
	}
	b.save(doc)
	b.expectTitles("refuted at step 0", provedT)
	b.expectRuns(2) // the counterexample that was known is one still

	b.replace(doc, 3, toggle) // undo
	b.expectTitlesNow(refutedAt1, provedT)
	b.save(doc)
	b.settled(doc)
	b.expectTitlesNow(refutedAt1, provedT)
	b.expectRuns(2)
}

// TestQuestionThatNoEngineAnswers: the refusal is about the kind of the property, so it
// is fresh whatever the text says.
func TestQuestionThatNoEngineAnswers(t *testing.T) {
	const live, want = "aag 1 0 1 0 0 0 0 1\n2 3\n1\n2\n", "unknown: this engine does not check justice properties"
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.open(doc, live)
	b.save(doc)
	b.expectTitles(want)
	b.replace(doc, 2, strings.Replace(live, "2 3", "2 2", 1))
	b.expectTitlesNow(want)
	b.save(doc)
	b.settled(doc)
	b.expectTitlesNow(want)
	b.expectRuns(0)
}

// answering is an engine for questions of liveness: it says that the first latch is 0 for
// ever.
var answering = verify.Engine{Name: "fake", Safety: true, Liveness: true, Check: func(_ context.Context, t verify.Task) verify.Report {
	r, err := t.Problem.Circuit.Repetition(t.Problem.Property())
	if err != nil {
		return verify.Report{Err: err}
	}
	zero := cert.Invariant{{r.Circuit.Latches()[0].Lit.Not()}}
	return verify.Report{Verdict: cert.Verdict{Outcome: cert.Proved, Ranking: &cert.Ranking{Ranks: []cert.Invariant{zero}}}}
}}

// TestAnotherEngineAnswers: what one engine has refused, the next save asks the one that
// was chosen since.
func TestAnotherEngineAnswers(t *testing.T) {
	b := newBench(t, explicit, func(o *Options) {
		refusing := o.Engine
		o.Engine = func(s engines.Spec) verify.Engine {
			if s.Engine == "ic3" {
				return answering
			}
			return refusing(s)
		}
	})
	b.Initialize(capable, nil)
	b.open(doc, "aag 1 0 1 0 0 0 0 1\n2 2\n1\n2\n")
	b.save(doc)
	b.expectTitles("unknown: this engine does not check justice properties")
	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
		"aiglens": map[string]any{"check": map[string]any{"engine": "ic3"}}}})
	b.save(doc)
	b.expectTitles("proved · 1 rank · T s")
	b.save(doc)
	b.settled(doc)
	b.expectTitlesNow("proved · 1 rank · T s")
}

// TestResetCycleOutsideTheCone forbids a verdict on the property that it decides,
// and neither hinders the other one nor leaves a trace when it is repaired.
func TestResetCycleOutsideTheCone(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.open(doc, edited(3, "4 4 5"))
	b.save(doc)
	b.expectTitles(refutedAt1, "unknown: error on line 3: the reset of latch 4 depends on the latch itself")
	b.replace(doc, 2, toggle)
	b.save(doc)
	b.expectTitles(refutedAt1, provedT)
}

// TestEqualCones makes the cone of one property that of the other, whose
// verdict is known.
func TestEqualCones(t *testing.T) {
	b := checked(t)
	b.replace(doc, 2, edited(2, "2 2"))
	b.expectTitlesNow(provedT, provedT)
	b.save(doc)
	b.settled(doc)
	b.expectRuns(2)
}

func TestEditOutsideTheConeStaysFresh(t *testing.T) {
	b := checked(t)
	b.replace(doc, 2, edited(6, "l0 renamed")+"c\na comment\n")
	b.expectTitlesNow(refutedAt1, provedT)
	b.replace(doc, 3, edited(3, "4 4 1"))
	b.expectTitlesNow(refutedAt1, "stale · "+provedT)
	b.expectRuns(2)
}

// TestRowsMove inserts a latch in front: the verdict holds, at other places.
func TestRowsMove(t *testing.T) {
	b := checked(t)
	b.replace(doc, 2, "aag 3 0 3 0 0 2\n6 6 1\n2 3\n4 4\n2\n4\nl1 flip\n")
	b.expectTitlesNow(refutedAt1, provedT)
	var all []wire.LatchTrace
	b.MustCall("workspace/executeCommand", command(wire.CommandLatches.Name, wire.PropertyParams{URI: doc, Property: "bad:0"}), &all)
	if len(all) != 1 || all[0].Name != "flip" || all[0].Values != "01" || all[0].Location.Range.Start.Line != 2 {
		t.Errorf("latches %+v", all)
	}
}

// TestRowsOfPropertiesMove: a stale verdict stays with its property, and one that
// was never checked has none.
func TestRowsOfPropertiesMove(t *testing.T) {
	check := func(symbols string) {
		t.Helper()
		b := newBench(t, explicit)
		b.Initialize(capable, nil)
		b.open(doc, toggle+symbols)
		b.save(doc)
		b.expectTitles(refutedAt1, provedT)
		b.replace(doc, 2, "aag 2 0 2 0 0 3\n2 3 1\n4 4 1\n5\n2\n4\n"+strings.NewReplacer("b1", "b2", "b0", "b1").Replace(symbols))
		b.expectTitlesNow("check", "stale · "+refutedAt1, "stale · "+provedT)
		b.expectRuns(2)
	}
	check("")
	check("b0 first\nb1 second\n")
}

// isFault says that a lens names an error that forbids a verdict.
func isFault(title string) bool {
	return regexp.MustCompile(`^unknown: error on line [0-9]+: .`).MatchString(title)
}

func TestNoFreshVerdictBesideAnError(t *testing.T) {
	b := checked(t)
	for version, text := range []string{edited(2, "2 9"), edited(2, "2 x"), edited(2, "2"), edited(1, "aag 2 0 2 0 0")} {
		b.replace(doc, version+2, text)
		b.settled(doc)
		if titles := b.titles(doc); len(titles) > 0 && !isFault(titles[0]) {
			t.Errorf("lenses %q beside an error", titles)
		}
		if i := slices.IndexFunc(b.diagnostics(doc), func(d diagnostic) bool { return d.Code == "refuted" && d.Severity < 4 }); i >= 0 {
			t.Errorf("a verdict beside an error: %v", b.diagnostics(doc))
		}
	}
	b.save(doc)
	b.replace(doc, 9, toggle)
	b.expectTitlesNow(refutedAt1, provedT)
}

func TestLyingEngines(t *testing.T) {
	lies := map[string]func(*cert.Verdict){
		"trace":     func(v *cert.Verdict) { v.Trace.Inputs = v.Trace.Inputs[:len(v.Trace.Inputs)/2] },
		"reset":     func(v *cert.Verdict) { v.Trace.Initial = []circuit.Value{circuit.One} },
		"short":     func(v *cert.Verdict) { v.Trace.Initial = nil },
		"invariant": func(v *cert.Verdict) { v.Invariant = nil },
		"empty":     func(v *cert.Verdict) { v.Invariant = cert.Invariant{{}} },
		"foreign":   func(v *cert.Verdict) { v.Invariant = cert.Invariant{{999}} },
		"proved":    func(v *cert.Verdict) { *v = cert.Verdict{Outcome: cert.Proved} },
		"refuted":   func(v *cert.Verdict) { *v = cert.Verdict{Outcome: cert.Refuted} },
	}
	for name, lie := range lies {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, func(ctx context.Context, c *circuit.Circuit, report func(verify.Progress)) (cert.Verdict, error) {
				v, err := explicit(ctx, c, report)
				lie(&v)
				return v, err
			})
			b.Initialize(capable, map[string]any{"diagnostics": map[string]any{"proved": "on"}})
			b.open(doc, toggle)
			b.checkAll()
			lied := 0
			for i, title := range b.titles(doc) {
				truth := []string{refutedAt1, provedT}[i]
				if title := elapsed.ReplaceAllString(title, "T s"); title != truth && !strings.HasPrefix(title, "unknown: internal error") {
					t.Errorf("lens %q of property %d", title, i)
				} else if title != truth {
					lied++
				}
			}
			if lied == 0 {
				t.Error("the lie had no effect, so this test tests nothing")
			}
			internal := 0
			for _, d := range b.diagnostics(doc) {
				if d.Code == "internal-error" && strings.Contains(d.Message, "internal error, certificate rejected") {
					internal++
				}
			}
			if internal != lied {
				t.Errorf("%d diagnostics about %d lies: %v", internal, lied, b.diagnostics(doc))
			}
		})
	}
}

func TestPanickingEngine(t *testing.T) {
	b := newBench(t, func(context.Context, *circuit.Circuit, func(verify.Progress)) (cert.Verdict, error) {
		panic("as intended")
	})
	b.Initialize(capable, nil)
	b.open(doc, toggle)
	b.checkAll()
	for _, title := range b.titles(doc) {
		if !strings.HasPrefix(title, "unknown: internal error, engine failed") {
			t.Errorf("lens %q", title)
		}
	}
	internal := 0
	for _, d := range b.diagnostics(doc) {
		if d.Code == "internal-error" && strings.HasSuffix(d.Message, ": internal error, engine failed; see the log") {
			internal++
		}
	}
	if internal != 2 {
		t.Errorf("%d internal errors, expected 2: %v", internal, b.diagnostics(doc))
	}
}

func TestTimeout(t *testing.T) {
	b := newBench(t, newGate().behind(explicit))
	b.Initialize(capable, map[string]any{"check": map[string]any{"timeout": 0.05}})
	b.open(doc, toggle)
	b.save(doc)
	b.expectTitles("unknown: timeout of 0.05 s, no violation in 7 steps", "unknown: timeout of 0.05 s, no violation in 7 steps")
	b.save(doc)
	b.settled(doc)
	b.expectRuns(2)
	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
		"aiglens": map[string]any{"check": map[string]any{"timeout": 0.06}}}})
	b.save(doc) // with more time it is worth another try
	b.await(func() bool { return b.runs.Load() == 4 })
	b.expectTitles("unknown: timeout of 0.06 s, no violation in 7 steps", "unknown: timeout of 0.06 s, no violation in 7 steps")
}

// TestNewTimeoutForgetsOnce: what is forgotten and found again must not push out
// the verdicts of others.
func TestNewTimeoutForgetsOnce(t *testing.T) {
	b := newBench(t, newGate().behind(explicit))
	b.Initialize(capable, map[string]any{"check": map[string]any{"timeout": 0.01}})
	b.open(doc, toggle)
	for round := range 3 {
		b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
			"aiglens": map[string]any{"check": map[string]any{"timeout": 0.02 + float64(round)/100}}}})
		b.checkAll()
		b.await(func() bool { return b.runs.Load() == int32(2*round+2) })
		words := fmt.Sprintf("unknown: timeout of %g s, no violation in 7 steps", 0.02+float64(round)/100)
		b.expectTitles(words, words)
	}
	s := b.server.session
	s.queue.Do(func() {
		for _, f := range s.texts.files {
			if n := len(f.checks.Results()); n != 2 {
				t.Errorf("%d verdicts", n)
			}
		}
	})
}

// TestMemoryLimit is one that no check keeps, and then none.
func TestMemoryLimit(t *testing.T) {
	g := newGate()
	b := newBench(t, g.behind(explicit))
	ballast := make([]byte, 4<<20)
	b.Initialize(capable, map[string]any{"check": map[string]any{"memory": 1}})
	b.open(doc, toggle)
	b.save(doc)
	b.expectTitles("unknown: memory limit of 1 MB, no violation in 7 steps", "unknown: memory limit of 1 MB, no violation in 7 steps")
	runtime.KeepAlive(ballast)
	g.open <- struct{}{}
	g.open <- struct{}{}
	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
		"aiglens": map[string]any{"check": map[string]any{"memory": 0}}}})
	b.save(doc)
	b.expectTitles(refutedAt1, provedT)
	if got := settings.Default().Run.Limits.Memory; got != 4096<<20 {
		t.Errorf("%d bytes by default", got)
	}
}

// TestTimeoutKeepsVerdict checks again with no time to do it.
func TestTimeoutKeepsVerdict(t *testing.T) {
	g := newGate()
	b := newBench(t, g.behind(explicit))
	b.Initialize(capable, nil)
	g.open <- struct{}{}
	g.open <- struct{}{}
	b.open(doc, toggle)
	b.save(doc)
	b.expectTitles(refutedAt1, provedT)
	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
		"aiglens": map[string]any{"check": map[string]any{"timeout": 0.01}}}})
	b.checkAll()
	b.await(func() bool { return b.runs.Load() == 4 })
	b.expectTitles(refutedAt1, provedT)
}

// await waits for something that no message tells; each round has the server
// work off what it has been sent.
func (b *bench) await(cond func() bool) {
	b.t.Helper()
	for range 10000 {
		if cond() {
			return
		}
		b.sync()
	}
	b.t.Fatal("it does not happen")
}

func TestRunSurvivesEditsAndSaves(t *testing.T) {
	g := newGate()
	b := newBench(t, g.behind(explicit))
	b.Initialize(capable, nil)
	b.open(doc, "aag 1 0 1 0 0 1\n2 3\n2\n")
	b.save(doc)
	<-g.started
	b.expectTitles("checking · depth 7 · 41 lemmas")
	b.save(doc)
	b.replace(doc, 2, "aag 1 0 1 0 0 1\n2 2\n2\n") // another cone, not saved
	b.settled(doc)
	b.expectTitlesNow("checking · depth 7 · 41 lemmas")
	b.replace(doc, 3, "aag 1 0 1 0 0 1\n2 3\n2\nl0 x\n")
	b.save(doc)
	b.settled(doc)
	b.expectRuns(1)
	g.open <- struct{}{}
	b.expectTitles(refutedAt1)
	b.expectRuns(1)

	// A run whose text has changed meanwhile ends stale.
	b.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, wire.PropertyParams{URI: doc, Property: "bad:0"}), nil)
	<-g.started
	b.replace(doc, 4, "aag 1 0 1 0 0 1\n2 2\n2\n")
	g.open <- struct{}{}
	b.expectTitles("stale · " + refutedAt1)

	// A save with another cone cancels the run about the one before.
	b.save(doc)
	<-g.started
	b.replace(doc, 5, "aag 1 0 1 0 0 1\n2 1\n2\n")
	b.save(doc)
	b.expectTitles(refutedAt1)
	b.expectRuns(3) // the first counterexample is one here, too
}

func TestStopAndProgress(t *testing.T) {
	g := newGate()
	b := newBench(t, g.behind(explicit))
	b.Initialize(capable, nil)
	b.open(doc, toggle)
	b.save(doc)
	<-g.started
	<-g.started
	create, mark := b.Await("progress", 0, isMethod("window/workDoneProgress/create"))
	_, mark = b.Await("its begin", mark, isProgress("begin"))
	_, mark = b.Await("a report", mark, isProgress("report"))
	b.expectTitles("checking · depth 7 · 41 lemmas", "checking · depth 7 · 41 lemmas")
	if l := b.lenses(doc)[0]; l.Command.Command != wire.CommandStop.Name {
		t.Errorf("the lens of a running check runs %s", l.Command.Command)
	}
	b.MustCall("workspace/executeCommand", command(wire.CommandStop.Name, wire.StopParams{URI: doc, Property: "bad:0"}), nil)
	b.expectTitlesNow("check", "checking · depth 7 · 41 lemmas")

	var token struct {
		Token any `json:"token"`
	}
	if err := json.Unmarshal(create.Params, &token); err != nil {
		t.Fatal(err)
	}
	b.Notify("window/workDoneProgress/cancel", token)
	b.expectTitlesNow("check", "check")
	b.Await("the end of the progress", mark, isProgress("end"))
	b.expectRuns(2)
}

// TestStopWhilePreparing stops checks before their jobs are known.
func TestStopWhilePreparing(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.open(doc, toggle)
	b.settled(doc)
	s := &server{session: b.server.session}
	both := []circuit.Property{{Kind: circuit.PropertyBad, Index: 0}, {Kind: circuit.PropertyBad, Index: 1}}
	s.queue.Do(func() { // nothing that is prepared gets in between
		s.checking.checkCommand(s.texts.files[doc], nil, nil)
		stopCommand(s.session, doc, nil)
		s.checking.checkCommand(s.texts.files[doc], both, nil)
		stopCommand(s.session, doc, both[:1])
	})
	b.expectTitles("check", provedT)
	b.expectRuns(1)
	s.queue.Do(func() {
		s.checking.checkCommand(s.texts.files[doc], both, nil)
		s.checking.checkCommand(s.texts.files[doc], both[:1], nil)
		if f := s.texts.files[doc]; f.status(both[0]).Activity != ide.Queued {
			t.Error("what is prepared is not queued")
		}
	})
	b.expectTitles(refutedAt1, provedT)
	b.expectRuns(3)
}

func isMethod(method string) func(lsptest.Message) bool {
	return func(m lsptest.Message) bool { return m.Method == method }
}

func isProgress(kind string) func(lsptest.Message) bool {
	return func(m lsptest.Message) bool {
		return m.Method == "$/progress" && strings.Contains(string(m.Params), `"kind":"`+kind+`"`)
	}
}

// TestCloseEndsChecks waits for the engine to see the end of its context.
func TestCloseEndsChecks(t *testing.T) {
	started, ended := make(chan struct{}, 2), make(chan error, 2)
	b := newBench(t, func(ctx context.Context, _ *circuit.Circuit, _ func(verify.Progress)) (cert.Verdict, error) {
		started <- struct{}{}
		<-ctx.Done()
		ended <- ctx.Err()
		return cert.Verdict{}, ctx.Err()
	})
	b.Initialize(capable, nil)
	b.open(doc, "aag 1 0 1 0 0 1\n2 3\n2\n")
	b.save(doc)
	<-started
	b.close(doc)
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	b.open(doc, "aag 1 0 1 0 0 1\n2 3\n2\n")
	b.expectTitlesNow("check")
	b.save(doc)
	<-started
	b.CloseInput() // the end of input takes checks along
	if err := b.Wait(); err != nil {
		t.Error(err)
	}
	select {
	case <-ended:
	default:
		t.Error("the check outlives its client")
	}
}

func TestManualTriggerAndWorkers(t *testing.T) {
	g := newGate()
	b := newBench(t, g.behind(explicit))
	b.Initialize(capable, map[string]any{"aiglens": map[string]any{"check": map[string]any{"trigger": "manual", "workers": 1}}})
	b.open(doc, toggle)
	b.save(doc)
	b.settled(doc)
	b.expectTitlesNow("check", "check")
	b.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, wire.PropertyParams{URI: doc}), nil)
	<-g.started
	b.expectTitles("checking · depth 7 · 41 lemmas", "queued")
	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
		"aiglens": map[string]any{"check": map[string]any{"workers": 2}}}})
	<-g.started // starts over, now both
	<-g.started
	g.open <- struct{}{}
	g.open <- struct{}{}
	b.expectTitles(refutedAt1, provedT)
}

func TestConfigurationPull(t *testing.T) {
	b := newBench(t, explicit)
	b.Settings = map[string]any{"diagnostics": map[string]any{"proved": "on"}, "check": map[string]any{"trigger": "sometimes"}}
	capabilities := map[string]any{"workspace": map[string]any{
		"configuration": true, "didChangeConfiguration": map[string]any{"dynamicRegistration": true},
		"codeLens": map[string]any{"refreshSupport": true},
	}, "textDocument": capable["textDocument"]}
	b.Initialize(capabilities, nil)
	b.Await("registration", 0, isMethod("client/registerCapability"))
	b.Await("pull", 0, isMethod("workspace/configuration"))
	b.Await("a complaint about the trigger", 0, func(m lsptest.Message) bool {
		return m.Method == "window/logMessage" && strings.Contains(string(m.Params), "check.trigger")
	})
	b.open(doc, toggle)
	b.save(doc)
	b.awaitDiagnostics("a hint that bad 1 is proved", 0, func(p published) bool {
		return slices.ContainsFunc(p.Diagnostics, func(d diagnostic) bool { return d.Code == "proved" && d.Severity == 4 })
	})
}

func TestGoToLatch(t *testing.T) {
	b := checked(t)
	mark := b.Mark()
	var place location
	b.MustCall("workspace/executeCommand", command(wire.CommandGoToLatch.Name, wire.GoToLatchParams{PropertyParams: wire.PropertyParams{URI: doc, Property: "bad:0"}}), &place)
	if place.URI != doc || place.Range.Start.Line != 1 {
		t.Errorf("place %+v", place)
	}
	b.Await("showDocument", mark, isMethod("window/showDocument"))
	refuse := func(name string, argument any) {
		t.Helper()
		var e *lsptest.Error
		if err := b.Call("workspace/executeCommand", command(name, argument), nil); !errors.As(err, &e) || e.Code != -32602 {
			t.Errorf("%s %v: %v", name, argument, err)
		}
	}
	refuse(wire.CommandGoToLatch.Name, wire.GoToLatchParams{PropertyParams: wire.PropertyParams{URI: doc, Property: "bad:1"}})
	refuse(wire.CommandCheck.Name, wire.PropertyParams{URI: doc, Property: "bad:7"})
	refuse(wire.CommandCheck.Name, wire.PropertyParams{URI: doc, Property: "worse:0"})
	refuse(wire.CommandCheck.Name, wire.PropertyParams{URI: "file:///none.aag"})
	refuse(wire.CommandCheck.Name, map[string]any{"uri": doc, "position": map[string]any{"line": 0, "character": 0}})
	refuse("aiglens.unknown", wire.PropertyParams{URI: doc})
	refuse(wire.CommandCheck.Name, 7)
}
