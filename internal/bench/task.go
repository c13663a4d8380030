// Package bench measures model checkers on sets of circuits: it runs each
// circuit in a process of its own under limits of CPU time and memory, keeps a
// row of a CSV for every run, and makes summaries, comparisons and plots of
// such rows.
//
// It knows checkers as programs only: what they are asked on their command line
// and what they print. It never reads a circuit and shares nothing with an
// engine.
package bench

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aiglens/design/format"
)

// Task is a question about one file.
type Task struct {
	Name string // what rows call the file: as in the table, else its path
	Path string
	// Property is KIND:N, the user's name of a property, or empty for all
	// properties of the file together.
	Property string
	Expected string // proved, refuted, or empty when not known
	Tier     string
}

// Tasks returns what is to be run: the files of paths, which may be
// directories, or without paths all rows of the table. A file that the table
// knows is asked as the table says, once for each of its rows. With tiers, only
// rows of these tiers are taken. An empty table name is not a table.
func Tasks(paths []string, table string, tiers []string) ([]Task, error) {
	var rows []Task
	if table != "" {
		f, err := os.Open(table)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if rows, err = readTable(f, filepath.Dir(table)); err != nil {
			return nil, fmt.Errorf("%s: %w", table, err)
		}
	}
	tasks := rows
	if len(paths) > 0 {
		files, err := findFiles(paths)
		if err != nil {
			return nil, err
		}
		tasks = describe(files, rows)
	}
	if len(tiers) == 0 {
		return tasks, nil
	}
	for _, tier := range tiers {
		if !slices.ContainsFunc(tasks, func(t Task) bool { return t.Tier == tier }) {
			return nil, fmt.Errorf("no file of tier %q; the tiers here are %s", tier, strings.Join(Tiers(tasks), ", "))
		}
	}
	return slices.DeleteFunc(tasks, func(t Task) bool { return !slices.Contains(tiers, t.Tier) }), nil
}

// Tiers returns the tiers of tasks in the order of appearance.
func Tiers(tasks []Task) []string {
	var tiers []string
	for _, t := range tasks {
		if t.Tier != "" && !slices.Contains(tiers, t.Tier) {
			tiers = append(tiers, t.Tier)
		}
	}
	return tiers
}

// readTable reads a CSV with a header. Its column file, relative to dir, must be
// there; property (or kind and index), expected (or verdict) and tier may be.
func readTable(r io.Reader, dir string) ([]Task, error) {
	var tasks []Task
	err := eachTask(r, dir, func(t Task, _ func(names ...string) string) error {
		tasks = append(tasks, t)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return tasks, nil
}

// eachTask calls take with each row of a table, and with a function that returns what the
// row has in the first of some columns that is there, "" without any.
func eachTask(r io.Reader, dir string, take func(t Task, column func(names ...string) string) error) error {
	in := csv.NewReader(r)
	header, err := in.Read()
	if err != nil {
		return fmt.Errorf("no header: %w", err)
	}
	if !slices.Contains(header, "file") {
		return errors.New("the header has no column \"file\"")
	}
	for {
		fields, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		column := func(names ...string) string {
			for _, name := range names {
				if i := slices.Index(header, name); i >= 0 {
					return fields[i]
				}
			}
			return ""
		}
		property := column("property")
		if kind := column("kind"); property == "" && kind != "" {
			property = kind + ":" + column("index")
		}
		t := Task{
			Name:     column("file"),
			Path:     filepath.FromSlash(column("file")),
			Property: tableProperty(property),
			Expected: verdictFrom(column("expected", "verdict"), column("file")),
			Tier:     column("tier"),
		}
		if !filepath.IsAbs(t.Path) {
			t.Path = filepath.Join(dir, t.Path)
		}
		if err := take(t, column); err != nil {
			return err
		}
	}
}

// tableProperty reads how tables name properties: b0, o0 and j0 beside KIND:N
// and names; multi and justice for all of a file.
func tableProperty(s string) string {
	if s == "multi" || s == "justice" {
		return ""
	}
	if len(s) > 1 {
		if _, err := strconv.ParseUint(s[1:], 10, 31); err == nil {
			switch s[0] {
			case 'b':
				return "bad:" + s[1:]
			case 'o':
				return "output:" + s[1:]
			case 'j':
				return "justice:" + s[1:]
			}
		}
	}
	return s
}

// verdictFrom reads the words for a verdict on a file that are in use; others say nothing. Horn clauses that
// are satisfiable are safe; of a circuit some say so of its counterexample.
func verdictFrom(s, file string) string {
	areClauses := format.SMTLIB.Has(file)
	switch {
	case s == "safe", s == Proved, s == "sat" && areClauses:
		return Proved
	case s == "unsafe", s == Refuted, s == "unsat" && areClauses:
		return Refuted
	}
	return ""
}

// measured are the formats of the files that are looked for below a directory.
var measured = []format.Format{format.AIGER, format.BTOR2, format.SMTLIB}

func isMeasured(path string) bool {
	return slices.ContainsFunc(measured, func(f format.Format) bool { return f.Has(path) })
}

// measuredExtensions are those of all such files.
func measuredExtensions() (all []string) {
	for _, f := range measured {
		all = append(all, f.Extensions()...)
	}
	return all
}

// findFiles returns the files named and those that are measured below the directories
// named, each once, in the order of paths and then of names.
func findFiles(paths []string) ([]string, error) {
	var files []string
	add := func(path string) {
		if !slices.Contains(files, path) {
			files = append(files, path)
		}
	}
	for _, path := range paths {
		found := false
		err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if !d.IsDir() && (p == path || isMeasured(p)) {
				add(p)
				found = true
			}
			return nil
		})
		switch {
		case err != nil:
			return nil, err
		case !found:
			return nil, fmt.Errorf("%s: no file that ends in %s", path, strings.Join(measuredExtensions(), ", "))
		}
	}
	return files, nil
}

// describe gives each file the rows that the table has for it, or none.
func describe(files []string, rows []Task) []Task {
	known := map[string][]Task{}
	for _, row := range rows {
		known[absolute(row.Path)] = append(known[absolute(row.Path)], row)
	}
	var tasks []Task
	for _, file := range files {
		if rows := known[absolute(file)]; len(rows) > 0 {
			tasks = append(tasks, rows...)
		} else {
			tasks = append(tasks, Task{Name: filepath.ToSlash(file), Path: file})
		}
	}
	return tasks
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
