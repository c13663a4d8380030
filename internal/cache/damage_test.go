package cache

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// sealed returns bytes with the checksum of all in front.
func sealed(body []byte) []byte {
	sum := sha256.Sum256(body)
	return append(bytes.Clone(body), sum[:]...)
}

// filled returns a folder with the answers to questions, and their files.
func filled(t testing.TB, list []question) (s *Store, entries [][]byte) {
	t.Helper()
	s = open(t, t.TempDir(), Options{})
	for _, q := range list {
		ask(t, s, q)
		data, err := os.ReadFile(pathOf(s.dir, q.name()))
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, data)
	}
	return s, entries
}

func put(t testing.TB, s *Store, q question, data []byte) {
	t.Helper()
	if err := os.WriteFile(pathOf(s.dir, q.name()), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestDamage: after any accident the file goes, the engine answers, and its answer is
// kept.
func TestDamage(t *testing.T) {
	list := questions(t, 16)
	s, entries := filled(t, list)
	r := rand.New(rand.NewPCG(11, 0))
	accidents := map[string]func(data []byte) []byte{
		"bit flip": func(data []byte) []byte {
			data[r.IntN(len(data))] ^= 1 << r.IntN(8)
			return data
		},
		"end lost":      func(data []byte) []byte { return data[:r.IntN(len(data))] },
		"begin lost":    func(data []byte) []byte { return data[1+r.IntN(len(data)-1):] },
		"more behind":   func(data []byte) []byte { return append(data, byte(r.IntN(256))) },
		"zeros":         func(data []byte) []byte { clear(data[r.IntN(len(data)-40):]); return data },
		"nothing":       func([]byte) []byte { return nil },
		"other version": func(data []byte) []byte { data[len(magic)-2]++; return sealed(data[:len(data)-sha256.Size]) },
		"another entry": func(data []byte) []byte {
			for {
				if other := entries[r.IntN(len(entries))]; !bytes.Equal(other, data) {
					return bytes.Clone(other)
				}
			}
		},
	}
	for name, accident := range accidents {
		t.Run(name, func(t *testing.T) {
			for range 40 {
				i := r.IntN(len(list))
				data := accident(bytes.Clone(entries[i]))
				if bytes.Equal(data, entries[i]) {
					continue
				}
				put(t, s, list[i], data)
				if err := test(t.Context(), file{path: pathOf(s.dir, list[i].name()), name: list[i].name()}); err == nil {
					t.Error("Verify finds nothing")
				}
				if _, ok := s.Lookup(list[i].cone.Fingerprint, list[i].cone.Problem); ok {
					t.Error("a damaged entry was found")
				}
				if _, err := os.Stat(pathOf(s.dir, list[i].name())); err == nil {
					t.Error("a damaged entry was not removed")
				}
				put(t, s, list[i], data)
				if _, runs := ask(t, s, list[i]); runs != 1 {
					t.Errorf("%d runs of the engine", runs)
				}
				if _, runs := ask(t, s, list[i]); runs != 0 {
					t.Errorf("%d runs of the engine after it answered", runs)
				}
			}
		})
	}
	sound(t, s.dir, len(list))
}

// TestSealedLies: what passes the checksum still shows nothing by itself. An entry
// whose certificate is not one for the circuit at hand is never an answer.
func TestSealedLies(t *testing.T) {
	list := questions(t, 16)
	s, entries := filled(t, list)
	r := rand.New(rand.NewPCG(13, 0))
	cached, answered := 0, 0
	try := func(q question, data []byte) {
		t.Helper()
		put(t, s, q, data)
		// ask fails the test for a wrong verdict. A right one may come from either:
		// there is more than one certificate.
		if result, _ := ask(t, s, q); result.Cached {
			cached++
		} else {
			answered++
		}
	}
	for range 400 {
		i := r.IntN(len(list))
		body := bytes.Clone(entries[i][:len(entries[i])-sha256.Size])
		for range 1 + r.IntN(3) {
			body[len(body)-1-r.IntN(min(len(body), 60+r.IntN(400)))] ^= 1 << r.IntN(8)
		}
		try(list[i], sealed(body))
	}
	for i, q := range list {
		for j := range list {
			x, err := decode(entries[j], list[j].name())
			if err != nil {
				t.Fatal(err)
			}
			// The certificate of another cone, and then its circuit as well.
			own, err := decode(entries[i], q.name())
			if err != nil {
				t.Fatal(err)
			}
			x.Fingerprint = q.name()
			moved, err := x.encode()
			if err != nil {
				t.Fatal(err)
			}
			try(q, moved)
			x.circuit, x.Circuit = own.circuit, own.Circuit
			if moved, err = x.encode(); err != nil {
				t.Fatal(err)
			}
			try(q, moved)
			// The other outcome on top of the own certificate.
			own.Outcome = map[string]string{"proved": "refuted", "refuted": "proved"}[own.Outcome]
			if moved, err = own.encode(); err != nil {
				t.Fatal(err)
			}
			try(q, moved)
		}
	}
	if cached < 50 || answered < 400 {
		t.Errorf("%d answers of the cache, %d of the engine: the test tests little", cached, answered)
	}
}

// TestVerifyFindsWhatLookupCannot: entries of good form whose certificate fails.
func TestVerifyFindsWhatLookupCannot(t *testing.T) {
	list := questions(t, 8)
	s, _ := filled(t, list)
	lies := 0
	for i, q := range list {
		if i%2 == 0 {
			continue
		}
		lies++
		lie := cert.Verdict{Outcome: cert.Proved, Invariant: cert.Invariant{{}}} // no state, not even a reset one
		if q.want == cert.Proved {
			x := func(n int) []circuit.Value { return slices.Repeat([]circuit.Value{circuit.X}, n) }
			lie = cert.Verdict{Outcome: cert.Refuted, Trace: cert.Trace{
				Initial: x(len(q.cone.Latches)), Inputs: [][]circuit.Value{x(len(q.cone.Inputs))},
			}}
		}
		if q.p == justice0 && q.want == cert.Proved {
			lie.Lasso, lie.Trace = &cert.Lasso{Trace: lie.Trace}, cert.Trace{}
		} else if q.p == justice0 {
			lie.Ranking, lie.Invariant = &cert.Ranking{}, nil
		}
		s.Store(q.cone.Fingerprint, q.cone.Problem, verify.Entry{Verdict: lie, Engine: "test"})
	}
	names := map[string]bool{}
	n, err := Verify(t.Context(), s.dir, func(b Broken) {
		names[b.Name] = true
		var rejected *cert.RejectedError
		if !errors.As(b.Err, &rejected) || b.Path != pathOf(s.dir, b.Name) {
			t.Errorf("%s at %s: %v", b.Name, b.Path, b.Err)
		}
	})
	if err != nil || n != len(list) || len(names) != lies {
		t.Errorf("%d entries, %d broken, want %d and %d; %v", n, len(names), len(list), lies, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Verify(ctx, s.dir, func(b Broken) { t.Errorf("%s: %v", b.Name, b.Err) }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestNotAFile: a folder or a large file in the place of an entry.
func TestNotAFile(t *testing.T) {
	q := questions(t, 2)[0]
	s, _ := filled(t, []question{q})
	path := pathOf(s.dir, q.name())
	if err := os.Truncate(path, maxFile+1); err != nil { // with a hole, which takes no room
		t.Fatal(err)
	}
	if _, _, err := readEntry(path, q.name()); err == nil || !strings.Contains(err.Error(), "64 MB") {
		t.Errorf("a large file: %v", err)
	}
	if _, runs := ask(t, s, q); runs != 1 {
		t.Errorf("%d runs of the engine", runs)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(path, "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, runs := ask(t, s, q); runs != 1 {
		t.Errorf("%d runs of the engine", runs)
	}
	if got, err := Summarize(t.Context(), s.dir); got.Entries != 0 || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

// FuzzEntry: bytes with a true checksum never crash the reader, and what it takes it
// writes again as it was.
func FuzzEntry(f *testing.F) {
	list := questions(f, 4)
	_, entries := filled(f, list)
	for i, data := range entries {
		f.Add(data[:len(data)-sha256.Size], list[i].name())
	}
	f.Add(binary.LittleEndian.AppendUint32([]byte(magic), 1<<31), list[0].name())
	f.Fuzz(func(t *testing.T, body []byte, name string) {
		x, err := decode(sealed(body), name)
		if err != nil {
			if !errors.Is(err, errDamage) {
				t.Errorf("an error of its own: %v", err)
			}
			return
		}
		data, err := x.encode()
		if err != nil {
			t.Fatalf("an entry that was read cannot be written: %v", err)
		}
		if y, err := decode(data, name); err != nil || y.head != x.head || !bytes.Equal(y.circuit, x.circuit) || !bytes.Equal(y.certificate, x.certificate) {
			t.Fatalf("%+v became %+v, %v", x, y, err)
		}
	})
}

// FuzzClaim: what an entry of any circuit and certificate claims is true when the
// check lets it through.
func FuzzClaim(f *testing.F) {
	list := questions(f, 4)
	_, entries := filled(f, list)
	for i, data := range entries {
		x, err := decode(data, list[i].name())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(x.circuit, x.certificate, x.Outcome == cert.Proved.String())
	}
	f.Add([]byte("aig 1000000000 1000000000 0 0 0 1\n0\n"), []byte{0}, true)
	f.Add([]byte("aig 0 0 0 0 0 1\n0\n"), []byte{1, 1, 0}, true)
	f.Fuzz(func(t *testing.T, model, certificate []byte, proved bool) {
		x := entry{circuit: model, certificate: certificate}
		x.Outcome = cert.Refuted.String()
		if proved {
			x.Outcome = cert.Proved.String()
		}
		problem, err := x.problem()
		if err != nil {
			return
		}
		v, err := x.verdict(problem)
		c := problem.Circuit
		if err != nil || len(c.Latches()) > 8 || len(c.Inputs()) > 8 {
			return
		}
		checked, err := cert.Check(context.Background(), c, problem.Property(), v)
		if err != nil {
			return
		}
		if problem.Question == circuit.Liveness && len(c.Goals(0)) > 60 {
			return
		}
		holds := explicit.Holds(problem)
		if (checked.Outcome() == cert.Proved) != holds {
			t.Errorf("%s, holds %v", checked, holds)
		}
	})
}
