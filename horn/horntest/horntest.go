// Package horntest has what several tests of Horn clauses need: files that others wrote, with the answers of z3, and a
// search of all instances as the reference for small systems. It shares nothing with engines and readers.
package horntest

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"aiglens/horn"
	"aiglens/horn/rational"
	"aiglens/horn/term"
	"aiglens/internal/shared"
)

// File is a file that others wrote.
type File struct {
	Name   string // with its family: "kind2/cruise.smt2"
	Path   string
	Answer string // that of z3, which says for rules and queries whether one can be derived
	Status string // what the file says of itself, or ""
}

// Files returns the files. It skips the test where they are not.
func Files(t testing.TB) []File {
	t.Helper()
	dir := filepath.Join(shared.Dir(t), "benchmarks", "horn")
	table, err := os.Open(filepath.Join(dir, "verdicts.csv"))
	if os.IsNotExist(err) {
		t.Skip("the files are not there")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	records, err := csv.NewReader(table).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all := make([]File, len(records)-1)
	for i, r := range records[1:] {
		all[i] = File{r[0], filepath.Join(dir, r[0]), r[1], r[3]}
	}
	return all
}

// Read returns the text of the file.
func (f File) Read(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// IsFalseDerived derives all instances of a system whose numbers are from 0 to 3, and reports whether false is among
// them.
func IsFalseDerived(s *horn.System) bool {
	derived := map[string]bool{}
	for grown := true; grown; {
		grown = false
		for i := range s.Clauses {
			c := &s.Clauses[i]
			eachInstance(s.Terms, c.Vars, func(env map[term.Term]term.Value) {
				e := term.NewEvaluation(s.Terms, func(v term.Term) term.Value { return env[v] })
				key := func(a horn.Atom) string {
					b := fmt.Appendf(nil, "%d", a.Pred)
					for _, t := range a.Args {
						v := e.Value(t)
						b = fmt.Appendf(b, " %t %s", v.Truth, v.Number)
					}
					return string(b)
				}
				if !e.Holds(c.Constraint) {
					return
				}
				for _, a := range c.Body {
					if !derived[key(a)] {
						return
					}
				}
				if k := key(c.Head); !derived[k] {
					derived[k], grown = true, true
				}
			})
		}
	}
	return derived[fmt.Sprint(horn.NoPred)]
}

func eachInstance(p *term.Pool, vars []term.Term, visit func(map[term.Term]term.Value)) {
	env := map[term.Term]term.Value{}
	var assign func(i int)
	assign = func(i int) {
		switch {
		case i == len(vars):
			visit(env)
		case p.SortOf(vars[i]) == term.Bool:
			for _, b := range []bool{false, true} {
				env[vars[i]] = term.Value{Truth: b}
				assign(i + 1)
			}
		default:
			for k := range int64(4) {
				env[vars[i]] = term.Value{Number: rational.Int(k)}
				assign(i + 1)
			}
		}
	}
	assign(0)
}
