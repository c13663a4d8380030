package bits_test

import (
	"math/big"
	"math/rand/v2"
	"os"
	"testing"

	"aiglens/btor2/bits"
	"aiglens/btor2/btor2test"
	"aiglens/circuit"
)

type word = []circuit.Lit

// functions are the operators of the reference that the package has by name.
var functions = map[string]func(b *circuit.Builder, x, y word) word{
	"not": func(_ *circuit.Builder, x, _ word) word { return bits.Not(x) },
	"inc": func(b *circuit.Builder, x, _ word) word { return bits.Inc(b, x) },
	"dec": func(b *circuit.Builder, x, _ word) word { return bits.Dec(b, x) },
	"neg": func(b *circuit.Builder, x, _ word) word { return bits.Neg(b, x) },
	"and": bits.And, "or": bits.Or, "xor": bits.Xor, "add": bits.Add, "sub": bits.Sub, "mul": bits.Mul,
	"udiv": func(b *circuit.Builder, x, y word) word { q, _ := bits.Udivrem(b, x, y); return q },
	"urem": func(b *circuit.Builder, x, y word) word { _, r := bits.Udivrem(b, x, y); return r },
	"sdiv": bits.Sdiv, "srem": bits.Srem, "smod": bits.Smod,
	"sll": bits.Sll, "srl": bits.Srl, "sra": bits.Sra, "rol": bits.Rol, "ror": bits.Ror,
	"redand": func(b *circuit.Builder, x, _ word) word { return word{bits.Redand(b, x)} },
	"redor":  func(b *circuit.Builder, x, _ word) word { return word{bits.Redor(b, x)} },
	"redxor": func(b *circuit.Builder, x, _ word) word { return word{bits.Redxor(b, x)} },
	"eq":     oneBit(bits.Eq), "ult": oneBit(bits.Ult), "slt": oneBit(bits.Slt),
	"uaddo": oneBit(bits.Uaddo), "umulo": oneBit(bits.Umulo),
	"saddo": oneBit(bits.Saddo), "ssubo": oneBit(bits.Ssubo), "smulo": oneBit(bits.Smulo), "sdivo": oneBit(bits.Sdivo),
}

func oneBit(f func(b *circuit.Builder, x, y word) circuit.Lit) func(b *circuit.Builder, x, y word) word {
	return func(b *circuit.Builder, x, y word) word { return word{f(b, x, y)} }
}

// operands returns two words of a width: of inputs, with constants, bits that they share and bits that repeat among them.
func operands(r *rand.Rand, b *circuit.Builder, width int) (x, y word) {
	x, y = make(word, width), make(word, width)
	form := r.IntN(4)
	for i := range width {
		x[i], y[i] = b.Input(0), b.Input(0)
		if form == 0 || r.IntN(3) > 0 {
			continue
		}
		switch place := &[]word{x, y}[r.IntN(2)][i]; {
		case form == 1:
			*place = circuit.False.NotIf(r.IntN(2) == 0)
		case form == 2:
			*place = x[i].NotIf(r.IntN(4) == 0)
		default:
			*place = x[r.IntN(i+1)].NotIf(r.IntN(4) == 0)
		}
	}
	return x, y
}

// TestAgainstReference compares the operators with big integers, on words of 1 to 70 bits; with AIGLENS_LONG in ten million
// cases.
func TestAgainstReference(t *testing.T) {
	cases := 40_000
	if os.Getenv("AIGLENS_LONG") != "" {
		cases = 10_000_000
	}
	r := rand.New(rand.NewPCG(33, 1))
	for done := 0; done < cases; {
		b := circuit.NewBuilder(1 << 12)
		x, y := operands(r, b, 1+r.IntN(70))
		words := map[string]word{}
		for tag, f := range functions {
			words[tag] = f(b, x, y)
		}
		c := b.Build()
		p := circuit.NewParallel(c)
		for range 4 {
			p.Eval(lanes(r, len(c.Inputs())))
			for lane := range 64 {
				vx, vy := valueOf(p, x, lane), valueOf(p, y, lane)
				for tag, word := range words {
					want := btor2test.Apply(tag, []btor2test.Value{vx, vy})
					if got := valueOf(p, word, lane); !got.Equal(want) {
						t.Fatalf("%s of %v and %v (%v, %v) is %v, by the reference %v", tag, vx, vy, x, y, got, want)
					}
					done++
				}
			}
		}
	}
}

// lanes returns values of inputs, two for each bit of the operands: random ones, equal ones, and mostly zeros or ones.
func lanes(r *rand.Rand, n int) []uint64 {
	words := make([]uint64, n)
	fewX, fewY, equal := r.Uint64(), r.Uint64(), r.Uint64()&r.Uint64()
	flipX, flipY := r.Uint64(), r.Uint64()
	for i := 0; i < n; i += 2 {
		few := r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64()
		words[i] = r.Uint64()&^fewX | few&fewX ^ flipX&fewX
		few = r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64()
		words[i+1] = r.Uint64()&^fewY | few&fewY ^ flipY&fewY
		words[i+1] = words[i+1]&^equal | words[i]&equal
	}
	return words
}

// valueOf returns what a word is in a lane.
func valueOf(p *circuit.Parallel, w word, lane int) btor2test.Value {
	n := new(big.Int)
	for i, l := range w {
		n.SetBit(n, i, uint(p.Value(l)>>lane&1))
	}
	return btor2test.Vector(len(w), n)
}
