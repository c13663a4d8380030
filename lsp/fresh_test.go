package lsp

import (
	"fmt"
	"maps"
	"math/rand"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
	"aiglens/lsp/wire"
)

// TestAsAFreshServer opens, edits, saves, closes, asks and cancels at random, in files that use
// each other. Once all is quiet the server knows, and has told, what a fresh one does of the same
// texts.
func TestAsAFreshServer(t *testing.T) {
	for seed := range int64(everyDay(3, 60)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			u := newBusyUser(t, seed)
			for range everyDay(4, 10) {
				for range 40 {
					u.act()
				}
				u.rest()
				u.compare()
			}
		})
	}
}

// busyUser is a user with several files, who does not wait for answers.
type busyUser struct {
	*board
	random  *rand.Rand
	address func(name string) string
	files   map[string]*busyFile
	names   []string // of files, in order
	asked   []int    // requests that have not been awaited
	made    int      // texts
}

type busyFile struct {
	open    bool
	version int
	text    string // as it is in the editor, or on disk
	onDisk  string
}

func newBusyUser(t *testing.T, seed int64) *busyUser {
	u := &busyUser{random: rand.New(rand.NewSource(seed)), names: []string{"a.aag", "b.aag", "stage.blif", "top.blif", "word.btor2"}, files: map[string]*busyFile{}}
	onDisk := map[string]string{}
	for _, name := range u.names {
		onDisk[name] = u.text(name)
		u.files[name] = &busyFile{text: onDisk[name], onDisk: onDisk[name]}
	}
	u.board, u.address = inFolder(t, dawdling, onDisk, func(o *Options) {
		o.LensWait, o.ExplainProofs = 5*time.Millisecond, true
		if seed%2 == 0 {
			o.Cache = &memoryCache{entries: map[circuit.Fingerprint]verify.Entry{}}
		}
	})
	return u
}

// text returns a text for a file, seldom with an error in it. No two are of the same length, or
// a change on disk within one tick of its clock would pass unseen.
func (u *busyUser) text(name string) string {
	u.made++
	var text string
	switch name {
	case "stage.blif":
		text = stage
		switch u.random.Intn(6) {
		case 0:
			text = strings.Replace(text, "in q 0", "in q 1", 1)
		case 1:
			text = strings.ReplaceAll(text, "in", "other")
		case 2:
			text = strings.Replace(text, ".latch", ".ladder", 1)
		}
		return text + "# " + strings.Repeat("x", u.made) + "\n"
	case "top.blif":
		text = topOfStage
		switch u.random.Intn(4) {
		case 0:
			text = strings.Replace(text, "in=x", "in=bad", 1)
		case 1:
			text = strings.Replace(text, "bad\n.subckt", "bad bad2\n.names x bad2\n1 1\n.subckt", 1)
		}
		return text + "# " + strings.Repeat("x", u.made) + "\n"
	}
	if name == "word.btor2" {
		return u.word() + "; " + strings.Repeat("x", u.made) + "\n"
	}
	bads := 1 + u.random.Intn(3)
	var b strings.Builder
	fmt.Fprintf(&b, "aag 4 1 3 0 0 %d\n2\n", bads)
	for i := 2; i <= 4; i++ {
		next := []int{2 * i, 2*i + 1, 2*((i-1)%3) + 4, 2, 0, 1}[u.random.Intn(6)]
		if u.random.Intn(30) == 0 {
			next = 99
		}
		fmt.Fprintf(&b, "%d %d\n", 2*i, next)
	}
	for range bads {
		fmt.Fprintf(&b, "%d\n", 4+u.random.Intn(6))
	}
	return b.String() + "c\n" + strings.Repeat("x", u.made) + "\n"
}

// word returns a text of BTOR2 with a state of two bits.
func (u *busyUser) word() string {
	bads := 1 + u.random.Intn(3)
	var b strings.Builder
	b.WriteString("1 sort bitvec 1\n2 sort bitvec 2\n3 input 2 x\n4 zero 2\n5 state 2 q\n6 init 2 5 4\n7 inc 2 5\n8 and 2 5 3\n9 constd 2 2\n10 eq 1 5 9\n11 ugt 1 3 5\n12 ite 2 10 4 7\n")
	next := []int{4, 5, 7, 8, 9, 12}[u.random.Intn(6)]
	if u.random.Intn(30) == 0 {
		next = 99
	}
	fmt.Fprintf(&b, "13 next 2 5 %d\n", next)
	for i := range bads {
		fmt.Fprintf(&b, "%d bad %d\n", 14+i, []int{10, -10, 11, -11}[u.random.Intn(4)])
	}
	return b.String()
}

// any returns one of the files.
func (u *busyUser) any() (name string, f *busyFile) {
	name = u.names[u.random.Intn(len(u.names))]
	return name, u.files[name]
}

func (u *busyUser) act() {
	name, f := u.any()
	at := u.address(name)
	if !f.open && u.random.Intn(3) == 0 {
		f.open, f.version = true, 1
		u.openAs(languageOf(name), at, f.text)
		return
	}
	switch u.random.Intn(14) {
	case 0, 1, 2:
		u.edit(name, f)
	case 3, 4:
		if f.open {
			u.writeDown(name, f)
		}
	case 5:
		if f.open {
			f.open, f.text = false, f.onDisk
			u.close(at)
		}
	case 6:
		u.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
			"aiglens": map[string]any{"check": map[string]any{"workers": 1 + u.random.Intn(3), "timeout": 10 + u.random.Intn(2)}}}})
	case 7:
		if len(u.asked) > 0 {
			u.Notify("$/cancelRequest", map[string]any{"id": u.asked[u.random.Intn(len(u.asked))]})
		}
	case 8:
		u.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": at, "type": 2}}})
	default:
		u.ask(name, f)
	}
}

// edit changes the text of an open file as a whole or at its end, or another program writes one
// that is not open.
func (u *busyUser) edit(name string, f *busyFile) {
	at, next := u.address(name), u.text(name)
	switch {
	case !f.open:
		f.text = next
		u.writeDown(name, f)
		return
	case u.random.Intn(3) == 0:
		end := map[string]any{"line": strings.Count(f.text, "\n"), "character": 0}
		next = f.text + "#" + strings.Repeat("y", u.made) + "\n"
		f.version++
		u.change(at, f.version, map[string]any{"range": map[string]any{"start": end, "end": end}, "text": next[len(f.text):]})
	default:
		f.version++
		u.replace(at, f.version, next)
	}
	f.text = next
}

// writeDown writes a file, which the server is told of where it is open.
func (u *busyUser) writeDown(name string, f *busyFile) {
	at := u.address(name)
	writeFile(u.t, uri.URI(at).FsPath(), f.text)
	if f.onDisk = f.text; f.open {
		u.save(at)
	}
}

// ask sends one request, whose answer is awaited later.
func (u *busyUser) ask(name string, f *busyFile) {
	at := uri.URI(u.address(name))
	about := wire.PropertyParams{URI: at, Property: wire.PropertyID(fmt.Sprint("bad:", u.random.Intn(3)))}
	if filepath.Ext(name) == ".blif" {
		about.Property = "output:0"
	}
	whole, other := wire.PropertyParams{URI: at}, u.text(name)
	place := map[string]any{"textDocument": map[string]any{"uri": at}, "position": map[string]any{"line": u.random.Intn(6), "character": 0}}
	all := []struct {
		method string
		params any
	}{
		{"textDocument/codeLens", place}, {"textDocument/hover", place}, {"textDocument/documentHighlight", place},
		{"textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": at}, "range": map[string]any{"start": place["position"], "end": place["position"]}, "context": map[string]any{"diagnostics": []any{}}}},
		{"", command(wire.CommandCheck.Name, whole)}, {"", command(wire.CommandCheck.Name, about)},
		{"", command(wire.CommandStop.Name, wire.StopParams{URI: at})}, {"", command(wire.CommandStop.Name, about)},
		{"", command(wire.CommandAnother.Name, wire.AnotherParams{PropertyParams: about, Find: wire.SoughtAnother})},
		{"", command(wire.CommandAnother.Name, wire.AnotherParams{PropertyParams: about, Find: wire.SoughtShortest})},
		{"", command(wire.CommandSuggest.Name, whole)}, {"", command(wire.CommandIsolate.Name, whole)},
		{"", command(wire.CommandCompare.Name, wire.CompareParams{URI: at, Text: &other, Background: u.random.Intn(4) == 0})},
		{"", command(wire.CommandReach.Name, wire.ReachParams{URI: at, Position: protocol.Position{Line: uint32(u.random.Intn(6))}})},
		{"", command(wire.CommandProof.Name, whole)}, {"", command(wire.CommandTrace.Name, wire.TraceParams{PropertyParams: whole})},
		{"", command(wire.CommandStep.Name, wire.StepParams{PropertyParams: whole, To: wire.MoveNext})},
		{"", command(wire.CommandRecheckFailed.Name, wire.RecheckParams{})},
		{"", command(wire.CommandCheckWorkspace.Name, wire.WorkspaceParams{})},
	}
	next := all[u.random.Intn(len(all))]
	if next.method == "" {
		next.method = "workspace/executeCommand"
	}
	u.asked = append(u.asked, u.Send(next.method, next.params))
}

// rest saves everything and returns when nothing is under way.
func (u *busyUser) rest() {
	for _, id := range u.asked {
		u.Answer(id)
	}
	u.asked = nil
	for _, name := range u.names {
		if f := u.files[name]; f.open {
			u.writeDown(name, f)
		}
	}
	u.sync()
	u.await(u.isQuiet)
}

// isQuiet reports whether nothing is under way: no check, no look at other files, no analysis.
func (b *bench) isQuiet() (quiet bool) {
	s := b.server.session
	s.queue.Do(func() {
		quiet = s.checking.isQuiet() && s.checking.workspace.current == nil && s.checking.scheduling.closing == 0 && s.texts.doubt.running == nil
		for _, f := range s.texts.files {
			quiet = quiet && !f.hidden && f.checks.IsAnalysed() && !f.work.explaining
		}
	})
	return quiet
}

// compare compares what the server knows, and has told, with a fresh server.
func (u *busyUser) compare() {
	fresh := newBench(u.t, explicit, func(o *Options) { o.ExplainProofs = true })
	fresh.Initialize(toldClient(), nil)
	for _, name := range u.names {
		f := u.files[name]
		if !f.open {
			continue
		}
		fresh.openAs(languageOf(name), u.address(name), f.text)
		fresh.save(u.address(name))
	}
	fresh.sync()
	fresh.await(fresh.isQuiet)
	for _, name := range u.names {
		if !u.files[name].open {
			continue
		}
		at := u.address(name)
		want := verdictsIn(fresh.known(at))
		if got := verdictsIn(u.known(at)); !slices.Equal(got, want) {
			u.t.Fatalf("%s is known as\n%q, by a fresh server as\n%q\n%s", name, got, want, u.files[name].text)
		}
		var told []string
		u.awaitOr(func() bool {
			u.read()
			told = verdictsIn(u.board.files[at])
			return slices.Equal(told, want)
		}, func() { u.t.Fatalf("%s is told as\n%q, it is\n%q\n%s", name, told, want, u.files[name].text) })
		var shown, expected []string
		fresh.awaitOr(func() bool {
			shown, expected = marksIn(u.lastDiagnostics(at)), marksIn(fresh.lastDiagnostics(at))
			return slices.Equal(shown, expected)
		}, func() { u.t.Fatalf("%s shows\n%q, a fresh server\n%q\n%s", name, shown, expected, u.files[name].text) })
	}
}

// awaitOr is await with what is done where it does not happen.
func (b *bench) awaitOr(cond func() bool, failed func()) {
	b.t.Helper()
	for range 10000 {
		if cond() {
			return
		}
		b.sync()
	}
	failed()
}

func (b *bench) known(at string) (all []wire.PropertyStatus) {
	b.MustCall("workspace/executeCommand", command(wire.CommandProperties.Name, wire.FileParams{URI: uri.URI(at)}), &all)
	return all
}

// verdictsIn are statuses as far as two servers must agree.
func verdictsIn(all []wire.PropertyStatus) (said []string) {
	for _, p := range all {
		said = append(said, fmt.Sprint(p.Property, " ", p.Name, " ", p.Range.Start.Line, ": ", p.Verdict, " ", p.Freshness))
	}
	return said
}

// lastDiagnostics are those of a file that have been sent last.
func (b *bench) lastDiagnostics(at string) []diagnostic {
	for _, p := range slices.Backward(b.publications(0)) {
		if p.URI == at {
			return p.Diagnostics
		}
	}
	return nil
}

// marksIn are diagnostics as far as two servers must agree: two counterexamples of a property may
// differ, and so may the facts that two proofs say.
func marksIn(diagnostics []diagnostic) []string {
	all := map[string]bool{}
	for _, d := range diagnostics {
		if source.Code(d.Code) == ide.CodeFact {
			continue
		}
		all[fmt.Sprint(d.Range.Start.Line, " ", d.Code)] = true
	}
	return slices.Sorted(maps.Keys(all))
}
