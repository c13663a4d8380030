package btor2test

import (
	"fmt"
	"maps"
	"math/big"
)

// Sort is the type of a value: bit-vectors of Width bits, or, where Index is not 0, arrays of such with indices of Index
// bits.
type Sort struct{ Width, Index int }

// Bits returns how many bits hold a value.
func (s Sort) Bits() int { return s.Width << s.Index }

// Value is a bit-vector, or an array: a value for each index of At, which is written in decimal, and Bits for all others.
// Values never change.
type Value struct {
	Sort Sort
	Bits *big.Int
	At   map[string]*big.Int
}

// Vector returns a bit-vector of a width, with the lower bits of a number.
func Vector(width int, bits *big.Int) Value {
	return Value{Sort: Sort{Width: width}, Bits: modulo(bits, width)}
}

// vector is Vector of a small number.
func vector(width int, bits int64) Value { return Vector(width, big.NewInt(bits)) }

// truth is a bit-vector of one bit.
func truth(is bool) Value {
	if is {
		return vector(1, 1)
	}
	return vector(1, 0)
}

// IsTrue reports whether a value is that of one bit, and 1.
func (v Value) IsTrue() bool { return v.Sort == Sort{Width: 1} && v.Bits.Sign() > 0 }

// Element returns the value at an index of an array.
func (v Value) Element(index *big.Int) *big.Int {
	if found, ok := v.At[index.String()]; ok {
		return found
	}
	return v.Bits
}

// With returns the array with another value at an index.
func (v Value) With(index, element *big.Int) Value {
	at := maps.Clone(v.At)
	if at == nil {
		at = map[string]*big.Int{}
	}
	at[index.String()] = element
	return Value{Sort: v.Sort, Bits: v.Bits, At: at}
}

// Equal reports whether two values of a sort are equal. Arrays are when they are so at each index.
func (v Value) Equal(w Value) bool {
	if v.Sort != w.Sort {
		panic(fmt.Sprintf("btor2test: %v and %v are compared", v.Sort, w.Sort))
	}
	if v.Sort.Index == 0 {
		return v.Bits.Cmp(w.Bits) == 0
	}
	named := map[string]bool{}
	for _, at := range []map[string]*big.Int{v.At, w.At} {
		for index := range at {
			named[index] = true
		}
	}
	for index := range named {
		n, _ := new(big.Int).SetString(index, 10)
		if v.Element(n).Cmp(w.Element(n)) != 0 {
			return false
		}
	}
	isAll := power(v.Sort.Index).Cmp(big.NewInt(int64(len(named)))) == 0
	return isAll || v.Bits.Cmp(w.Bits) == 0
}

// String returns the bits of a bit-vector; the elements of an array.
func (v Value) String() string {
	if v.Sort.Index == 0 {
		return fmt.Sprintf("%0*b", v.Sort.Width, v.Bits)
	}
	return fmt.Sprintf("%v, else %v", v.At, v.Bits)
}

// Flat returns all bits of a value as a number: the element at index 0 is the lowest part of an array.
func (v Value) Flat() *big.Int {
	if v.Sort.Index == 0 {
		return v.Bits
	}
	all := new(big.Int)
	for i := int64(1)<<v.Sort.Index - 1; i >= 0; i-- {
		all.Lsh(all, uint(v.Sort.Width)).Or(all, v.Element(big.NewInt(i)))
	}
	return all
}

// FromFlat returns the value whose Flat is a number.
func FromFlat(s Sort, bits *big.Int) Value {
	if s.Index == 0 {
		return Vector(s.Width, bits)
	}
	v := Value{Sort: s, Bits: new(big.Int), At: map[string]*big.Int{}}
	for i := range int64(1) << s.Index {
		v.At[big.NewInt(i).String()] = modulo(new(big.Int).Rsh(bits, uint(i)*uint(s.Width)), s.Width)
	}
	return v
}

func power(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

// modulo returns the lower bits of a number; of a negative one those of its two's complement.
func modulo(x *big.Int, width int) *big.Int { return new(big.Int).Mod(x, power(width)) }

// signed returns the number that the bits of a bit-vector mean in two's complement.
func (v Value) signed() *big.Int {
	if v.Bits.Bit(v.Sort.Width-1) == 0 {
		return v.Bits
	}
	return new(big.Int).Sub(v.Bits, power(v.Sort.Width))
}
