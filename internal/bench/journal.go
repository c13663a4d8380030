package bench

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
)

// Journal is a CSV of rows that only grows. A row is written at once and
// reaches the disk before the next run begins, so that an end at any time loses
// at most the runs under way.
type Journal struct {
	mu   sync.Mutex // guards all below
	file *os.File
	rows []Row
}

// OpenJournal opens or creates a journal for appending. A last line that was cut
// short is dropped.
func OpenJournal(path string) (*Journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	j := &Journal{file: file}
	if err := j.load(path); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return j, nil
}

var errOtherColumns = errors.New("has other columns than this version writes; give another file with --csv")

func (j *Journal) load(path string) error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() { // a device may have no end
		return errors.New("expected a file for rows, found a device or a pipe")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	begun := data[bytes.LastIndexByte(data, '\n')+1:] // and not written to its end
	data = data[:len(data)-len(begun)]
	if len(data) == 0 {
		if !strings.HasPrefix(strings.Join(header(), ","), string(begun)) {
			return errOtherColumns
		}
		if err := j.file.Truncate(0); err != nil {
			return err
		}
		return j.append(header())
	}
	names, err := csv.NewReader(bytes.NewReader(data)).Read()
	if err != nil {
		return err
	}
	if !slices.Equal(names, header()) {
		return errOtherColumns
	}
	if j.rows, err = ReadRows(bytes.NewReader(data)); err != nil {
		return err
	}
	return j.file.Truncate(int64(len(data)))
}

// append writes one line in one piece.
func (j *Journal) append(fields []string) error {
	var line bytes.Buffer
	w := csv.NewWriter(&line)
	// A buffer takes every write.
	_ = w.Write(fields)
	w.Flush()
	if _, err := j.file.Write(line.Bytes()); err != nil {
		return err
	}
	return j.file.Sync()
}

// Add appends a row.
func (j *Journal) Add(r Row) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.rows = append(j.rows, r)
	return j.append(r.fields())
}

// Rows returns the rows so far, those of earlier sessions first.
func (j *Journal) Rows() []Row {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.rows)
}

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }
