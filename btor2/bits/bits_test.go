package bits

import (
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
)

func bit(l circuit.Lit) []circuit.Lit { return []circuit.Lit{l} }

func toBit(holds bool) uint64 {
	if holds {
		return 1
	}
	return 0
}

// signed is the value of the n lowest bits of x with a sign.
func signed(n int, x uint64) int64 { return int64(x<<(64-n)) >> (64 - n) }

// fits reports whether a number with a sign is one of n bits.
func fits(n int, x int64) bool { return signed(n, uint64(x)) == x }

// operators are those of two words of n ≤ 31 bits, beside what they mean; the result has n bits or 1.
var operators = map[string]struct {
	gates func(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit
	means func(n int, x, y uint64) uint64
}{
	"and":    {And, func(n int, x, y uint64) uint64 { return x & y }},
	"or":     {Or, func(n int, x, y uint64) uint64 { return x | y }},
	"xor":    {Xor, func(n int, x, y uint64) uint64 { return x ^ y }},
	"add":    {Add, func(n int, x, y uint64) uint64 { return x + y }},
	"sub":    {Sub, func(n int, x, y uint64) uint64 { return x - y }},
	"mul":    {Mul, func(n int, x, y uint64) uint64 { return x * y }},
	"inc":    {unary(Inc), func(n int, x, y uint64) uint64 { return x + 1 }},
	"dec":    {unary(Dec), func(n int, x, y uint64) uint64 { return x - 1 }},
	"neg":    {unary(Neg), func(n int, x, y uint64) uint64 { return -x }},
	"not":    {func(_ *circuit.Builder, x, _ []circuit.Lit) []circuit.Lit { return Not(x) }, func(n int, x, y uint64) uint64 { return ^x }},
	"redand": {reduction(Redand), func(n int, x, y uint64) uint64 { return toBit(x == 1<<n-1) }},
	"redor":  {reduction(Redor), func(n int, x, y uint64) uint64 { return toBit(x != 0) }},
	"redxor": {reduction(Redxor), func(n int, x, y uint64) uint64 { return uint64(bits.OnesCount64(x)) & 1 }},
	"udiv": {func(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit { q, _ := Udivrem(b, x, y); return q }, func(n int, x, y uint64) uint64 {
		if y == 0 {
			return 1<<n - 1
		}
		return x / y
	}},
	"urem": {func(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit { _, r := Udivrem(b, x, y); return r }, func(n int, x, y uint64) uint64 {
		if y == 0 {
			return x
		}
		return x % y
	}},
	"sdiv": {Sdiv, func(n int, x, y uint64) uint64 {
		switch a, d := signed(n, x), signed(n, y); {
		case d != 0:
			return uint64(a / d)
		case a < 0:
			return 1
		}
		return 1<<n - 1
	}},
	"srem": {Srem, func(n int, x, y uint64) uint64 {
		if a, d := signed(n, x), signed(n, y); d != 0 {
			return uint64(a % d)
		}
		return x
	}},
	"smod": {Smod, func(n int, x, y uint64) uint64 {
		a, d := signed(n, x), signed(n, y)
		if d == 0 {
			return x
		}
		return uint64((a%d + d) % d)
	}},
	"sll": {Sll, func(n int, x, y uint64) uint64 { return x << y }},
	"srl": {Srl, func(n int, x, y uint64) uint64 { return x >> y }},
	"sra": {Sra, func(n int, x, y uint64) uint64 { return uint64(signed(n, x) >> y) }},
	"rol": {Rol, func(n int, x, y uint64) uint64 { y %= uint64(n); return x<<y | x>>(uint64(n)-y) }},
	"ror": {Ror, func(n int, x, y uint64) uint64 { y %= uint64(n); return x>>y | x<<(uint64(n)-y) }},

	"eq":    {flag(Eq), func(n int, x, y uint64) uint64 { return toBit(x == y) }},
	"ult":   {flag(Ult), func(n int, x, y uint64) uint64 { return toBit(x < y) }},
	"slt":   {flag(Slt), func(n int, x, y uint64) uint64 { return toBit(signed(n, x) < signed(n, y)) }},
	"uaddo": {flag(Uaddo), func(n int, x, y uint64) uint64 { return toBit(x+y >= 1<<n) }},
	"umulo": {flag(Umulo), func(n int, x, y uint64) uint64 { return toBit(x*y >= 1<<n) }},
	"saddo": {flag(Saddo), func(n int, x, y uint64) uint64 { return toBit(!fits(n, signed(n, x)+signed(n, y))) }},
	"ssubo": {flag(Ssubo), func(n int, x, y uint64) uint64 { return toBit(!fits(n, signed(n, x)-signed(n, y))) }},
	"smulo": {flag(Smulo), func(n int, x, y uint64) uint64 { return toBit(!fits(n, signed(n, x)*signed(n, y))) }},
	"sdivo": {flag(Sdivo), func(n int, x, y uint64) uint64 {
		a, d := signed(n, x), signed(n, y)
		return toBit(d != 0 && !fits(n, a/d))
	}},
	"ite": {func(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit { return Ite(b, x[0], y, x) }, func(n int, x, y uint64) uint64 {
		if x&1 == 1 {
			return y
		}
		return x
	}},
}

func unary(f func(b *circuit.Builder, x []circuit.Lit) []circuit.Lit) func(b *circuit.Builder, x, _ []circuit.Lit) []circuit.Lit {
	return func(b *circuit.Builder, x, _ []circuit.Lit) []circuit.Lit { return f(b, x) }
}

func reduction(f func(b *circuit.Builder, x []circuit.Lit) circuit.Lit) func(b *circuit.Builder, x, _ []circuit.Lit) []circuit.Lit {
	return func(b *circuit.Builder, x, _ []circuit.Lit) []circuit.Lit { return bit(f(b, x)) }
}

func flag(f func(b *circuit.Builder, x, y []circuit.Lit) circuit.Lit) func(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit {
	return func(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit { return bit(f(b, x, y)) }
}

// inputs returns a word of new inputs.
func inputs(b *circuit.Builder, n int) []circuit.Lit {
	word := make([]circuit.Lit, n)
	for i := range word {
		word[i] = b.Input(0)
	}
	return word
}

// value returns what a word is in one lane of a simulation.
func value(p *circuit.Parallel, word []circuit.Lit, lane int) (v uint64) {
	for i, l := range word {
		v |= p.Value(l) >> lane & 1 << i
	}
	return v
}

// check compares an operator with what it means, for values of the inputs that x and y are made of.
func check(t *testing.T, name string, b *circuit.Builder, x, y []circuit.Lit, values func(i, lane int) bool, rounds int) {
	t.Helper()
	o := operators[name]
	word := o.gates(b, x, y)
	c := b.Snapshot()
	p := circuit.NewParallel(c)
	lanes := make([]uint64, len(c.Inputs()))
	for round := range rounds {
		for i := range lanes {
			lanes[i] = 0
			for lane := range 64 {
				lanes[i] |= toBit(values(i, 64*round+lane)) << lane
			}
		}
		p.Eval(lanes)
		for lane := range 64 {
			vx, vy := value(p, x, lane), value(p, y, lane)
			want := o.means(len(x), vx, vy) & (1<<len(word) - 1)
			if got := value(p, word, lane); got != want {
				t.Fatalf("%d bits: %d %s %d = %d, expected %d (x %v, y %v)", len(x), vx, name, vy, got, want, x, y)
			}
		}
	}
}

// TestOperators compares every operator with what it means on all values of up to 5 bits, of inputs, of constants, of equal
// and of opposite words.
func TestOperators(t *testing.T) {
	counted := func(i, lane int) bool { return lane>>i&1 == 1 }
	for name := range operators {
		t.Run(name, func(t *testing.T) {
			for n := 1; n <= 5; n++ {
				b := circuit.NewBuilder(64)
				check(t, name, b, inputs(b, n), inputs(b, n), counted, 1<<max(0, 2*n-6))
				for k := range int64(1) << n {
					b := circuit.NewBuilder(64)
					x, number := inputs(b, n), Constant(big.NewInt(k), n)
					check(t, name, b, x, number, counted, 1)
					check(t, name, b, number, x, counted, 1)
					mixed := append(append([]circuit.Lit{}, x[:n/2]...), number[n/2:]...)
					check(t, name, b, x, mixed, counted, 1)
					check(t, name, b, mixed, x, counted, 1)
				}
				b = circuit.NewBuilder(64)
				x := inputs(b, n)
				check(t, name, b, x, x, counted, 1)
				check(t, name, b, x, Not(x), counted, 1)
				check(t, name, b, x, Repeat(x[0], n), counted, 1)
			}
		})
	}
}

// TestWiderOperators does the same on random values of up to 31 bits, with runs of one literal, constants and negations
// among the bits.
func TestWiderOperators(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name := range operators {
		for range 60 {
			n := 1 + r.IntN(31)
			b := circuit.NewBuilder(64)
			from := append(inputs(b, 2*n), circuit.False, circuit.True)
			word := func() []circuit.Lit {
				word := make([]circuit.Lit, n)
				for i := range word {
					if word[i] = from[r.IntN(len(from))].NotIf(r.IntN(4) == 0); i > 0 && r.IntN(3) == 0 {
						word[i] = word[i-1]
					}
				}
				return word
			}
			sparse := uint(r.IntN(3))
			check(t, name, b, word(), word(), func(int, int) bool { return r.Uint64()>>(64-1-sparse) == 0 }, 4)
		}
	}
}

// TestWideProducts compares products, quotients and remainders of words of up to 140 bits with big integers.
func TestWideProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		n := 32 + r.IntN(110)
		b := circuit.NewBuilder(64)
		number := func() *big.Int {
			x := new(big.Int)
			for i := range 1 + r.IntN(n) {
				x.SetBit(x, i, uint(r.IntN(2)))
			}
			return x
		}
		x, y := inputs(b, n), inputs(b, n)
		product := Mul(b, x, y)
		overflows := Umulo(b, x, y)
		quotient, remainder := Udivrem(b, x, y)
		c := b.Snapshot()
		p := circuit.NewParallel(c)
		read := func(word []circuit.Lit) *big.Int {
			v := new(big.Int)
			for i, l := range word {
				v.SetBit(v, i, uint(p.Value(l)&1))
			}
			return v
		}
		vx, vy := number(), number()
		lanes := make([]uint64, 2*n)
		for i := range n {
			lanes[i], lanes[n+i] = uint64(vx.Bit(i)), uint64(vy.Bit(i))
		}
		p.Eval(lanes)
		exact := new(big.Int).Mul(vx, vy)
		wide := exact.BitLen() > n
		exact.SetBit(new(big.Int).And(exact, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(n)), big.NewInt(1))), n, 0)
		if read(product).Cmp(exact) != 0 || p.Value(overflows)&1 == 1 != wide {
			t.Errorf("%d bits: %v · %v = %v, expected %v", n, vx, vy, read(product), exact)
		}
		if vy.Sign() == 0 {
			continue
		}
		q, m := new(big.Int).QuoRem(vx, vy, new(big.Int))
		if read(quotient).Cmp(q) != 0 || read(remainder).Cmp(m) != 0 {
			t.Errorf("%d bits: %v / %v = %v, %v, expected %v, %v", n, vx, vy, read(quotient), read(remainder), q, m)
		}
	}
}

// TestSizes holds the number of gates of some operators at 32 bits.
func TestSizes(t *testing.T) {
	for _, test := range []struct {
		name string
		y    *big.Int // nil: inputs
		want int
	}{
		{"add", nil, 219}, {"sub", nil, 219}, {"eq", nil, 127}, {"ult", nil, 126}, {"mul", nil, 3846}, {"udiv", nil, 5214}, {"sdiv", nil, 5679}, {"sll", nil, 476},
		{"umulo", nil, 4181}, {"smulo", nil, 4371}, {"inc", nil, 93}, {"neg", nil, 93}, {"rol", nil, 480},
		{"mul", big.NewInt(10), 198}, {"mul", big.NewInt(255), 256}, {"udiv", big.NewInt(16), 0}, {"urem", big.NewInt(10), 606}, {"ult", big.NewInt(16), 27},
		{"sll", big.NewInt(3), 0},
	} {
		b := circuit.NewBuilder(64)
		x := inputs(b, 32)
		var y []circuit.Lit
		if test.y == nil {
			y = inputs(b, 32)
		} else {
			y = Constant(test.y, 32)
		}
		operators[test.name].gates(b, x, y)
		if got := b.Snapshot().NumGates(); got != test.want {
			t.Errorf("%s %v: %d gates, expected %d", test.name, test.y, got, test.want)
		}
	}
	b := circuit.NewBuilder(64)
	x, y := inputs(b, 32), inputs(b, 32)
	quotient, _ := Udivrem(b, x, y)
	before := b.Snapshot().NumGates()
	_, remainder := Udivrem(b, x, y)
	if after := b.Snapshot().NumGates(); after != before || len(quotient) != len(remainder) {
		t.Errorf("quotient and remainder do not share: %d and %d gates", before, after)
	}
	Sub(b, x, y)
	before = b.Snapshot().NumGates()
	Eq(b, x, y)
	Ult(b, x, y)
	if more := b.Snapshot().NumGates() - before; more != 93 {
		t.Errorf("eq and ult beside a difference: %d gates more", more)
	}
}

// TestSharing builds bits from bits over six inputs, of which many have parts in common, and compares each with its table
// of values.
func TestSharing(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 5))
		b := circuit.NewBuilder(64)
		type known struct {
			lit   circuit.Lit
			table uint64
		}
		pool := []known{{circuit.False, 0}}
		for i := range 6 {
			table := uint64(0)
			for lane := range 64 {
				table |= uint64(lane>>i&1) << lane
			}
			pool = append(pool, known{b.Input(0), table})
		}
		pick := func() known {
			k := pool[max(r.IntN(len(pool)), r.IntN(len(pool)))]
			if r.IntN(3) == 0 {
				return known{k.lit.Not(), ^k.table}
			}
			return k
		}
		for range 40 {
			p, x, y, z := pick(), pick(), pick(), pick()
			chosen := p.table&x.table | ^p.table&y.table
			switch r.IntN(5) {
			case 0:
				pool = append(pool, known{xor(b, x.lit, y.lit), x.table ^ y.table})
			case 1:
				pool = append(pool, known{b.And(x.lit, y.lit), x.table & y.table})
			case 2:
				same := known{mux(b, p.lit, y.lit, z.lit), p.table&y.table | ^p.table&z.table}
				pool = append(pool, same, known{IteKnown(b, p.lit, bit(x.lit), bit(y.lit), bit(same.lit))[0], chosen})
			case 3:
				equal := Eq(b, []circuit.Lit{p.lit, x.lit}, []circuit.Lit{y.lit, z.lit})
				pool = append(pool, known{equal, ^((p.table ^ y.table) | (x.table ^ z.table))})
			default:
				pool = append(pool, known{mux(b, p.lit, x.lit, y.lit), chosen})
			}
		}
		c := b.Snapshot()
		p := circuit.NewParallel(c)
		lanes := make([]uint64, 6)
		for i := range lanes {
			lanes[i] = pool[1+i].table
		}
		p.Eval(lanes)
		for i, k := range pool {
			if got := p.Value(k.lit); got != k.table {
				t.Fatalf("seed %d, bit %d: %016x, expected %016x", seed, i, got, k.table)
			}
		}
	}
}

// TestChoicesShare holds the number of gates where choices have words in common.
func TestChoicesShare(t *testing.T) {
	const n = 16
	for name, test := range map[string]struct {
		build func(b *circuit.Builder, c, x, y []circuit.Lit)
		want  int
	}{
		"a choice between a word and a choice of it": {func(b *circuit.Builder, c, x, y []circuit.Lit) {
			Ite(b, c[0], Ite(b, c[1], x, y), y)
		}, 3*n + 1 + 3*n},
		"the same in the other place": {func(b *circuit.Builder, c, x, y []circuit.Lit) {
			Ite(b, c[0], x, Ite(b, c[1], y, x))
		}, 3*n + 1 + 3*n},
		"a choice of 0": {func(b *circuit.Builder, c, x, y []circuit.Lit) {
			Ite(b, c[0], Ite(b, c[1], Repeat(circuit.False, n), y), y)
		}, n + 1 + n},
		"a word and a choice of it are equal": {func(b *circuit.Builder, c, x, y []circuit.Lit) {
			Eq(b, Ite(b, c[0], x, y), y)
		}, 3*n + 3*n + n - 1 + 1},
		"words with a condition are equal": {func(b *circuit.Builder, c, x, y []circuit.Lit) {
			Eq(b, And(b, x, Repeat(c[0], n)), And(b, y, Repeat(c[0], n)))
		}, 2*n + 3*n + n - 1 + 1},
		"a sum and a difference": {func(b *circuit.Builder, c, x, y []circuit.Lit) {
			Add(b, x, y)
			Sub(b, x, y)
		}, 7*n - 5 + 5*n - 6},
	} {
		b := circuit.NewBuilder(64)
		test.build(b, inputs(b, 2), inputs(b, n), inputs(b, n))
		if got := b.Snapshot().NumGates(); got != test.want {
			t.Errorf("%s: %d gates, expected %d", name, got, test.want)
		}
	}
}
