package ide_test

import (
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/blifdesign"
	"aiglens/design/formats"
	"aiglens/design/runs"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
)

var update = flag.Bool("update", false, "write what comes out as what is expected; read it before you commit it")

// scene is a txtar file of testdata: a circuit in which places are marked, and what is
// expected at each of them.
//
//	What the file shows, for the reader.
//	set step 2              a setting, see the fields below
//	-- a.aag --             the circuit; «x» marks the place after it as x
//	-- lib.blif --          other files, in the same folder
//	-- a.wit --             a witness: its property has that counterexample
//	-- at x --              what is expected at x
//	-- whole --             what is expected of a scene without marks
//
// Verdicts are those of verify.Run on the circuit, checked like any other.
type scene struct {
	t     *testing.T
	doc   *design.Design
	marks []mark

	check    bool   // all properties are checked first
	vacuity  bool   // and asked whether they hold vacuously
	stale    bool   // the verdicts are about an earlier text
	depth    int    // of expressions
	step     *int   // of the counterexample that is shown
	instance string // that is meant
	rounds   int    // of a lasso that are shown
	names    bool   // are shown in notes
	sections bool   // are shown in notes
	looks    bool   // of notes are written
	activity map[circuit.Property]ide.Status
	offers   bool           // of the client: what only some can do
	limits   *verify.Limits // all properties have hit one of these
	reason   string
	blif     blifdesign.Option

	statuses map[circuit.Property]ide.Status
}

// mark is a place with a name.
type mark struct {
	name   string
	offset int
}

// feature writes what the editor is told at a place.
type feature func(s *scene, offset int) string

// check runs a feature on all scenes of its folder.
func check(t *testing.T, folder string, f feature) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenes in %s: %v", folder, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) { checkScene(t, file, f) })
	}
}

func checkScene(t *testing.T, file string, f feature) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	isAnswer := func(f txtar.File) bool { return f.Name == "whole" || strings.HasPrefix(f.Name, "at ") }
	want := map[string]string{}
	for _, file := range archive.Files {
		if isAnswer(file) {
			want[file.Name] = string(file.Data)
		}
	}
	archive.Files = slices.DeleteFunc(archive.Files, isAnswer)
	s := newScene(t, archive)
	places := s.marks
	if len(places) == 0 {
		places = []mark{{"", 0}}
	}
	for _, m := range places {
		name := "whole"
		if m.name != "" {
			name = "at " + m.name
		}
		got := strings.TrimRight(f(s, m.offset), "\n")
		if got == "" {
			got = "nothing"
		}
		got += "\n"
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(got)})
		if !*update && got != want[name] {
			t.Errorf("%s of %s is\n%s\nwant\n%s", name, file, got, want[name])
		}
		delete(want, name)
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for name := range want {
		t.Errorf("%s: nothing is marked for %q", file, name)
	}
}

// folder is where the files of a scene lie, for what leads from one to another.
const folder = "/scene"

// files are those of a scene.
type files map[string]source.Text

func (f files) Text(path string) (source.Text, bool) { t, ok := f[path]; return t, ok }

func (f files) Folder(dir string) (all []string) {
	for name := range f {
		if path.Dir(name) == dir && path.Ext(name) == ".blif" {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

func newScene(t *testing.T, archive *txtar.Archive) *scene {
	t.Helper()
	if len(archive.Files) == 0 {
		t.Fatal("no circuit")
	}
	s := &scene{t: t, depth: 3, names: true, sections: true, activity: map[circuit.Property]ide.Status{}, statuses: map[circuit.Property]ide.Status{}}
	ends := "\n"
	for line := range strings.Lines(string(archive.Comment)) {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != "set" {
			continue
		}
		s.set(&ends, words[1:])
	}
	others := files{}
	var wit []byte
	for _, f := range archive.Files[1:] {
		if path.Ext(f.Name) == ".wit" {
			wit = f.Data
		}
		others[path.Join(folder, f.Name)] = source.NewText(string(f.Data))
	}
	name, text := path.Join(folder, archive.Files[0].Name), string(archive.Files[0].Data)
	if ends == "none" {
		text = strings.TrimSuffix(text, "\n")
	} else {
		text = strings.ReplaceAll(text, "\n", ends)
	}
	text, s.marks = unmark(t, text)
	others[name] = source.NewText(text)
	s.blif.Models = blifdesign.NewLibrary(others, s.blif, nil)
	opts := design.Options{}.With(blifdesign.Format, s.blif)
	s.doc = design.New(name, formats.Edited().Recognise("", name, text), 1, source.NewText(text), opts)
	if s.check {
		s.verify()
	}
	if wit != nil {
		s.take(wit)
	}
	return s
}

// set follows a line of settings.
func (s *scene) set(ends *string, words []string) {
	s.t.Helper()
	number := func(i int) int {
		n, err := strconv.Atoi(words[i])
		if err != nil {
			s.t.Fatalf("set %s: %v", strings.Join(words, " "), err)
		}
		return n
	}
	switch word := words[0]; word {
	case "check":
		s.check = true
	case "stale":
		s.check, s.stale = true, true
	case "vacuity":
		s.vacuity = true
	case "depth":
		s.depth = number(1)
	case "step":
		step := number(1)
		s.check, s.step = true, &step
	case "instance":
		s.instance = words[1]
	case "rounds":
		s.rounds = number(1)
	case "names":
		s.names = words[1] == "on"
	case "sections":
		s.sections = words[1] == "on"
	case "looks":
		s.looks = true
	case "queued", "checking":
		id := circuit.Property{Kind: circuit.PropertyBad, Index: number(1)}
		status := ide.Status{Activity: ide.Queued}
		if word == "checking" {
			status = ide.Status{Activity: ide.Checking, Progress: verify.Progress{Depth: number(2), Lemmas: number(3)}}
		}
		s.activity[id] = status
	case "offers":
		s.offers = true
	case "timeout", "cpu", "memory":
		s.check = true
		n := time.Duration(number(1)) * time.Second
		switch word {
		case "timeout":
			s.limits, s.reason = &verify.Limits{Wall: n}, "timeout"
		case "cpu":
			s.limits, s.reason = &verify.Limits{Wall: time.Hour, CPU: n}, "CPU limit"
		case "memory":
			s.limits, s.reason = &verify.Limits{Memory: int64(number(1)) << 20}, "memory limit"
		}
	case "ends":
		*ends = map[string]string{"crlf": "\r\n", "none": "none"}[words[1]]
	case "combinational":
		s.blif.Combinational = true
	case "cutUndriven":
		s.blif.CutUndriven = true
	default:
		s.t.Fatalf("set %s: no such setting", word)
	}
}

// unmark takes the marks out of a text.
func unmark(t *testing.T, text string) (string, []mark) {
	t.Helper()
	var b strings.Builder
	var marks []mark
	for {
		before, rest, found := strings.Cut(text, "«")
		b.WriteString(before)
		if !found {
			return b.String(), marks
		}
		name, after, closed := strings.Cut(rest, "»")
		if !closed || strings.Contains(name, "\n") {
			t.Fatalf("a mark without an end: %.20s", rest)
		}
		marks = append(marks, mark{name, b.Len()})
		text = after
	}
}

// verify checks all properties.
func (s *scene) verify() {
	common := verify.NewCommon(s.doc.Circuit())
	lemmasFirst := slices.Clone(s.doc.Properties())
	slices.SortStableFunc(lemmasFirst, func(a, b design.Property) int {
		isLemma := map[circuit.PropertyKind]int{circuit.PropertyLemma: 1}
		return isLemma[b.ID.Kind] - isLemma[a.ID.Kind]
	})
	for _, p := range lemmasFirst {
		status := ide.Status{Kind: p.ID.Kind}
		if fault := s.doc.Fault(p.ID); fault != nil {
			status.FaultLine, status.Fault = s.doc.Text.LineAt(fault.Span.Start)+1, fault.Brief()
			s.statuses[p.ID] = status
			continue
		}
		r := verify.Run(s.t.Context(), verify.Job{Circuit: s.doc.Circuit(), Property: p.ID, Engine: engines.NewAuto(), Common: common, FindVacuity: s.vacuity}, nil)
		r.Elapsed = 0 // which differs from run to run
		if s.limits != nil {
			r = verify.Result{Checked: cert.CheckedUnknown(p.ID, s.reason, 5), Allowed: *s.limits}
		}
		status.Result = &r
		if r.Checked.Outcome() == cert.Refuted {
			status.LeftOpen = s.doc.LeftOpen(p.ID)
		}
		if !s.stale {
			status.Freshness = ide.Fresh
			status.Counterexample, _ = runs.NewCounterexample(s.t.Context(), s.doc.Circuit(), p.ID, r)
		}
		s.statuses[p.ID] = status
	}
}

// take shows the counterexample of a witness.
func (s *scene) take(wit []byte) {
	s.t.Helper()
	found, problems, err := runs.ReadWitnesses(s.t.Context(), s.doc, wit)
	if len(found) != 1 || len(problems) > 0 || err != nil {
		s.t.Fatalf("%d witnesses, %v, %v", len(found), problems, err)
	}
	p := found[0].Properties[0]
	r, err := verify.Imported(s.t.Context(), s.doc.Circuit(), p, runs.Widen(s.doc, found[0].Trace))
	if err != nil {
		s.t.Fatal(err)
	}
	status := ide.Status{Result: &r, Freshness: ide.Fresh}
	var ok bool
	if status.Counterexample, ok = runs.NewCounterexample(s.t.Context(), s.doc.Circuit(), p, r); !ok {
		s.t.Fatal("no counterexample")
	}
	s.statuses[p] = status
}

// status is that of a property.
func (s *scene) status(p circuit.Property) ide.Status {
	status := s.statuses[p]
	status.Kind = p.Kind
	if now, ok := s.activity[p]; ok {
		status.Activity, status.Progress = now.Activity, now.Progress
	}
	return status
}

// shown is the step that is shown, of the first property that fails.
func (s *scene) shown() *ide.Selection {
	if x := s.counterexample(); x != nil && s.step != nil {
		return &ide.Selection{Property: x.Property, Step: *s.step, Instance: s.instance}
	}
	return nil
}

// counterexample is that of the first property that fails.
func (s *scene) counterexample() *runs.Counterexample {
	for _, p := range s.doc.Properties() {
		if x := s.status(p.ID).Counterexample; x != nil {
			return x
		}
	}
	return nil
}

// all is the whole text.
func (s *scene) all() source.Span { return source.Span{Length: s.doc.Text.Len()} }

// at writes a place as "3:1 \"text\"".
func (s *scene) at(span source.Span) string { return at(s.doc.Text, span) }

func at(text source.Text, span source.Span) string {
	line, column := text.LineColumn(span.Start)
	words := text.Slice(span)
	if len(words) > 40 {
		words = words[:40] + "…"
	}
	return fmt.Sprintf("%d:%d %q", line, column, words)
}

// lines writes a range as "1:1–3:4".
func (s *scene) lines(span source.Span) string {
	line, column := s.doc.Text.LineColumn(span.Start)
	lastLine, lastColumn := s.doc.Text.LineColumn(span.End())
	return fmt.Sprintf("%d:%d–%d:%d", line, column, lastLine, lastColumn)
}

// must fails the test on an error, which under a context that does not end is none.
func must[T any](s *scene, value T, err error) T {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
	return value
}
