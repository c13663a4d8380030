package blif

import (
	"strings"
	"sync"
	"sync/atomic"

	"aiglens/blif/statement"
)

// File is a BLIF file. It is immutable and safe for concurrent use.
type File struct {
	statement.Tree
	options Options

	// change is what Reparse did, until the names are resolved; known is what
	// they mean once that has been asked for.
	change *change
	known  atomic.Pointer[Resolution]

	readStructure func() *Structure
	readNames     func() *Resolution
	inferPorts    func()          // of the models without port lines
	findSearched  func() searched // see FindModel
	derived       sync.Map        // by *Derived: what packages above have worked out
}

// Structure returns what the directives that are not logic say.
func (f *File) Structure() *Structure { return f.readStructure() }

// Resolved returns what the names mean.
func (f *File) Resolved() *Resolution { return f.readNames() }

// BaseName returns the file name without its extension.
func (f *File) BaseName() string {
	base := f.options.FileName
	if base == "" {
		return "unnamed"
	}
	if dot := strings.LastIndexByte(base, '.'); dot > 0 {
		base = base[:dot]
	}
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == '#' || r == '=' {
			return '_'
		}
		return r
	}, base)
}
