package main

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	table "aiglens/design/formats"
	"aiglens/internal/files"
)

// isRead reports whether a file of a folder is called like a circuit, or like Horn clauses.
func isRead(path string) bool { return table.All().HasCircuit(path) || isCalledClauses(path) }

// isReadText is isRead for files whose bytes are the text.
func isReadText(path string) bool {
	return table.All().HasText(path) || isCalledClauses(path) && !strings.HasSuffix(path, ".gz")
}

// input is a file that a command is about.
type input struct {
	path   string
	folder string // below which it was found, as the user named that; "" for a file that was named
}

// expand returns the paths of inputsOf. It reports folders that have none or cannot be read, and
// returns the exit code for that.
func (e env) expand(ctx context.Context, names []string, has func(path string) bool) (files []string, code int) {
	inputs, faults := inputsOf(ctx, names, has)
	for _, in := range inputs {
		files = append(files, in.path)
	}
	for _, fault := range faults {
		code = problem(e, "%v", fault.err)
	}
	return files, code
}

// inputsOf puts the files below it in the place of each folder among names: those that has
// takes, in the order of names. Other names stay, whatever they are of. The faults are folders that
// have none or cannot be read.
//
// Hidden files and folders are left out, and links to folders not followed, as tools do that
// look at a whole module; a folder that is named itself is looked through in any case.
func inputsOf(ctx context.Context, names []string, has func(path string) bool) (inputs []input, faults []*fileReport) {
	for _, name := range names {
		info, err := files.Stat(ctx, name)
		if name == "-" || err != nil || !info.IsDir() {
			inputs = append(inputs, input{path: name})
			continue
		}
		w := walk{has: has}
		w.folder(ctx, name)
		if len(w.files) == 0 && len(w.faults) == 0 && ctx.Err() == nil {
			w.faults = append(w.faults, &fileReport{name: name, err: fmt.Errorf("%s: there is no circuit below this folder", name)})
		}
		faults = append(faults, w.faults...)
		for _, file := range w.files {
			inputs = append(inputs, input{file, name})
		}
	}
	return inputs, faults
}

// walk is a look through a folder.
type walk struct {
	has    func(path string) bool
	files  []string
	faults []*fileReport
}

// folder looks through one folder and those below it.
func (w *walk) folder(ctx context.Context, dir string) {
	entries, err := files.ReadDir(ctx, dir) // by name
	if err != nil {
		w.faults = append(w.faults, &fileReport{name: dir, err: err})
	}
	for _, d := range entries {
		path := filepath.Join(dir, d.Name())
		switch {
		case ctx.Err() != nil:
			return
		case strings.HasPrefix(d.Name(), "."):
		case d.IsDir():
			w.folder(ctx, path)
		case w.has(path) && isRegular(ctx, path, d):
			w.files = append(w.files, path)
		}
	}
}

// isRegular reports whether there are bytes to be read: a pipe would wait for its other end,
// and a link may lead to a folder. One that leads nowhere is for the reader to report.
func isRegular(ctx context.Context, path string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	info, err := files.Stat(ctx, path)
	return err != nil || info.Mode().IsRegular()
}
