// Package cache keeps checked verdicts on disk, from one run of the program to the
// next: a file for each cone, named by its fingerprint, with the cone and the
// certificate in it.
//
// Nothing in a file is trusted. Its name, checksum and form are looked at here; what
// it claims counts when verify.Run has checked the certificate against the circuit
// at hand. So the worst that a damaged file can do is to be of no use.
//
// Several programs may use a folder at once. A file is written under another name
// and then renamed, so that no reader sees half of it; nothing is locked.
package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"aiglens/circuit"
	"aiglens/ic3/verify"
)

// DefaultLimit is the limit of a Store that is given none.
const DefaultLimit = 256 << 20

const (
	// share of the limit that one entry may have.
	share = 8
	// touchEvery is how often the use of an entry is written down, in the time of
	// change of its file.
	touchEvery = time.Hour
	// leftAfter is the age from which a temporary file counts as abandoned.
	leftAfter = time.Hour
)

// Options configure a Store. The zero value is a sensible default.
type Options struct {
	Limit   int64  // bytes on disk; 0 is DefaultLimit
	Version string // of the program, written into the entries
	// Failed, which may be nil, is called once, with the first error of an entry that could not
	// be written.
	Failed func(error)
}

// Store is a verify.Cache over a folder. Its methods may be called from any
// goroutine. Failures are misses: the folder may be gone, full or of another user.
type Store struct {
	dir      string
	opts     Options
	trimming sync.Mutex // held by the goroutine that makes room
	failing  sync.Once  // calls opts.Failed
}

var _ verify.Cache = (*Store)(nil)

// DefaultDir returns the folder for results of this user.
func DefaultDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "aiglens", "results"), nil
}

// Open returns the store in a folder, which it makes when there is none. The error
// says why nothing can be written there.
func Open(dir string, opts Options) (*Store, error) {
	if opts.Limit <= 0 {
		opts.Limit = DefaultLimit
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	probe, err := os.CreateTemp(dir, temporary)
	if err != nil {
		return nil, err
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	s := &Store{dir: dir, opts: opts}
	removeLeft(dir)
	return s, nil
}

// Lookup implements verify.Cache. A file that is not an entry is removed.
func (s *Store) Lookup(fingerprint circuit.Fingerprint, problem circuit.Problem) (verify.Entry, bool) {
	path := pathOf(s.dir, nameOf(fingerprint))
	x, info, err := readEntry(path, nameOf(fingerprint))
	if err != nil {
		if errors.Is(err, errDamage) {
			s.Drop(fingerprint)
		}
		return verify.Entry{}, false
	}
	v, err := x.verdict(problem)
	if err != nil {
		s.Drop(fingerprint)
		return verify.Entry{}, false
	}
	if now := time.Now(); now.Sub(info.ModTime()) > touchEvery {
		_ = os.Chtimes(path, now, now)
	}
	return verify.Entry{Verdict: v, Engine: x.Engine, Elapsed: x.Elapsed}, true
}

// Drop implements verify.Cache.
func (s *Store) Drop(fingerprint circuit.Fingerprint) {
	_ = os.Remove(pathOf(s.dir, nameOf(fingerprint)))
}

// Store implements verify.Cache. An entry that is large against the limit of the
// store is not kept.
func (s *Store) Store(fingerprint circuit.Fingerprint, problem circuit.Problem, e verify.Entry) {
	if int64(2*problem.Circuit.NumGates()) > s.opts.Limit/share { // bytes, at the least
		return
	}
	x, err := newEntry(fingerprint, problem, e)
	if err != nil {
		return
	}
	x.Version = s.opts.Version
	data, err := x.encode()
	if err != nil || onDisk(int64(len(data))) > s.opts.Limit/share || len(data) > maxFile {
		return
	}
	path := pathOf(s.dir, x.Fingerprint)
	if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
		err = write(s.dir, path, data)
	}
	if err != nil {
		if s.opts.Failed != nil {
			s.failing.Do(func() { s.opts.Failed(err) })
		}
		return
	}
	if total, ok := count(s.dir, onDisk(int64(len(data)))); (!ok || total > s.opts.Limit) && s.trimming.TryLock() {
		defer s.trimming.Unlock()
		_ = trim(s.dir, s.opts.Limit)
	}
}

// write makes a file at path. It does not wait for the disk: what a power cut leaves
// of an entry fails its checksum and costs one run of the engine, while waiting would
// delay every answer.
func write(dir, path string, data []byte) error {
	f, err := os.CreateTemp(dir, temporary) // for its owner alone
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		// On Windows it fails while another program reads the old file, which
		// stays.
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// exists reports whether a folder is there; the error is about one that cannot be
// looked at.
func exists(dir string) (bool, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !info.IsDir():
		return false, fmt.Errorf("%s is not a folder", dir)
	}
	return true, nil
}
