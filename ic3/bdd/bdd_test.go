package bdd

import (
	"errors"
	"math/rand/v2"
	"testing"
)

// variables of the functions of the test, and the number of assignments.
const (
	variables   = 6
	assignments = 1 << variables
)

// truth is the truth table of a function: bit a is its value where variable v is bit v of a.
type truth uint64

func truthOf(v int) (t truth) {
	for a := range assignments {
		t |= truth(a>>v&1) << a
	}
	return t
}

// where returns the function where a variable has a value.
func (t truth) where(v, value int) (r truth) {
	for a := range assignments {
		r |= t >> (a&^(1<<v) | value<<v) & 1 << a
	}
	return r
}

func (d *Store) truth(f Ref) (t truth) {
	for a := range assignments {
		g := f
		for g > True {
			v, _ := d.top(g)
			low, high := d.children(g)
			g = low
			if a>>v&1 == 1 {
				g = high
			}
		}
		t |= truth(g) << a
	}
	return t
}

// TestOperations compares random operations with truth tables, while nodes are freed and
// variables move.
func TestOperations(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(1, seed))
		d := New(random.Perm(variables+1), 1<<12, func() error { return nil })
		functions, truths := []Ref{False}, []truth{0}
		add := func(f Ref, want truth) {
			t.Helper()
			if got := d.truth(f); got != want {
				t.Fatalf("seed %d: %x, want %x", seed, got, want)
			}
			functions, truths = append(functions, f), append(truths, want)
		}
		pick := func() (Ref, truth) {
			i, negate := random.IntN(len(functions)), random.IntN(2)
			return functions[i].NotIf(negate == 1), truths[i] ^ -truth(negate)
		}
		err := d.Try(func() {
			for v := range variables {
				add(d.Var(v), truthOf(v))
			}
			for range 60 {
				f, ft := pick()
				g, gt := pick()
				v, w := random.IntN(variables), random.IntN(variables)
				switch random.IntN(8) {
				case 0:
					add(d.And(f, g), ft&gt)
				case 1:
					add(d.Or(f, g), ft|gt)
				case 2, 3:
					add(d.Xor(f, g), ft^gt)
				case 4:
					both := ft & gt
					both = both.where(v, 0) | both.where(v, 1)
					add(d.AndExists(f, g, d.Cube([]int{v, w})), both.where(w, 0)|both.where(w, 1))
				case 5:
					add(d.Exists(f, d.Var(v)), ft.where(v, 0)|ft.where(v, 1))
				case 6:
					d.Collect(functions)
				case 7:
					d.Sift(functions)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range functions {
			if got := d.truth(f); got != truths[i] {
				t.Fatalf("seed %d: function %d is %x, was %x", seed, i, got, truths[i])
			}
			for j, g := range functions[:i] {
				if (f == g) != (truths[i] == truths[j]) {
					t.Fatalf("seed %d: functions %d and %d have not one node", seed, j, i)
				}
			}
		}
		if d.Sift(functions); d.Nodes() != d.Size(functions...) {
			t.Fatalf("seed %d: %d nodes, %d are needed", seed, d.Nodes(), d.Size(functions...))
		}
	}
}

// TestRename: a function of some variables becomes one of others, in any order.
func TestRename(t *testing.T) {
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(2, seed))
		d := New(random.Perm(variables), 1<<12, func() error { return nil })
		to := []int{3, 4, 5, 3, 4, 5}
		if err := d.Try(func() {
			f, g := False, False
			for range 8 {
				v, w, negate := random.IntN(3), random.IntN(3), random.IntN(2) == 1
				f = d.Xor(f, d.And(d.Var(v), d.Var(w).NotIf(negate)))
				g = d.Xor(g, d.And(d.Var(to[v]), d.Var(to[w]).NotIf(negate)))
			}
			if d.Rename(f, to) != g {
				t.Errorf("seed %d: another function", seed)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBound: operations end at the bound and when poll says so, and what was known stays.
func TestBound(t *testing.T) {
	stop := error(nil)
	order := make([]int, 60)
	for i := range order {
		order[i] = i
	}
	d := New(order, 1000, func() error { return stop })
	equal := func(n int) (f Ref) { // of two words, with the worst order
		f = True
		for i := range n {
			f = d.And(f, d.Xor(d.Var(i), d.Var(i+30)).Not())
		}
		return f
	}
	var small Ref
	if err := d.Try(func() { small = equal(3) }); err != nil {
		t.Fatal(err)
	}
	if err := d.Try(func() { equal(30) }); !errors.Is(err, ErrNodes) {
		t.Errorf("%v at the bound", err)
	}
	d.Collect([]Ref{small})
	if err := d.Try(func() {
		if equal(3) != small {
			t.Error("another function after the bound was met")
		}
	}); err != nil {
		t.Error(err)
	}
	stop = errors.New("stop")
	if err := d.Try(func() {
		for {
			d.Collect(nil)
			equal(3)
		}
	}); err != stop {
		t.Errorf("%v instead of that of poll", err)
	}
}

// TestCubes: a cube within a function, and the largest one apart from it.
func TestCubes(t *testing.T) {
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(3, seed))
		d := New(random.Perm(variables), 1<<12, func() error { return nil })
		f := False
		if err := d.Try(func() {
			for range 12 {
				f = d.Xor(f, d.And(d.Var(random.IntN(variables)), d.Var(random.IntN(variables)).NotIf(random.IntN(2) == 1)))
			}
			if f == False || f == True {
				return
			}
			outside := newCube()
			d.Pick(f.Not(), outside)
			for v := range outside {
				if outside[v] == Any && random.IntN(2) == 1 {
					outside[v] = int8(random.IntN(2))
				}
			}
			if got := d.Cofactor(f, outside); got != False {
				t.Fatalf("seed %d: %v is not outside", seed, outside)
			}
			d.Outside(f).Enlarge(outside)
			if d.truth(f)&truthOfCube(outside) != 0 {
				t.Fatalf("seed %d: %v was made too large", seed, outside)
			}
			for v, value := range outside {
				outside[v] = Any
				if value != Any && d.truth(f)&truthOfCube(outside) == 0 {
					t.Fatalf("seed %d: variable %d can be dropped, too", seed, v)
				}
				outside[v] = value
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
}

func newCube() Cube {
	c := make(Cube, variables)
	for v := range c {
		c[v] = Any
	}
	return c
}

func truthOfCube(c Cube) truth {
	t := ^truth(0)
	for v, value := range c {
		if value != Any {
			t &= truthOf(v) ^ (truth(value) - 1)
		}
	}
	return t
}
