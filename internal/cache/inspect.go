package cache

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// Summary says what a folder holds.
type Summary struct {
	Entries, Proved, Refuted int
	Damaged                  int // entries whose head cannot be read
	Bytes                    int64
	Oldest, Newest           time.Time // when they were found; zero when there is none
}

// Summarize looks at the head of each entry in a folder.
func Summarize(ctx context.Context, dir string) (Summary, error) {
	list, err := files(dir)
	if err != nil {
		return Summary{}, err
	}
	var s Summary
	for _, f := range list {
		if ctx.Err() != nil {
			return s, ctx.Err()
		}
		var h head
		data, _, err := readFile(f.path, int64(len(magic)+4+maxHead))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed since
		}
		if err == nil {
			_, err = h.read(data, f.name)
		}
		s.Entries++
		s.Bytes += f.size
		switch {
		case err != nil:
			s.Damaged++
			continue
		case h.Outcome == cert.Proved.String():
			s.Proved++
		default:
			s.Refuted++
		}
		if s.Oldest.IsZero() || h.Found.Before(s.Oldest) {
			s.Oldest = h.Found
		}
		if h.Found.After(s.Newest) {
			s.Newest = h.Found
		}
	}
	return s, nil
}

// Broken is an entry that is of no use.
type Broken struct {
	Name string
	Path string
	Err  error // why
}

// Verify tests each entry in a folder by itself: its checksum, its form, and its
// certificate against the circuit that it holds. It calls report for those that
// fail, and returns how many there are in all. The error is that of ctx, or says that
// the folder cannot be read.
func Verify(ctx context.Context, dir string, report func(Broken)) (entries int, err error) {
	list, err := files(dir)
	if err != nil {
		return 0, err
	}
	for _, f := range list {
		err := test(ctx, f)
		switch {
		case ctx.Err() != nil:
			return entries, ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			continue // removed since
		case err != nil:
			report(Broken{f.name, f.path, err})
		}
		entries++
	}
	return entries, nil
}

func test(ctx context.Context, f file) error {
	x, _, err := readEntry(f.path, f.name)
	if err != nil {
		return err
	}
	problem, err := x.problem()
	if err != nil {
		return err
	}
	v, err := x.verdict(problem)
	if err != nil {
		return err
	}
	_, err = verify.CheckCertificate(ctx, problem.Circuit, problem.Property(), v)
	return err
}

// Clear removes the entries in a folder, temporary files and the counter, and nothing
// else. It returns how many entries it removed.
func Clear(dir string) (removed int, err error) {
	list, err := files(dir)
	if err != nil {
		return 0, err
	}
	for _, f := range list {
		switch e := os.Remove(f.path); {
		case e == nil:
			removed++
		case !errors.Is(e, fs.ErrNotExist):
			err = e
		}
		_ = os.Remove(filepath.Dir(f.path)) // the last one takes the shard with it
	}
	temporaries(dir, func(path string, _ fs.FileInfo) { _ = os.Remove(path) })
	_ = os.Remove(filepath.Join(dir, counter))
	return removed, err
}
