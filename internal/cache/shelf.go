package cache

import (
	"aiglens/circuit"
	"aiglens/ic3/verify"
)

// Shelf keeps entries by their names where there is no folder. It bounds what it keeps, and may
// forget at any time.
type Shelf interface {
	Get(name string) ([]byte, bool)
	Put(name string, data []byte)
	Remove(name string)
}

// shelved is a verify.Cache over a shelf, which is trusted no more than a folder.
type shelved struct {
	shelf   Shelf
	version string
}

// OnShelf returns a cache over a shelf; version is that of the program.
func OnShelf(s Shelf, version string) verify.Cache { return shelved{s, version} }

// Lookup implements verify.Cache. What is not an entry is removed.
func (s shelved) Lookup(fingerprint circuit.Fingerprint, problem circuit.Problem) (verify.Entry, bool) {
	data, ok := s.shelf.Get(nameOf(fingerprint))
	if !ok {
		return verify.Entry{}, false
	}
	x, err := decode(data, nameOf(fingerprint))
	if err != nil {
		s.Drop(fingerprint)
		return verify.Entry{}, false
	}
	v, err := x.verdict(problem)
	if err != nil {
		s.Drop(fingerprint)
		return verify.Entry{}, false
	}
	return verify.Entry{Verdict: v, Engine: x.Engine, Elapsed: x.Elapsed}, true
}

// Drop implements verify.Cache.
func (s shelved) Drop(fingerprint circuit.Fingerprint) { s.shelf.Remove(nameOf(fingerprint)) }

// Store implements verify.Cache.
func (s shelved) Store(fingerprint circuit.Fingerprint, problem circuit.Problem, e verify.Entry) {
	x, err := newEntry(fingerprint, problem, e)
	if err != nil {
		return
	}
	x.Version = s.version
	if data, err := x.encode(); err == nil && len(data) <= maxFile {
		s.shelf.Put(x.Fingerprint, data)
	}
}
