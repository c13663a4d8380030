package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"aiglens/internal/files"
	"aiglens/internal/source"
)

// writer writes files of which none is left half written when a signal ends the program.
func (e env) writer() files.Writer {
	return files.Writer{Begin: e.partial.add, End: e.partial.done}
}

// create writes a file in one step. An existing one is replaced only by force.
func (e env) create(name string, data []byte, force bool) error {
	if e.write != nil {
		_, err := e.write(name, nil, data)
		return err
	}
	err := e.writer().Create(name, data, force)
	if errors.Is(err, files.ErrExists) {
		return fmt.Errorf("%s exists; --force overwrites it", name)
	}
	return err
}

// rewrite replaces the content of a file as a whole, unless it has changed
// meanwhile.
func (e env) rewrite(name string, old, data []byte) error {
	if e.write != nil {
		before, err := e.write(name, old, data)
		if err == nil {
			writeDiff(e.stdout, name, " (written)", source.NewText(string(before)), source.NewText(string(data)))
		}
		return withoutName(err)
	}
	return withoutName(e.writer().Rewrite(name, old, data))
}

// writeInto writes a file in a folder, which is made where it is missing, in place of
// one of that name. The name may have folders, too.
func (e env) writeInto(dir, name string, data []byte) error {
	path := filepath.Join(dir, name)
	if e.write != nil {
		return e.create(path, data, true)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return e.create(path, data, true)
}
