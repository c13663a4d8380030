package hierarchy

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/cells"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/flat"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// memory is a file system in memory.
type memory map[string]string

func (m memory) Text(path string) (source.Text, bool) {
	content, ok := m[filepath.ToSlash(path)]
	return source.NewText(content), ok
}

func (m memory) Folder(path string) []string {
	var all []string
	for name := range m {
		if filepath.Dir(filepath.FromSlash(name)) == path && IsBLIF(name) {
			all = append(all, filepath.FromSlash(name))
		}
	}
	slices.Sort(all)
	return all
}

const inverter = ".model inv\n.inputs a\n.outputs y\n.names a y\n0 1\n.end\n"

func top(search string) string {
	return search + ".model top\n.inputs x\n.outputs bad\n.subckt inv a=x y=bad\n.end\n"
}

// instance returns the file name and line of what top instantiates.
func instance(t *testing.T, files memory, before *Library) (string, *Library) {
	t.Helper()
	l := New(files, blif.Options{}, before)
	f := blif.Options{Library: l.For("/w/top.blif")}.Parse(source.NewText(files["/w/top.blif"]))
	for id := range f.NumStatements() {
		if f.Statement(id).Kind == statement.KindSubckt {
			m := f.Instance(id)
			if m == nil {
				return "", l
			}
			return filepath.ToSlash(l.pathOf(m.File)), l
		}
	}
	t.Fatal("no instance")
	return "", l
}

func TestWhereModelsComeFrom(t *testing.T) {
	check := func(want string, files memory) {
		t.Helper()
		if got, _ := instance(t, files, nil); got != want {
			t.Errorf("the model comes from %q, expected %q", got, want)
		}
	}
	check("", memory{"/w/top.blif": top("")})
	check("/w/inv.blif", memory{"/w/top.blif": top(""), "/w/inv.blif": inverter})
	check("/w/lib/cells.blif", memory{"/w/top.blif": top(".search lib/cells.blif\n"), "/w/lib/cells.blif": inverter})
	check("/w/lib/a.blif", memory{"/w/top.blif": top(".search lib/a.blif\n"), "/w/lib/a.blif": inverter, "/w/inv.blif": inverter})
	check("", memory{"/w/top.blif": top(""), "/w/a.blif": inverter, "/w/b.blif": inverter})
	check("", memory{"/w/top.blif": top(""), "/w/sub/inv.blif": inverter})
	check("/lib/inv.blif", memory{"/w/top.blif": top(".search /lib/inv.blif\n"), "/lib/inv.blif": inverter})
	check("", memory{"/w/top.blif": top(".search //lib/inv.blif\n"), "/lib/inv.blif": inverter})
	check("", memory{"/w/top.blif": top(".search inv.v\n"), "/w/other.blif": top("")})
}

// TestFilesThatSearchEachOther tests that a cycle of .search lines ends.
func TestFilesThatSearchEachOther(t *testing.T) {
	files := memory{
		"/w/top.blif": ".search a.blif\n" + top(""),
		"/w/a.blif":   ".search top.blif\n.search a.blif\n" + inverter,
	}
	l := New(files, blif.Options{}, nil)
	f := blif.Options{Library: l.For("/w/top.blif")}.Parse(source.NewText(files["/w/top.blif"]))
	e := flat.Elaborate(f)
	ps := f.Properties()
	if len(ps) != 1 || e.Fault(ps[0].ID) != nil || e.NumInstances() != 2 {
		t.Errorf("properties %v, %d instances", ps, e.NumInstances())
	}
}

// TestNextMoment tests that a library sees the texts of its own moment, and that
// one that is used says so.
func TestNextMoment(t *testing.T) {
	files := memory{"/w/top.blif": top(""), "/w/inv.blif": inverter}
	_, first := instance(t, files, nil)
	old := first.file("/w/inv.blif")
	same := New(files, blif.Options{}, first)
	if f := same.file("/w/inv.blif"); f == old || f.Text().Content() != inverter {
		t.Error("a file keeps the library of an earlier moment")
	}
	delete(files, "/w/inv.blif")
	if got, _ := instance(t, files, first); got != "" {
		t.Errorf("a model of the deleted %s is found", got)
	}
	v := first.For("/w/top.blif")
	if v.IsUsed() {
		t.Error("nothing has been looked for")
	}
	if v.Model("inv") == nil || !v.IsUsed() {
		t.Error("a model has been looked for")
	}
	if all := v.Models(); len(all) != 1 || all[0].Name != "inv" {
		t.Errorf("%d models of other files", len(all))
	}
}

// TestModelThatHoldsItself tests that a model which holds itself through another
// file has no verdict.
func TestModelThatHoldsItself(t *testing.T) {
	files := memory{
		"/w/x.blif": ".model x\n.inputs a\n.outputs bad\n.subckt y a=a b=n\n.latch n q 0\n.names q a bad\n11 1\n.end\n",
		"/w/y.blif": ".model y\n.inputs a\n.outputs b\n.subckt x a=a bad=b\n.end\n",
	}
	l := New(files, blif.Options{}, nil)
	f := blif.Options{Library: l.For("/w/x.blif")}.Parse(source.NewText(files["/w/x.blif"]))
	e := flat.Elaborate(f)
	for _, p := range f.Properties() {
		if d := e.Fault(p.ID); d == nil || d.Code != codes.Recursion {
			t.Errorf("fault %v, expected that a model holds itself", d)
		}
	}
	if len(f.Properties()) != 1 {
		t.Errorf("%d properties, expected 1", len(f.Properties()))
	}
}

// TestOptionsOfOtherFiles tests that the cell library and the settings count in
// every file of a hierarchy.
func TestOptionsOfOtherFiles(t *testing.T) {
	files := memory{
		"/w/top.blif": ".model top\n.inputs a\n.outputs bad\n.subckt sub a=a y=z\n.names a z bad\n11 1\n.end\n",
		"/w/sub.blif": ".model sub\n.inputs a\n.outputs y\n.gate inv a=x O=y\n.conn a x\n.end\n",
	}
	check := func(o blif.Options, fault bool, cuts, inputs int) {
		t.Helper()
		o.Library = New(files, o, nil).For("/w/top.blif")
		e := flat.Elaborate(o.Parse(source.NewText(files["/w/top.blif"])))
		p := e.Circuit.Properties()
		if len(p) != 1 {
			t.Fatalf("properties %v, expected one", p)
		}
		if got := e.Fault(p[0]) != nil; got != fault {
			t.Errorf("fault %v, expected %v", e.Fault(p[0]), fault)
		}
		if got := e.LeftOpen(p[0]).Cuts; len(got) != cuts || len(e.Circuit.Inputs()) != inputs {
			t.Errorf("cuts %v and %d inputs, expected %d and %d", got, len(e.Circuit.Inputs()), cuts, inputs)
		}
	}
	cells := cells.ReadGenlib("GATE inv 1 O=!a; PIN * INV 1 999 1 0 1 0\n")
	check(blif.Options{}, false, 1, 2)
	check(blif.Options{Cells: cells}, false, 0, 1)
	files["/w/sub.blif"] = ".model sub\n.inputs a\n.outputs y\n.names a u y\n11 1\n.end\n"
	check(blif.Options{}, true, 0, 2)
	check(blif.Options{CutUndriven: true}, false, 1, 2)
}

// TestNewNameOfModel tests that a model gets no name under which it would be found
// in the place of another one, or the other way round.
func TestNewNameOfModel(t *testing.T) {
	model := func(name string) string { return ".model " + name + "\n.inputs a\n.outputs y\n.names a y\n0 1\n.end\n" }
	user := func(search, name string) string {
		return search + ".model top\n.inputs x\n.outputs bad\n.subckt " + name + " a=x y=bad\n.end\n"
	}
	check := func(what string, files memory, want string) {
		t.Helper()
		l := New(files, blif.Options{}, nil)
		got := ""
		var others []string
		for path := range files {
			others = append(others, path)
		}
		if _, err := l.Rename("/w/a.blif", len(".model "), "beta", others); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, expected %q", what, got, want)
		}
	}
	a := model("alpha")
	check("no other file has the name", memory{"/w/a.blif": a, "/w/top.blif": user("", "alpha")}, "")
	check("a file of the folder has it", memory{"/w/a.blif": a, "/w/b.blif": model("beta"), "/w/top.blif": user("", "beta")},
		"b.blif has a model beta already")
	check("two files of the folder have it", memory{"/w/a.blif": a, "/w/b.blif": model("beta"), "/w/c.blif": model("beta")},
		"b.blif has a model beta already")
	check("a file of another folder has it", memory{"/w/a.blif": a, "/v/b.blif": model("beta"), "/v/top.blif": user("", "beta")}, "")
	check("a file reads both", memory{"/w/a.blif": a, "/v/b.blif": model("beta"),
		"/v/top.blif": user(".search ../w/a.blif\n.search b.blif\n", "beta")}, "top.blif uses another model beta already")
}

// TestReparseWithOtherModels changes a file and the one whose model it instantiates
// step by step, and compares what the names mean with a reading from scratch.
func TestReparseWithOtherModels(t *testing.T) {
	subs := []string{
		".model sub\n.inputs a b\n.outputs y\n.names a b y\n11 1\n.end\n",
		".model sub\n.inputs a b\n.outputs y\n.names a b y\n1- 1\n.end\n",
		".model sub\n.inputs a y\n.outputs b\n.names a y b\n11 1\n.end\n",
		".model sub\n.inputs b a\n.outputs y\n.names a y\n1 1\n.end\n",
		".model sub\n.inputs a b\n.outputs y\n.blackbox\n.end\n",
		".model other\n.inputs a b\n.outputs y\n.end\n",
		"",
	}
	random := rand.New(rand.NewPCG(7, 1))
	files := memory{"/w/sub.blif": subs[0]}
	lines := make([]string, 400) // several chunks
	for i := range lines {
		lines[i] = fmt.Sprintf(".names x%d q n%d\n11 1\n", i%5, i)
	}
	text := func() string {
		return ".model top\n.inputs x0 x1 x2 x3 x4\n.outputs bad\n.latch n1 q 0\n" + strings.Join(lines, "") + ".names q bad\n1 1\n.end\n"
	}
	l := New(files, blif.Options{}, nil)
	f := blif.Options{Library: l.For("/w/top.blif")}.Parse(source.NewText(text()))
	diagnose.Diagnostics(f)
	kept := 0
	for step := range 300 {
		if random.IntN(3) > 0 {
			i := random.IntN(len(lines))
			lines[i] = []string{
				fmt.Sprintf(".subckt sub a=x0 b=q y=n%d\n", i), fmt.Sprintf(".subckt other a=n%d y=x1\n", i),
				fmt.Sprintf(".names x%d q n%d\n11 1\n", i%5, i), ".subckt top x0=q\n",
			}[random.IntN(4)]
		}
		if random.IntN(3) == 0 {
			files["/w/sub.blif"] = subs[random.IntN(len(subs))]
		}
		l = New(files, blif.Options{}, l)
		f = f.ReparseWith(source.NewText(text()), l.For("/w/top.blif"))
		scratch := blif.Options{Library: New(files, blif.Options{}, nil).For("/w/top.blif")}.Parse(source.NewText(text()))
		if got, want := meaning(f), meaning(scratch); got != want {
			t.Fatalf("step %d: the names mean\n%s\nexpected\n%s", step, got, want)
		}
		if f.NumSignals() != scratch.NumSignals() {
			kept++ // numbers of signals that are gone
		}
	}
	if kept == 0 {
		t.Error("every version has been read from scratch")
	}
}

// meaning writes the diagnostics of a file, and what drives its signals.
func meaning(f *blif.File) string {
	var all []string
	for _, d := range diagnose.Diagnostics(f) {
		all = append(all, fmt.Sprint(d.Span, d.Code, d.Message))
	}
	var nets []string
	for s := range f.NumSignals() {
		v := blif.Signal(s + 1)
		id, ok := f.Driver(v)
		if ok || f.CountUses(v) > 0 {
			nets = append(nets, fmt.Sprint(f.Name(v), " ", id, ok, f.CountUses(v)))
		}
	}
	slices.Sort(nets)
	c := flat.Elaborate(f).Circuit
	return strings.Join(append(all, nets...), "\n") + fmt.Sprint(len(c.Inputs()), c.NumGates(), len(c.Latches()))
}

// stuck is a file system that answers once it is released.
type stuck struct {
	memory
	asked, release chan struct{}
}

func (s stuck) Text(path string) (source.Text, bool) {
	s.asked <- struct{}{}
	<-s.release
	return s.memory.Text(path)
}

// TestDiskDelaysNoQuestion: a question about what is known, or the next library, does not wait for a disk.
func TestDiskDelaysNoQuestion(t *testing.T) {
	files := stuck{memory{"/w/inv.blif": inverter}, make(chan struct{}), make(chan struct{})}
	l := New(files, blif.Options{}, nil)
	found := make(chan *blif.Model)
	for range 2 {
		go func() { found <- l.For("/w/top.blif").Model("inv") }()
	}
	<-files.asked
	if !l.HasAsked("/w/inv.blif") {
		t.Error("the file has been asked for")
	}
	if next := New(files, blif.Options{}, l); !next.HasAsked("/w/inv.blif") {
		t.Error("the file has been asked for in an earlier moment")
	}
	close(files.release)
	if a, b := <-found, <-found; a == nil || a != b {
		t.Errorf("found %v and %v, expected one model", a, b)
	}
}
