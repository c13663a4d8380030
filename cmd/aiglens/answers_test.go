package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/btor2/btor2test"
	"aiglens/design/answers"
	table "aiglens/design/formats"
	"aiglens/ic3/engines"
	"aiglens/ic3/horn/auto"
	"aiglens/ic3/verify"
	"aiglens/lsp"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

// maxAsked bounds the bytes of the files of which questions are asked.
const maxAsked = 20_000

// maxCompared bounds the bytes of those that are compared with others.
const maxCompared = 4_000

// TestAnswersOfSurfaces asks questions about the examples and the small corpora on the command
// line and of the server, and finds the same answers.
func TestAnswersOfSurfaces(t *testing.T) {
	files := slices.Concat(exampleFiles(t), wordFiles(t), corpusFiles(t, "aiger", ".aag"), corpusFiles(t, "blif", ".blif"))
	s := newSurfaces(t)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) <= maxAsked {
			s.ask(file, string(data))
		}
	}
	t.Logf("%v", s.asked)
	for _, q := range questions {
		for _, name := range q.names {
			if s.asked[name] < 10 {
				t.Errorf("%s: asked %d times", name, s.asked[name])
			}
		}
	}
}

// exampleFiles returns the examples of every format.
func exampleFiles(t *testing.T) (all []string) {
	t.Helper()
	for _, pattern := range []string{"*.blif", "*.aag", "*.btor2"} {
		found, err := filepath.Glob(filepath.Join("..", "..", "examples", pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		all = append(all, found...)
	}
	return all
}

// wordFiles returns files of BTOR2: the examples as they are once they are repaired, and random ones.
func wordFiles(t *testing.T) (all []string) {
	t.Helper()
	dir := t.TempDir()
	add := func(name, text string) {
		all = append(all, filepath.Join(dir, name))
		if err := os.WriteFile(all[len(all)-1], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, row := range map[string][2]string{
		"fifo.btor2": {"\n40 constd 3 5 places\n", "\n40 constd 3 4 places\n"},
		"cpu.btor2":  {"\n51 eq 1 14 8\n", "\n51 eq 1 49 8\n"},
	} {
		text, err := os.ReadFile(examplesFolder + name)
		if err != nil || !strings.Contains(string(text), row[0]) {
			t.Fatalf("%s: %v, without %q", name, err, row[0])
		}
		add("repaired_"+name, strings.Replace(string(text), row[0], row[1], 1))
	}
	for seed := range uint64(57) { // in the last one an input of one bit has a name like an element of an array
		add(fmt.Sprintf("random%d.btor2", seed), btor2test.Random(seed, btor2test.Tiny))
	}
	return all
}

// asking is a question that several surfaces answer.
type asking struct {
	names   []string // under which the test counts what it compares
	server  string   // the command of the server
	command string   // of the shell
}

var questions = []asking{
	{[]string{"verdict"}, wire.CommandCheck.Name, "check"},
	{[]string{"facts"}, wire.CommandProof.Name, "check"},
	{[]string{"proof"}, wire.CommandProof.Name, "proof"},
	{[]string{"unneeded"}, wire.CommandUnneeded.Name, "check"},
	{[]string{"stats"}, wire.CommandStats.Name, "stats"},
	{[]string{"draw"}, wire.CommandDraw.Name, "draw"},
	{[]string{"states", "no states"}, wire.CommandStates.Name, "draw"},
	{[]string{"compare", "trail"}, wire.CommandCompare.Name, "equiv"},
	{[]string{"isolate"}, wire.CommandIsolate.Name, "isolate"},
	{[]string{"suggest"}, wire.CommandSuggest.Name, "suggest"},
	{[]string{"another", "shortest"}, wire.CommandAnother.Name, "another"},
	{[]string{"reach"}, wire.CommandReach.Name, "cover"},
	{[]string{"reduce"}, wire.CommandReduce.Name, "reduce"},
	{[]string{"place"}, wire.CommandPlaceText.Name, "at"},
	{[]string{"wave"}, wire.CommandExportTrace.Name, "replay"},
	{[]string{"walk"}, wire.CommandTrace.Name, "debug"},
	{[]string{"why"}, wire.CommandWhy.Name, "debug"},
}

// notCompared are the commands of the server, and of the shell, that no other surface answers, or
// whose answers other tests compare: by name, why.
var notCompared = map[string]string{
	wire.CommandStop.Name:             "acts, and answers nothing",
	wire.CommandCheckWorkspace.Name:   "acts: its verdicts are those of check",
	wire.CommandRecheckFailed.Name:    "acts: its verdicts are those of check",
	wire.CommandCheckDesign.Name:      "acts: its verdicts are those of check",
	wire.CommandProperties.Name:       "the verdicts of check, by which they are compared",
	wire.CommandExportDifference.Name: "TestExportDifference compares",
	wire.CommandAddLemmas.Name:        "changes a text",
	wire.CommandApplyAction.Name:      "changes a text",
	wire.CommandHistory.Name:          "the editor alone",
	wire.CommandSignalsAt.Name:        "a place in an editor",
	wire.CommandStep.Name:             "moves the place of an editor",
	wire.CommandRadices.Name:          "acts, and answers nothing",
	wire.CommandImportWitness.Name:    "acts: what it shows is that of trace",
	wire.CommandGoToCause.Name:        "moves the place of an editor",
	wire.CommandLatches.Name:          "the latches of trace",
	wire.CommandGoToLatch.Name:        "moves the place of an editor",
	wire.CommandPlay.Name:             "what editors play: played_test.go compares",
	wire.CommandPlayWhy.Name:          "the editor alone",
	wire.CommandExportRun.Name:        "what editors play: played_test.go compares",

	"aiglens.obstacle": "of a run that ended early, each in another place", "obstacle": "as aiglens.obstacle",
	"serve": "a surface", "mcp": "a surface", "simulate": "what editors play: simulate_test or scripts compare", "node": "carries checks", "cluster": "carries checks", "worker": "carries checks", callName: "carries answers",
	"cache": "kept verdicts", "bench": "measures", "hwmcc": "check, in the words of a competition", "sby": "check, in the words of SymbiYosys",
	"horn":    "check, in the words of a competition of solvers",
	"certify": "judges the certificate of another program", "lint": "diagnostics", "fmt": "changes a text",
	"convert": "changes a file", "cone": "extracts a file", "completion": "about the shell", "man": "about the shell", "help": "about the command line",
}

// TestQuestionsAreListed: a command that is new has a row, or a reason why it needs none.
func TestQuestionsAreListed(t *testing.T) {
	listed := map[string]bool{}
	for _, q := range questions {
		listed[q.server], listed[q.command] = true, true
	}
	for name, why := range notCompared {
		if listed[name] {
			t.Errorf("%s is compared, and not: %s", name, why)
		}
		listed[name] = true
	}
	all := newSurfaces(t).commands
	for _, c := range commands() {
		all = append(all, c.name)
	}
	for _, name := range all {
		if !listed[name] {
			t.Errorf("%s is in no row of questions, and notCompared does not say why", name)
		}
		delete(listed, name)
	}
	for name := range listed {
		t.Errorf("there is no command %s", name)
	}
}

// surfaces are the command line, and a server.
type surfaces struct {
	*lsptest.Client
	t        *testing.T
	asked    map[string]int // by question
	commands []string       // that the server announces
}

func newSurfaces(t *testing.T) *surfaces {
	client := lsptest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
		return lsp.Serve(ctx, in, out, lsp.Options{
			Version: "test", Log: io.Discard, Engine: func(engines.Spec) verify.Engine { return engines.NewAuto() }, Clauses: auto.Check, ExplainProofs: true,
			Reduce: reduceDocument,
		})
	})
	can := client.Initialize(map[string]any{"experimental": map[string]any{"aiglens": map[string]any{"status": true}}}, map[string]any{"check": map[string]any{"trigger": "manual"}})
	s := &surfaces{Client: client, t: t, asked: map[string]int{}}
	for _, name := range can["executeCommandProvider"].(map[string]any)["commands"].([]any) {
		s.commands = append(s.commands, name.(string))
	}
	return s
}

// cli runs a command, and returns what it writes.
func (s *surfaces) cli(args ...string) (stdout, stderr string) {
	var out, said bytes.Buffer
	run(s.t.Context(), env{stdin: strings.NewReader(""), stdout: &out, stderr: &said}, args)
	return out.String(), said.String()
}

// execute runs a command of the server.
func (s *surfaces) execute(name string, params, answer any) error {
	return s.Call("workspace/executeCommand", map[string]any{"command": name, "arguments": []any{params}}, answer)
}

// ask asks about a file.
func (s *surfaces) ask(file, text string) {
	absolute, err := filepath.Abs(file)
	if err != nil {
		s.t.Fatal(err)
	}
	language := table.All().ByPath(file).Language()
	u := uri.File(absolute)
	s.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": u, "languageId": language, "version": 1, "text": text}})
	defer s.Notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": u}})
	s.askStats(file, u)
	s.askDraw(file, u, "")
	for _, p := range s.properties(u) {
		s.askStates(file, u, p.Property)
		s.askDraw(file, u, p.Property)
	}
	s.askCompare(file, text, u)
	s.askInquiries(file, u)
	s.askReach(file, text, u)
	s.askProofs(file, u)
	s.askPlaces(file, text, u)
	s.askReduce(file, text, u)
	s.askAnother(file, u)
}

func (s *surfaces) properties(u uri.URI) (all []wire.PropertyStatus) {
	s.execute(wire.CommandProperties.Name, wire.FileParams{URI: u}, &all)
	return all
}

// askStats compares sizes. A file with errors has none on the command line.
func (s *surfaces) askStats(file string, u uri.URI) {
	out, _ := s.cli("stats", "--format", "json", file)
	if out == "" {
		return
	}
	var here answers.StatsData
	var there wire.CircuitStats
	if err := json.Unmarshal([]byte(out), &here); err != nil {
		s.t.Fatal(err)
	}
	if err := s.execute(wire.CommandStats.Name, wire.FileParams{URI: u}, &there); err != nil {
		s.t.Errorf("%s: stats: %v", file, err)
		return
	}
	s.asked["stats"]++
	if a, b := fmt.Sprint(here.Inputs, here.Latches, here.Gates), fmt.Sprint(there.Inputs, there.Latches, there.Gates); a != b {
		s.t.Errorf("%s: stats: inputs, latches, gates are %s, of the server %s", file, a, b)
	}
	text, _ := s.cli("stats", file)
	if _, own, _ := strings.Cut(text, "\n"); !strings.HasSuffix(there.Text, "\n\n"+own) {
		s.t.Errorf("%s: stats says\n%sand the server\n%s", file, text, there.Text)
	}
}

// askStates compares state graphs, or the sentences that say why there is none.
func (s *surfaces) askStates(file string, u uri.URI, p wire.PropertyID) {
	out, said := s.cli("draw", "--states", "--index", string(p), file)
	if strings.Contains(said, "error") {
		return // the command line draws nothing of a file with errors
	}
	var there wire.StateGraph
	err := s.execute(wire.CommandStates.Name, wire.PropertyParams{URI: u, Property: p}, &there)
	switch {
	case err == nil && out != there.DOT:
		s.t.Errorf("%s, %s: states are\n%s\n%s\nand of the server\n%s", file, p, out, said, there.DOT)
	case err == nil:
		s.asked["states"]++
	default:
		s.asked["no states"]++
		if _, sentence, _ := strings.Cut(strings.TrimSpace(said), file+": "); sentence == "" || !strings.Contains(err.Error(), sentence) {
			s.t.Errorf("%s, %s: states: %q, and of the server %v", file, p, said, err)
		}
	}
}

// askProofs checks all properties, and compares verdicts, what proofs say and do without.
func (s *surfaces) askProofs(file string, u uri.URI) {
	out, _ := s.cli("check", "--no-cache", "--facts", "--unneeded", "--timeout", "20s", "--format", "json", file)
	if len(s.properties(u)) == 0 {
		return
	}
	if err := s.execute(wire.CommandCheck.Name, map[string]any{"uri": u, "timeout": 20}, nil); err != nil {
		s.t.Errorf("%s: check: %v", file, err)
		return
	}
	statuses := s.checked(u)
	for line := range strings.Lines(out) {
		var a jsonAnswer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			s.t.Fatal(err)
		}
		id := wire.PropertyID(fmt.Sprintf("%s:%d", a.Property.Kind, a.Property.Index))
		i := slices.IndexFunc(statuses, func(p wire.PropertyStatus) bool { return p.Property == id })
		if i < 0 {
			s.t.Errorf("%s: the server has no %s", file, id)
			continue
		}
		s.asked["verdict"]++
		verdict := map[string]string{"reached": "refuted", "never": "proved"}
		if here := orElse(verdict[a.Verdict], a.Verdict); here != string(statuses[i].Verdict) {
			s.t.Errorf("%s: %s is %s, for the server %s", file, id, here, statuses[i].Verdict)
		}
		if statuses[i].Verdict == "refuted" {
			s.compareWave(file, u, id)
		}
		if a.Facts != nil && statuses[i].Verdict == "proved" {
			s.compareProof(file, u, id, &a)
		}
	}
}

// checked returns the properties once nothing is under way.
func (s *surfaces) checked(u uri.URI) []wire.PropertyStatus {
	return s.settled(u, func(all []wire.PropertyStatus) bool {
		return !slices.ContainsFunc(all, func(p wire.PropertyStatus) bool {
			return p.Verdict == "none" || p.Freshness != wire.FreshnessFresh && p.Freshness != wire.FreshnessStale
		})
	})
}

// settled returns the properties of a file once they are as is waited for. The server says when they change.
func (s *surfaces) settled(u uri.URI, is func([]wire.PropertyStatus) bool) []wire.PropertyStatus {
	for {
		mark := s.Mark()
		if all := s.properties(u); is(all) {
			return all
		}
		s.Await("a verdict", mark, func(m lsptest.Message) bool { return m.Method == wire.NotificationStatus.Name })
	}
}

func (s *surfaces) compareProof(file string, u uri.URI, id wire.PropertyID, a *jsonAnswer) {
	of := wire.PropertyParams{URI: u, Property: id}
	var proof wire.Answer
	if err := s.execute(wire.CommandProof.Name, of, &proof); err != nil {
		s.t.Errorf("%s, %s: %v", file, id, err)
		return
	}
	var here, there []string
	for _, f := range a.Facts {
		here = append(here, strings.TrimSuffix(f.Text, " from step 1 on"))
	}
	for _, topic := range proof.Topics {
		for _, f := range topic.Facts {
			there = append(there, f.Text)
		}
	}
	slices.Sort(here)
	slices.Sort(there)
	s.asked["facts"]++
	if !slices.Equal(here, there) {
		s.t.Errorf("%s, %s: facts are %q, of the server %q", file, id, here, there)
		return // of another proof something else is unneeded
	}
	out, _ := s.cli("proof", "--index", string(id), file)
	s.asked["proof"]++
	if _, own, _ := strings.Cut(timeless(out), "\n"); own != timeless(proof.Text) {
		s.t.Errorf("%s, %s: proof says\n%sand the server\n%s", file, id, out, proof.Text)
	}
	var faded wire.Unneeded
	err := s.execute(wire.CommandUnneeded.Name, of, &faded)
	if (err == nil) != (a.Unneeded != nil) {
		s.t.Errorf("%s, %s: unneeded: %v, on the command line %v", file, id, err, a.Unneeded)
		return
	}
	if err != nil {
		return
	}
	s.asked["unneeded"]++
	var shares []string
	for _, k := range []struct {
		names []string
		all   int
		what  string
	}{{a.Unneeded.Gates, a.Unneeded.GatesOf, "gates"}, {a.Unneeded.Latches, a.Unneeded.LatchesOf, "latches"}, {a.Unneeded.Constraints, a.Unneeded.ConstraintsOf, "constraints"}} {
		if k.all > 0 {
			shares = append(shares, fmt.Sprintf("%d of %d %s", len(k.names), k.all, k.what))
		}
	}
	says := strings.Join(shares, ", ")
	if len(a.Unneeded.Gates)+len(a.Unneeded.Latches)+len(a.Unneeded.Constraints) == 0 {
		says = fmt.Sprintf("among %d rows", a.Unneeded.GatesOf+a.Unneeded.LatchesOf+a.Unneeded.ConstraintsOf)
	}
	if !strings.Contains(faded.Message, says) {
		s.t.Errorf("%s, %s: unneeded are %s, and the server says %q", file, id, says, faded.Message)
	}
}

// askDraw compares the schematics of a property; "" is all properties. way are flags that say how instances
// are drawn.
func (s *surfaces) askDraw(file string, u uri.URI, p wire.PropertyID, way ...string) {
	args := append([]string{"draw"}, way...)
	params := wire.DrawParams{PropertyParams: wire.PropertyParams{URI: u, Property: p}}
	if len(way) > 0 {
		params.Instances = way[1]
	}
	if p != "" {
		args = append(args, "--index", string(p))
	}
	out, said := s.cli(append(args, file)...)
	var there wire.Picture
	err := s.execute(wire.CommandDraw.Name, params, &there)
	if out == "" && (err != nil || there.Errors > 0 || strings.Contains(said, "error")) {
		return // the command line draws nothing of a file with errors
	}
	s.asked["draw"]++
	if err != nil || out != there.DOT {
		s.t.Errorf("%s, %s: the schematic is\n%sand of the server\n%s", file, p, out, there.DOT)
	}
}

var (
	lastGate = regexp.MustCompile(`(?m)^\d+ \d+ (\d+)$`)
	firstRow = regexp.MustCompile(`(?m)^[01-]+ [01]$`)
	lastNext = regexp.MustCompile(`(?m)^\d+ next 1 \d+ (\d+)$`)
)

// changed returns a text with another operand of its last gate, another function of its
// first one, or another next value of its last state; ok is false for a text without these.
func changed(file, text string) (other string, ok bool) {
	switch filepath.Ext(file) {
	case ".btor2":
		rows := lastNext.FindAllStringSubmatchIndex(text, -1)
		if len(rows) == 0 {
			return "", false
		}
		at := rows[len(rows)-1][2]
		return text[:at] + "-" + text[at:], true
	case ".blif":
		row := firstRow.FindStringIndex(text)
		if row == nil {
			return "", false
		}
		flipped := map[byte]string{'0': "1", '1': "0", '-': "1"}[text[row[0]]]
		return text[:row[0]] + flipped + text[row[0]+1:], true
	}
	gates := lastGate.FindAllStringSubmatchIndex(text, -1)
	if len(gates) == 0 {
		return "", false
	}
	at := gates[len(gates)-1]
	number, err := strconv.ParseUint(text[at[2]:at[3]], 10, 32)
	return text[:at[2]] + strconv.FormatUint(number^1, 10) + text[at[3]:], err == nil
}

// askCompare compares what comes of the comparison with a changed text.
func (s *surfaces) askCompare(file, text string, u uri.URI) {
	other, ok := changed(file, text)
	if !ok || len(text) > maxCompared {
		return
	}
	path := filepath.Join(s.t.TempDir(), filepath.Base(file))
	if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
		s.t.Fatal(err)
	}
	var there wire.Comparison
	err := s.execute(wire.CommandCompare.Name, map[string]any{"uri": u, "text": other, "timeout": 20}, &there)
	out, said := s.cli("equiv", "--timeout", "20s", file, path)
	if strings.Contains(said, "error[") {
		return // of the file, or in the folder of the other one models are missing
	}
	if (err == nil) != (out != "") {
		s.t.Errorf("%s: compare: %q, and the server says %v", file, said, err)
	}
	if err != nil || out == "" {
		return
	}
	s.asked["compare"]++
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if last := lines[len(lines)-1]; !strings.Contains(last, ": "+there.Message+" · ") {
		s.t.Errorf("%s: compare says\n%s\nand the server %q", file, last, there.Message)
	}
	out, _ = s.cli("equiv", "--timeout", "20s", "--format", "json", file, path)
	s.compareTrails(file, out, there.Pairs)
}

func (s *surfaces) compareTrails(file, out string, there []wire.ComparedPair) {
	pair := 0
	for line := range strings.Lines(out) {
		var here jsonPair
		if err := json.Unmarshal([]byte(line), &here); err != nil {
			s.t.Fatal(err)
		}
		if here.Type != "pair" {
			continue
		}
		var trail []string
		for _, c := range here.Trail {
			trail = append(trail, fmt.Sprintf("%s: %s and %s at step %d", c.Name, c.Values[0], c.Values[1], c.Step))
		}
		if len(trail) > 0 {
			s.asked["trail"]++
		}
		if here.Verdict != string(there[pair].Verdict) || !slices.Equal(trail, there[pair].Trail) {
			s.t.Errorf("%s: pair %d is %s by %q, for the server %s by %q", file, pair, here.Verdict, trail, there[pair].Verdict, there[pair].Trail)
		}
		pair++
	}
}

// latchIn finds the literal, or name, of a latch in a text.
var latchIn = map[string]*regexp.Regexp{
	".aag":   regexp.MustCompile(`(?m)^(\d+) \d+( \d+)?$`),
	".blif":  regexp.MustCompile(`(?m)^\.latch \S+ (\S+)`),
	".btor2": regexp.MustCompile(`(?m)^\d+ state 1 (\S+)`),
}

// maxReached bounds the latches of a file that a run is looked for.
const maxReached = 2

// askReach compares what is said of latches that are to be 1.
func (s *surfaces) askReach(file, text string, u uri.URI) {
	if len(text) > maxCompared || strings.Count(text, ".model") > 1 {
		return
	}
	for _, at := range latchIn[filepath.Ext(file)].FindAllStringSubmatchIndex(text, maxReached) {
		line := strings.Count(text[:at[2]], "\n")
		place := map[string]any{"line": line, "character": at[2] - strings.LastIndex(text[:at[2]], "\n") - 1}
		name := text[at[2]:at[3]]
		s.askReached(file, name, map[string]any{"uri": u, "position": place, "timeout": 20})
		not := "!" + name
		if filepath.Ext(file) == ".blif" {
			not = "!`" + name + "`"
		}
		s.askReached(file, not, map[string]any{"uri": u, "expression": not, "timeout": 20})
	}
}

// askReached compares what is said of a signal or expression.
func (s *surfaces) askReached(file, signal string, params map[string]any) {
	var there wire.Reached
	err := s.execute(wire.CommandReach.Name, params, &there)
	out, _ := s.cli("cover", "--timeout", "20s", "--signal", signal, file)
	if err != nil || out == "" {
		return // the command line does not look in a file with errors
	}
	s.asked["reach"]++
	first, _, _ := strings.Cut(out, "\n")
	if !strings.Contains(first, ": "+strings.TrimSuffix(there.Message, ".")+" · ") {
		s.t.Errorf("%s: cover says %q, and the server %q", file, first, there.Message)
	}
}

// jsonWave is a wave in the format json.
type jsonWave struct {
	Title   string
	Signals []struct {
		Path                []string
		Name, Group, Values string
	}
}

// values returns those of all signals by their groups and names.
func (w *jsonWave) values() map[string]string {
	all := map[string]string{}
	for _, x := range w.Signals {
		all[fmt.Sprint(x.Group, x.Path, x.Name)] = x.Values
	}
	return all
}

// compareWave replays the counterexample of the server, and compares the signals that its wave has.
func (s *surfaces) compareWave(file string, u uri.URI, id wire.PropertyID) {
	export := func(format string) (text string, err error) {
		var found wire.ExportedTrace
		err = s.execute(wire.CommandExportTrace.Name, map[string]any{"uri": u, "property": id, "format": format}, &found)
		return found.Text, err
	}
	witness, err := export("witness")
	if err != nil {
		return // witnesses have no name for lemmas and covers
	}
	text, err := export("json")
	path := filepath.Join(s.t.TempDir(), "run.wit")
	if err != nil || os.WriteFile(path, []byte(witness), 0o600) != nil {
		s.t.Fatal(err)
	}
	out, said := s.cli("replay", "--witness", path, "--index", string(id), "--to", "json", file)
	var here, there jsonWave
	if json.Unmarshal([]byte(out), &here) != nil || json.Unmarshal([]byte(text), &there) != nil {
		s.t.Errorf("%s, %s: replay: %q %s", file, id, out, said)
		return
	}
	s.asked["wave"]++
	s.askDebugger(file, wire.PropertyParams{URI: u, Property: id}, witness)
	isLasso, hasX := strings.HasPrefix(string(id), "justice"), filepath.Ext(file) != ".btor2"
	if isLasso && !hasX {
		return // with a value for each x, the loop may close later
	}
	if here.Title != there.Title {
		s.t.Errorf("%s, %s: the wave is titled %q, that of the server %q", file, id, here.Title, there.Title)
	}
	all := here.values()
	for name, values := range there.values() {
		if own, ok := all[name]; !ok || !isRefined(values, own) || own != values && !isLasso && hasX {
			s.t.Errorf("%s, %s: %s is %q, for the server %q", file, id, name, all[name], values)
		}
	}
}
