package torture

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"aiglens/aiger"
	"aiglens/internal/cache"
)

// kept is the folder of the differences that have been found, each with its versions
// in their order. There are some that never were one, too: files that others judge
// wrong.
const kept = "testdata"

// keep writes a difference where TestKept finds it.
func keep(dir string, seed uint64, d *difference) (path string, err error) {
	a := &txtar.Archive{Comment: fmt.Appendf(nil, "Seed %d, %v\n", seed, d)}
	for i, v := range d.versions {
		f := txtar.File{Name: fmt.Sprintf("%d.blif", i), Data: []byte(v.text)}
		if v.model != nil {
			f.Name, f.Data = fmt.Sprintf("%d.aag", i), v.model.AppendASCII(nil)
		}
		a.Files = append(a.Files, f)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	path = filepath.Join(dir, fmt.Sprintf("seed%d.txtar", seed))
	return path, os.WriteFile(path, txtar.Format(a), 0o666)
}

// load reads what keep has written.
func load(path string) ([]version, error) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		return nil, err
	}
	var all []version
	for _, f := range a.Files {
		if strings.HasSuffix(f.Name, ".blif") {
			all = append(all, version{text: string(f.Data), forABC: true})
			continue
		}
		m, err := modelOf(f.Data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		all = append(all, version{model: m})
	}
	return all, nil
}

func modelOf(text []byte) (*aiger.Model, error) {
	in, err := aiger.Read("c.aag", text)
	if err != nil {
		return nil, err
	}
	return aiger.ModelOf(in.File)
}

// TestKept judges what has once been a difference, in every form and with every
// engine.
func TestKept(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(kept, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatal("nothing is kept: ", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			versions, err := load(path)
			if err != nil {
				t.Fatal(err)
			}
			store, err := cache.Open(t.TempDir(), cache.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for form := range packedBinary + 2 {
				x := newPlayer(store)
				x.each = true
				for i := range versions {
					versions[i].form = form
				}
				if d := x.play(rand.New(rand.NewPCG(1, 4)), versions); d != nil {
					t.Error(d)
				}
			}
		})
	}
}
