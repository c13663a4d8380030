package bench

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/internal/shared"
)

func TestReadTable(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []Task
	}{
		{"peers", "tier,file,property,expected\nsmoke,a/b.aig,o0,safe\n,c.aig,b12,unsafe\nopen,d.aig,multi,unknown\n,e.aig,justice,none\n", []Task{
			{"a/b.aig", "dir/a/b.aig", "output:0", Proved, "smoke"},
			{"c.aig", "dir/c.aig", "bad:12", Refuted, ""},
			{"d.aig", "dir/d.aig", "", "", "open"},
			{"e.aig", "dir/e.aig", "", "", ""},
		}},
		{"names", "file,property,verdict,step\nf.aag,overflow,proved,\nf.aag,bad,refuted,4\nf.aag,b,,\n", []Task{
			{"f.aag", "dir/f.aag", "overflow", Proved, ""},
			{"f.aag", "dir/f.aag", "bad", Refuted, ""},
			{"f.aag", "dir/f.aag", "b", "", ""},
		}},
		{"positions", "file,kind,index,verdict\nf.aag,output,1,safe\n", []Task{{"f.aag", "dir/f.aag", "output:1", Proved, ""}}},
		{"files", "file\n/x/f.aag\n", []Task{{"/x/f.aag", "/x/f.aag", "", "", ""}}},
	} {
		got, err := readTable(strings.NewReader(test.text), "dir")
		for i := range got {
			got[i].Path = filepath.ToSlash(got[i].Path)
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, %v\nwant %q", test.name, got, err, test.want)
		}
	}
	for _, bad := range []string{"", "name\nf\n", "file,tier\nf\n"} {
		if _, err := readTable(strings.NewReader(bad), ""); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

func TestPropertyFlag(t *testing.T) {
	for property, want := range map[string]string{
		"bad:0": "--index", "output:12": "--index", "justice:1": "--index",
		"overflow": "--property", "bad:x": "--property", "data:0": "--property", "bad": "--property",
	} {
		if got := propertyFlag(property); got != want {
			t.Errorf("%s: %s, want %s", property, got, want)
		}
	}
}

func TestTasks(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.aag", "a/x.aig", "a/y.aag.gz", "a/readme.md", "table.csv"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		text := ""
		if name == "table.csv" {
			text = "file,property,tier\nb.aag,b0,one\nb.aag,b1,two\na/x.aig,,two\nmissing.aig,,one\n"
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	table, below := filepath.Join(dir, "table.csv"), filepath.Join(dir, "a")
	for _, test := range []struct {
		name  string
		paths []string
		table string
		tiers []string
		want  string // file name and property of each
	}{
		{"directory", []string{dir}, "", nil, "x.aig y.aag.gz b.aag"},
		{"named twice", []string{below, filepath.Join(below, "x.aig"), below}, "", nil, "x.aig y.aag.gz"},
		{"any file that is named", []string{filepath.Join(below, "readme.md")}, "", nil, "readme.md"},
		{"table", nil, table, nil, "b.aag/bad:0 b.aag/bad:1 x.aig missing.aig"},
		{"tier", nil, table, []string{"two"}, "b.aag/bad:1 x.aig"},
		{"directory with table", []string{dir}, table, nil, "x.aig y.aag.gz b.aag/bad:0 b.aag/bad:1"},
		{"tier below a directory", []string{below}, table, []string{"two"}, "x.aig"},
	} {
		tasks, err := Tasks(test.paths, test.table, test.tiers)
		var got []string
		for _, task := range tasks {
			s := filepath.Base(task.Path)
			if task.Property != "" {
				s += "/" + task.Property
			}
			got = append(got, s)
		}
		if err != nil || strings.Join(got, " ") != test.want {
			t.Errorf("%s: got %s, %v\nwant %s", test.name, strings.Join(got, " "), err, test.want)
		}
	}
	for name, call := range map[string]func() ([]Task, error){
		"tier":      func() ([]Task, error) { return Tasks(nil, table, []string{"one", "three"}) },
		"table":     func() ([]Task, error) { return Tasks(nil, filepath.Join(dir, "none.csv"), nil) },
		"path":      func() ([]Task, error) { return Tasks([]string{filepath.Join(dir, "none")}, "", nil) },
		"no models": func() ([]Task, error) { return Tasks([]string{t.TempDir()}, "", nil) },
	} {
		if tasks, err := call(); err == nil {
			t.Errorf("%s: no error, but %v", name, tasks)
		}
	}
}

// TestPeersTable reads the table of the real benchmarks.
func TestPeersTable(t *testing.T) {
	dir := filepath.Join(shared.Dir(t), "benchmarks")
	tasks, err := Tasks(nil, filepath.Join(dir, "peers.csv"), nil)
	if err != nil {
		t.Fatal(err)
	}
	expected := map[string]int{}
	for _, task := range tasks {
		expected[task.Expected]++
		if _, err := os.Stat(task.Path); err != nil {
			t.Error(err)
		}
	}
	if expected[Proved] == 0 || expected[Refuted] == 0 || len(tasks) < 500 {
		t.Errorf("%d tasks, expected %v", len(tasks), expected)
	}
	if tiers := Tiers(tasks); len(tiers) != 5 {
		t.Errorf("tiers %q", tiers)
	}
}
