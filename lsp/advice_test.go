package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

// limited returns an engine that has no answer about circuits with more latches than it can take.
// It calls gate before an answer; nil for nothing.
func limited(most int, gate func(context.Context)) verify.Engine {
	e := engines.NewAuto()
	check := e.Check
	e.Check = func(ctx context.Context, t verify.Task) verify.Report {
		if gate != nil {
			gate(ctx)
		}
		if len(t.Problem.Circuit.Latches()) > most {
			return verify.Report{Err: errors.New("out of ideas")}
		}
		return check(ctx, t)
	}
	return e
}

// withLimited has a bench use the engine.
func withLimited(most int, gate func(context.Context)) func(*Options) {
	return func(o *Options) {
		o.Engine = func(engines.Spec) verify.Engine { return limited(most, gate) }
	}
}

// hard has a latch x that stays 0 whatever y does.
const hard = "aag 3 0 2 0 1 1\n2 6\n4 5\n2\n6 4 2\nl0 x\nl1 y\nb0 never\n"

func (b *bench) isolate() (answer wire.Answer, err error) {
	err = b.Call("workspace/executeCommand", command(wire.CommandIsolate.Name, wire.PropertyParams{URI: doc, Property: "bad:0"}), &answer)
	return answer, err
}

// TestIsolate: a proof that is found with latches left free is the verdict of the property, as
// long as the text is the one that was looked at.
func TestIsolate(t *testing.T) {
	b := newBench(t, nil, withLimited(1, nil))
	b.Initialize(offeringClient(), nil)
	b.open(doc, hard)
	if _, err := b.isolate(); err == nil {
		t.Error("of what has not been checked")
	}
	b.checkAll()
	if got := b.drawn(doc); len(got) == 0 || !strings.HasPrefix(got[0], "unknown") {
		t.Fatalf("lenses %q", got)
	}
	found, err := b.isolate()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"with this latch left free it is proved in ", " s\n  y\n", "with this latch left free it is not proved: some run violates it then, which need not be one of the circuit\n  x\n",
		"2 of 2 groups of latches were left free, and a proof does without 1 of them.", "for at most 5 s each and 60 s together",
	} {
		if !strings.Contains(found.Text, part) {
			t.Errorf("%q is missing in\n%s", part, found.Text)
		}
	}
	if len(found.Links) != 2 || found.Links[0].Location.Range.Start.Line != 2 {
		t.Errorf("links %+v", found.Links)
	}
	if got := b.drawn(doc); len(got) == 0 || !strings.HasPrefix(got[0], "proved · ") {
		t.Errorf("lenses %q after a proof", got)
	}
	if _, err := b.isolate(); err == nil {
		t.Error("of what is proved")
	}
	b.replace(doc, 2, strings.Replace(hard, "2 6\n", "2 7\n", 1))
	if got := b.drawn(doc); len(got) == 0 || !strings.HasPrefix(got[0], "stale") {
		t.Errorf("lenses %q of another function", got)
	}
}

// TestIsolateOfAnEarlierText: what is found of a text that has changed meanwhile is shown
// nowhere.
func TestIsolateOfAnEarlierText(t *testing.T) {
	begun, going := make(chan struct{}), make(chan struct{})
	checked := false
	var once sync.Once
	b := newBench(t, nil, withLimited(1, func(context.Context) {
		if !checked {
			return
		}
		once.Do(func() { close(begun) })
		<-going
	}))
	b.Initialize(offeringClient(), nil)
	b.open(doc, hard)
	b.checkAll()
	checked = true
	failed := make(chan error, 1)
	go func() {
		_, err := b.isolate()
		failed <- err
	}()
	<-begun
	b.replace(doc, 2, strings.Replace(hard, "2 6\n", "2 7\n", 1))
	b.sync()
	close(going)
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "the text has changed") {
		t.Errorf("error %v", err)
	}
	if got := b.drawn(doc); len(got) == 0 || !strings.HasPrefix(got[0], "stale") {
		t.Errorf("lenses %q", got)
	}
}

// twoWays fails when one of two latches is 1, which follow inputs; the third delays a way.
const twoWays = "aag 6 2 3 0 1 1\n2\n4\n6 2\n8 10\n10 4\n13\n12 7 9\nl0 p\nl1 q\nl2 r\nb0 either\n"

func (b *bench) another(find wire.Sought, number int) (answer wire.FoundRun, err error) {
	about := wire.PropertyParams{URI: doc, Property: "bad:0"}
	err = b.Call("workspace/executeCommand", command(wire.CommandAnother.Name, wire.AnotherParams{PropertyParams: about, Find: find, Number: number}), &answer)
	return answer, err
}

func (b *bench) traceOf() (x wire.Trace) {
	b.t.Helper()
	b.MustCall("workspace/executeCommand", command(wire.CommandTrace.Name, wire.TraceParams{PropertyParams: wire.PropertyParams{URI: doc, Property: "bad:0"}}), &x)
	return x
}

// TestAnother: counterexamples are found one after another, until a proof says that there is
// none more; there is a way back to the first, and none of this is left of another text.
func TestAnother(t *testing.T) {
	b := newBench(t, nil, withLimited(100, nil))
	b.Initialize(offeringClient(), nil)
	b.open(doc, twoWays)
	b.checkAll()
	first := b.traceOf()
	if first.Among != nil || !first.Others {
		t.Errorf("before any is looked for: among %+v, others %v", first.Among, first.Others)
	}
	last := 1
	for {
		found, err := b.another(wire.SoughtAnother, 0)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(found.Message, "no other run ends differently: proved") {
			break
		}
		if last++; found.Number != last || found.Known != last {
			t.Fatalf("found %+v, the %d.", found, last)
		}
		if x := b.traceOf(); x.Among == nil || x.Among.Number != last || x.Steps < 2 {
			t.Errorf("trace %+v after %+v", x, found)
		}
		if last > 5 {
			t.Fatal("there is no end")
		}
	}
	if last < 2 {
		t.Errorf("%d counterexamples", last)
	}
	if found, err := b.another(wire.SoughtKnown, 1); err != nil || found.Number != 1 || found.Known != last {
		t.Errorf("the first: %+v, %v", found, err)
	}
	if again := b.traceOf(); again.Steps != first.Steps || again.Among == nil || again.Among.Number != 1 {
		t.Errorf("the first again: %+v, at first %+v", again, first)
	}
	shortest, err := b.another(wire.SoughtShortest, 0)
	if err != nil || !strings.HasPrefix(shortest.Message, "the shortest, of 2 steps: proved") {
		t.Errorf("the shortest: %+v, %v", shortest, err)
	}
	if x := b.traceOf(); x.Steps != 2 || x.Among == nil || x.Among.Message != shortest.Message {
		t.Errorf("trace of the shortest %+v", x)
	}
	b.replace(doc, 2, strings.Replace(twoWays, "either", "one of both", 1))
	if _, err := b.another(wire.SoughtKnown, 2); err == nil {
		t.Error("what was found of an earlier text is shown")
	}
	if x := b.traceOf(); x.Among != nil {
		t.Errorf("of another text: %+v", x.Among)
	}
	b.replace(doc, 3, strings.Replace(twoWays, "12 7 9", "12 7 7", 1))
	if _, err := b.another(wire.SoughtAnother, 0); err == nil {
		t.Error("a counterexample of another function is looked for")
	}
}

// TestAdviceActions: clients with nothing but the protocol have code actions that run commands
// of the server.
func TestAdviceActions(t *testing.T) {
	b := newBench(t, nil, withLimited(1, nil))
	b.Initialize(capable, nil)
	b.open(doc, hard)
	b.checkAll()
	if got := b.actionCommands(3); got["Find what makes never hard"] != wire.CommandIsolate.Name {
		t.Errorf("actions %q", got)
	}
	b.replace(doc, 2, "aag 1 1 0 0 0 1\n2\n2\nb0 free\n")
	b.checkAll()
	got := b.actionCommands(2)
	for _, title := range []string{"Find another counterexample of free", "Find the shortest counterexample of free, with its proof"} {
		if got[title] != wire.CommandAnother.Name {
			t.Errorf("%q is missing in %q", title, got)
		}
	}
}

// actionCommands returns the commands of the code actions on a line by their titles.
func (b *bench) actionCommands(line int) map[string]string {
	b.t.Helper()
	var all []struct {
		Title   string
		Command struct{ Command string }
	}
	at := map[string]any{"line": line, "character": 0}
	b.MustCall("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": doc}, "range": map[string]any{"start": at, "end": at}, "context": map[string]any{"diagnostics": []any{}},
	}, &all)
	titles := map[string]string{}
	for _, a := range all {
		titles[a.Title] = a.Command.Command
	}
	return titles
}

func (b *bench) suggest() (answer wire.Suggestions, err error) {
	err = b.Call("workspace/executeCommand", command(wire.CommandSuggest.Name, wire.PropertyParams{URI: doc, Property: "bad:0"}), &answer)
	return answer, err
}

// unanswered is a bench with a text whose check has ended without an answer. Engines that begin
// later have one.
func unanswered(t *testing.T, text string, replies, capabilities map[string]any) *bench {
	t.Helper()
	checked := false
	b := newBench(t, nil, func(o *Options) {
		o.Engine = func(engines.Spec) verify.Engine {
			if checked {
				return engines.NewAuto()
			}
			return limited(0, nil)
		}
	})
	b.Replies = replies
	b.Initialize(capabilities, nil)
	b.open(doc, text)
	b.checkAll()
	checked = true
	return b
}

const ringText = "aag 5 0 3 0 2 1\n2 6 1\n4 2\n6 4\n10\n8 2 4\n10 8 6\nl0 first\nl1 second\nl2 third\nb0 all three\n"

// versioned is a client with nothing but the protocol that refuses edits of another version.
func versioned() map[string]any {
	all := maps.Clone(capable)
	all["workspace"] = map[string]any{"workspaceEdit": map[string]any{"documentChanges": true}, "codeLens": map[string]any{"refreshSupport": true}}
	return all
}

// TestSuggest: what is suggested can be added to the text, by the command and by code actions,
// and the text then has a lemma that is proved. Of another text none of it is offered.
func TestSuggest(t *testing.T) {
	offering := offeringClient()
	offering["workspace"] = versioned()["workspace"]
	offering["experimental"] = wire.ExperimentalCapabilities{Aiglens: wire.ExtendedClient{Status: true, Commands: []wire.ClientCommand{wire.ClientSuggest}}}
	b := unanswered(t, ringText, map[string]any{"workspace/applyEdit": map[string]any{"applied": true}}, offering)
	if got := b.drawn(doc); !slices.Contains(got, "suggest lemmas → aiglens.suggestLemmas bad:0") {
		t.Errorf("lenses %q", got)
	}
	found, err := b.suggest()
	if err != nil || len(found.Lemmas) == 0 || found.Version != 1 || found.Name != "all three" {
		t.Fatalf("suggestions %+v, %v", found, err)
	}
	at := slices.IndexFunc(found.Lemmas, func(l wire.SuggestedLemma) bool {
		return slices.Equal(l.Facts, []string{"at most one of first, second, third"}) && strings.Contains(l.Detail, "no violation in")
	})
	if at < 0 {
		t.Fatalf("suggestions %+v", found.Lemmas)
	}
	add := func(version int32, lemmas ...int) error {
		about := wire.PropertyParams{URI: doc, Property: "bad:0"}
		return b.Call("workspace/executeCommand", command(wire.CommandAddLemmas.Name, wire.AddLemmasParams{PropertyParams: about, Version: version, Lemmas: lemmas}), nil)
	}
	mark := b.Mark()
	if err := add(1, at); err != nil {
		t.Fatal(err)
	}
	asked, _ := b.Await("the edit", mark, func(m lsptest.Message) bool { return m.Method == "workspace/applyEdit" })
	edits := editsOf(t, asked.Params, 1)
	if len(edits) == 0 || !strings.Contains(edits[len(edits)-1], `"at most one of first, second, third"`) {
		t.Errorf("edits %q", edits)
	}
	if err := add(0, at); err == nil {
		t.Error("lemmas of an earlier version")
	}
	if err := add(1, []int{}...); err == nil || !strings.Contains(err.Error(), "no lemma is named") {
		t.Errorf("no lemmas: %v", err)
	}
	if err := add(1, len(found.Lemmas)); err == nil {
		t.Error("a lemma that was not suggested")
	}
	if got := b.actionCommands(4); !hasPrefixed(got, "Add the suggested lemma: at most one of first, second, third") {
		t.Errorf("actions %q", got)
	}
	b.replace(doc, 2, ringText+"c\nanother text\n")
	if err := add(2, at); err == nil {
		t.Error("lemmas of another text are added")
	}
	if got := b.actionCommands(4); hasPrefixed(got, "Add the suggested") {
		t.Errorf("actions %q of another text", got)
	}
}

// TestAddExpression: what the user writes over words becomes a lemma of the text.
func TestAddExpression(t *testing.T) {
	b := newBench(t, explicit)
	b.Replies = map[string]any{"workspace/applyEdit": map[string]any{"applied": true}}
	b.Initialize(versioned(), nil)
	b.open(doc, countingData)
	add := func(version int32, expression string) error {
		params := wire.AddLemmasParams{PropertyParams: wire.PropertyParams{URI: doc}, Version: version, Expression: expression, Lemmas: []int{}}
		return b.Call("workspace/executeCommand", command(wire.CommandAddLemmas.Name, params), nil)
	}
	mark := b.Mark()
	if err := add(1, "count <= 5"); err != nil {
		t.Fatal(err)
	}
	asked, _ := b.Await("the edit", mark, func(m lsptest.Message) bool { return m.Method == "workspace/applyEdit" })
	if edits := editsOf(t, asked.Params, 1); len(edits) == 0 || !strings.Contains(edits[len(edits)-1], `"count <= 5"`) {
		t.Errorf("edits %q", edits)
	}
	if err := add(2, "count <= 5"); err == nil {
		t.Error("a lemma of another version")
	}
	if err := add(1, "count <= 9"); err == nil || !strings.Contains(err.Error(), "column 10: 9 does not fit count, which has 3 bits: 0 to 7") {
		t.Errorf("a value that is too large: %v", err)
	}
}

// TestSuggestByMessage: a client with nothing but the protocol asks the user by a message, and
// is given an edit of that version.
func TestSuggestByMessage(t *testing.T) {
	const title = "at most one of first, second, third"
	b := unanswered(t, ringText, map[string]any{
		"window/showMessageRequest": map[string]any{"title": title}, "workspace/applyEdit": map[string]any{"applied": true},
	}, versioned())
	mark := b.Mark()
	if got := b.actionCommands(4); got["Suggest lemmas for all three"] != wire.CommandSuggest.Name {
		t.Errorf("actions %q", got)
	}
	if _, err := b.suggest(); err != nil {
		t.Fatal(err)
	}
	question, _ := b.Await("the question", mark, func(m lsptest.Message) bool { return m.Method == "window/showMessageRequest" })
	if !strings.Contains(string(question.Params), title) || !strings.Contains(string(question.Params), "They are not proved") {
		t.Errorf("question %s", question.Params)
	}
	asked, _ := b.Await("the edit", mark, func(m lsptest.Message) bool { return m.Method == "workspace/applyEdit" })
	if edits := editsOf(t, asked.Params, 1); len(edits) == 0 {
		t.Errorf("edit %s", asked.Params)
	}
}

// TestAnotherTwice: of two searches at once the later one looks for what the earlier one has not
// found, and nothing that was found is forgotten.
func TestAnotherTwice(t *testing.T) {
	b := newBench(t, nil, withLimited(100, nil))
	b.Initialize(offeringClient(), nil)
	b.open(doc, twoWays)
	b.checkAll()
	if b.traceOf().Among != nil {
		t.Fatal("more than one is known at first")
	}
	found := make(chan wire.FoundRun, 2)
	for range 2 {
		go func() {
			answer, err := b.another(wire.SoughtAnother, 0)
			if err != nil {
				t.Error(err)
			}
			found <- answer
		}()
	}
	// There are two ways.
	none := 0
	for range 2 {
		answer := <-found
		if strings.HasPrefix(answer.Message, "no other run ends differently: proved") {
			none++
		}
		if answer.Number != 2 || answer.Known != 2 {
			t.Errorf("found %+v, want the second of two", answer)
		}
	}
	if none != 1 {
		t.Errorf("%d searches have proved that there is no other one, want that which came later", none)
	}
	if answer, err := b.another(wire.SoughtKnown, 2); err != nil || answer.Known != 2 {
		t.Errorf("the second: %+v, %v", answer, err)
	}
}

// TestSuggestWithoutVersions: an editor that would apply an edit to whatever text there is gets
// none unasked.
func TestSuggestWithoutVersions(t *testing.T) {
	const title = "at most one of first, second, third"
	b := unanswered(t, ringText, map[string]any{"window/showMessageRequest": map[string]any{"title": title}}, capable)
	mark := b.Mark()
	if _, err := b.suggest(); err != nil {
		t.Fatal(err)
	}
	told, _ := b.Await("the reason", mark, func(m lsptest.Message) bool { return m.Method == "window/showMessage" })
	if !strings.Contains(string(told.Params), "use the code action that adds the lemma") {
		t.Errorf("told %s", told.Params)
	}
	if slices.ContainsFunc(b.Received(mark), func(m lsptest.Message) bool { return m.Method == "workspace/applyEdit" }) {
		t.Error("an edit without version")
	}
	if slices.ContainsFunc(b.Received(mark), func(m lsptest.Message) bool { return m.Method == "window/showMessageRequest" }) {
		t.Error("asked in vain")
	}
}

// editsOf returns what edits of a version insert.
func editsOf(t *testing.T, params []byte, version int) (texts []string) {
	t.Helper()
	var apply struct {
		Edit struct {
			DocumentChanges []struct {
				TextDocument struct{ Version *int }
				Edits        []struct{ NewText string }
			}
		}
	}
	if err := json.Unmarshal(params, &apply); err != nil {
		t.Fatal(err)
	}
	for _, c := range apply.Edit.DocumentChanges {
		if c.TextDocument.Version == nil || *c.TextDocument.Version != version {
			t.Errorf("an edit of version %v, expected %d", c.TextDocument.Version, version)
		}
		for _, e := range c.Edits {
			texts = append(texts, e.NewText)
		}
	}
	return texts
}

func hasPrefixed(actions map[string]string, prefix string) bool {
	for title := range actions {
		if strings.HasPrefix(title, prefix) {
			return true
		}
	}
	return false
}
