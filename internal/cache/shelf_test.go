package cache

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"aiglens/ic3/verify"
)

// inMemory is a Shelf.
type inMemory map[string][]byte

func (m inMemory) Get(name string) ([]byte, bool) { data, ok := m[name]; return data, ok }
func (m inMemory) Put(name string, data []byte)   { m[name] = data }
func (m inMemory) Remove(name string)             { delete(m, name) }

// TestShelf: an entry of a shelf answers the second time, after a check of its certificate; a
// damaged one goes, and the engine answers.
func TestShelf(t *testing.T) {
	kept := inMemory{}
	r := rand.New(rand.NewPCG(17, 0))
	for _, q := range questions(t, 16) {
		for _, visit := range []struct {
			what string
			runs int
		}{{"first", 1}, {"second", 0}, {"damaged", 1}, {"mended", 0}} {
			if visit.what == "damaged" {
				data := bytes.Clone(kept[q.name()])
				data[r.IntN(len(data))] ^= 1 << r.IntN(8)
				kept[q.name()] = data
			}
			runs := 0
			job := verify.Job{Circuit: q.c, Property: q.p, Engine: counting(&runs), Cache: OnShelf(kept, "test")}
			found := verify.Run(context.Background(), job, nil)
			if found.Checked.Outcome() != q.want || !found.Checked.Certified() || runs != visit.runs {
				t.Errorf("%s visit: %s, want %s; engine %d times", visit.what, found.Checked, q.want, runs)
			}
		}
	}
}
