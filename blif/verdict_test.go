package blif_test

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"aiglens/blif"
	"aiglens/blif/flat"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// table reads a table of the test material.
func table(t testing.TB, name string) [][]string {
	t.Helper()
	file, err := os.Open(filepath.Join(shared.Dir(t), "corpus", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return records[1:]
}

// folder is a Library of the files beside a file, by name and by the models
// that they hold.
type folder struct {
	dir   string
	files map[string]*blif.File
}

// open reads a file of the folder once; nil when it does not exist.
func (l *folder) open(name string) *blif.File {
	if f, ok := l.files[name]; ok {
		return f
	}
	data, err := os.ReadFile(filepath.Join(l.dir, name))
	if err != nil {
		return nil
	}
	f := blif.Options{FileName: filepath.Base(name), Library: l}.Parse(source.NewText(string(data)))
	l.files[name] = f
	return f
}

func (l *folder) Search(path string) *blif.File { return l.open(path) }

func (l *folder) Model(string) *blif.Model { return nil }

// parse reads a file of the test material with the files beside it.
func parse(t testing.TB, path string, o blif.Options) *blif.File {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o.FileName = filepath.Base(path)
	o.Library = &folder{filepath.Dir(path), map[string]*blif.File{}}
	return o.Parse(source.NewText(string(data)))
}

// wallOfVerdict bounds a property; those that take longer are unknown, which
// is not wrong.
const wallOfVerdict = 20 * time.Second

// TestVerdicts checks the properties of VERDICTS.csv. Each is decided, and each
// verdict is that of the table.
func TestVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the engine on some hundred properties")
	}
	elaborated := map[string]*flat.Elaboration{}
	decided := 0
	for _, row := range table(t, "VERDICTS.csv") {
		name, index, want := row[0], row[2], row[3]
		if !strings.HasSuffix(name, ".blif") {
			continue
		}
		e, ok := elaborated[name]
		if !ok {
			f := parse(t, filepath.Join(shared.Dir(t), "corpus", name), blif.Options{})
			e = flat.Elaborate(f)
			elaborated[name] = e
		}
		i, _ := strconv.Atoi(index)
		p := circuit.Property{Kind: circuit.PropertyOutput, Index: i}
		if fault := e.Fault(p); fault != nil {
			t.Errorf("%s %s: %s", name, p, fault.Message)
			continue
		}
		r := verify.Run(context.Background(), verify.Job{
			Circuit: e.Circuit, Property: p, Engine: &engines.IC3{}, Limits: verify.Limits{Wall: wallOfVerdict},
		}, nil)
		outcomes := map[cert.Outcome]string{cert.Proved: "safe", cert.Refuted: "unsafe", cert.Unknown: "unknown"}
		switch got := outcomes[r.Checked.Outcome()]; {
		case got == "unknown":
			t.Errorf("%s %s: unknown: %s", name, p, r.Checked.Reason())
		case got != want:
			t.Errorf("%s %s: %s, want %s", name, p, got, want)
		default:
			decided++
		}
	}
	t.Logf("%d verdicts agree", decided)
	if decided == 0 {
		t.Error("no verdicts compared")
	}
}
