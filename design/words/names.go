package words

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"aiglens/circuit"
	"aiglens/design"
)

// Bounds of words that names make.
const (
	maxBits   = 1 << 16
	maxDigits = 64 // bits of a word whose names have only digits after it
	minDigits = 3  // bits of it that follow each other
	// Of the bits of a word some may be missing, up to this number and more where it has many.
	maxMissing = 64
)

// bitName is the name of a bit taken apart.
type bitName struct {
	base  string
	index int
	form  design.WordForms
}

// brackets are the forms with a sign on both sides of the index.
var brackets = [...]struct {
	open, close byte
	form        design.WordForms
}{
	{'[', ']', design.WordBrackets},
	{'<', '>', design.WordAngles},
	{'(', ')', design.WordParentheses},
	{'_', '_', design.WordUnderscores},
}

// parse takes the name of a bit apart; ok is false for a name without an index.
func parse(name string) (b bitName, ok bool) {
	if name == "" {
		return b, false
	}
	last := len(name) - 1
	for _, f := range brackets {
		if name[last] != f.close {
			continue
		}
		open := strings.LastIndexByte(name[:last], f.open)
		if open <= 0 {
			return b, false
		}
		index, ok := indexOf(name[open+1 : last])
		return bitName{name[:open], index, f.form}, ok
	}
	base := strings.TrimRight(name, "0123456789")
	index, ok := indexOf(name[len(base):])
	switch {
	case !ok || base == "":
		return b, false
	case base[len(base)-1] != '.':
		return bitName{base, index, design.WordDigits}, true
	case len(base) > 1:
		return bitName{base[:len(base)-1], index, design.WordPoint}, true
	}
	return b, false
}

// indexOf reads an index without leading zeros.
func indexOf(digits string) (index int, ok bool) {
	index, err := strconv.Atoi(digits)
	return index, err == nil && index >= 0 && strconv.Itoa(index) == digits
}

// family is the bits with a base and a form of their names.
type family struct {
	base   string
	form   design.WordForms
	bits   map[int]circuit.Lit
	kind   circuit.Kind // of the first bit
	spoilt bool         // a name stands for two signals, or kinds are mixed that may not be
}

// collector collects the bits of words.
type collector struct {
	d        *design.Design
	families map[bitName]*family // by base and form
	order    []*family
	without  design.WordForms
}

// ofNames returns the words that names of signals make, in the order in which the first of their
// bits are named: inputs, latches, nets and outputs. Pairs are those that are known by name alone.
func ofNames(ctx context.Context, d *design.Design) (found, pairs []*design.Word, err error) {
	c := collector{d: d, families: map[bitName]*family{}, without: d.Options().WordForms()}
	names, of := d.Names().Elements(), d.Circuit()
	c.all(names.Inputs, func(i int) circuit.Lit { return of.Inputs()[i].Lit })
	for i, name := range names.Latches {
		if name != "" {
			l, found, _ := design.FlipFlop(d, i)
			c.name(found.Name, l)
		}
	}
	n := 0
	for name, l := range d.Names().Nets() {
		if n++; n%10_000 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		c.name(name, l)
	}
	c.outputs(names.Outputs)
	for _, f := range c.order {
		switch word := c.word(f); {
		case word == nil:
		case isPair(f, word.Low, len(word.Bits)):
			pairs = append(pairs, word)
		default:
			found = append(found, word)
		}
	}
	return found, pairs, ctx.Err()
}

// all collects the elements of a kind.
func (c *collector) all(names []string, lit func(index int) circuit.Lit) {
	for i, name := range names {
		if name != "" {
			c.name(name, lit(i))
		}
	}
}

// outputs collects the outputs. A word of outputs may have the name of another word, of which
// it then shows the same bits or counts for nothing.
func (c *collector) outputs(names []string) {
	own := collector{d: c.d, families: map[bitName]*family{}, without: c.without}
	signals := c.d.Circuit().Outputs()
	if len(names) != len(signals) { // those of a circuit with errors
		return
	}
	own.all(names, func(i int) circuit.Lit { return signals[i].Lit })
	for _, f := range own.order {
		key := bitName{base: f.base, form: f.form}
		other, has := c.families[key]
		if !has {
			c.families[key] = f
			c.order = append(c.order, f)
			continue
		}
		agrees := !f.spoilt && f.form != design.WordDigits
		for i, l := range f.bits {
			known, has := other.bits[i]
			agrees = agrees && (!has || known == l)
		}
		if agrees {
			for i, l := range f.bits {
				other.bits[i] = l
			}
		}
	}
}

// name collects a signal.
func (c *collector) name(name string, l circuit.Lit) {
	b, ok := parse(name)
	if !ok || b.form&c.without != 0 {
		return
	}
	key := bitName{base: b.base, form: b.form}
	f := c.families[key]
	kind := c.d.Circuit().Kind(l.Var())
	if f == nil {
		f = &family{base: b.base, form: b.form, kind: kind, bits: map[int]circuit.Lit{}}
		c.families[key] = f
		c.order = append(c.order, f)
	}
	if known, has := f.bits[b.index]; has && known != l || b.form == design.WordDigits && kind != f.kind {
		f.spoilt = true
	}
	f.bits[b.index] = l
}

// MayBe reports whether bits in a number that have names are enough of a word that is so wide.
func MayBe(width, named int) bool {
	return named > 0 && 0 < width && width <= maxBits && width-named <= max(maxMissing, named)
}

// word returns the word that a family makes, or nil.
func (c *collector) word(f *family) *design.Word {
	path, local := Scopes(c.d, f.base)
	if f.spoilt || len(f.bits) < 2 || strings.HasPrefix(local, "$") { // a name that Yosys has made up
		return nil
	}
	low, high := -1, 0
	for i := range f.bits {
		if low < 0 || i < low {
			low = i
		}
		high = max(high, i)
	}
	width := high - low + 1
	if !MayBe(width, len(f.bits)) {
		return nil
	}
	if f.form == design.WordDigits && !isCounted(f, low, width) && !isPair(f, low, width) {
		return nil
	}
	w := &design.Word{Name: f.base, Path: path, Local: local, Low: low, Bits: make([]design.Bit, width), Origin: design.FromNames}
	for i := range w.Bits {
		l, has := f.bits[low+i]
		w.Bits[i] = design.Bit{Lit: l, Missing: !has}
	}
	return w
}

// isPair reports whether two names have only the digits 0 and 1 behind them: too little to be shown as a
// word, but its name, where it is typed, means these.
func isPair(f *family, low, width int) bool {
	return f.form == design.WordDigits && low == 0 && width == 2 && len(f.bits) == 2
}

// isCounted reports whether names with digits behind them are those of a word rather than
// numbers of signals: at least three inputs or latches that follow each other, or gates
// that do from 0 or 1 on without a gap.
func isCounted(f *family, low, width int) bool {
	if width > maxDigits {
		return false
	}
	if f.kind != circuit.KindInput && f.kind != circuit.KindLatch {
		return low <= 1 && len(f.bits) == width && width >= minDigits
	}
	run := 0
	for i := low; i < low+width && run < minDigits; i++ {
		if _, has := f.bits[i]; has {
			run++
		} else {
			run = 0
		}
	}
	return run >= minDigits
}

// Scopes splits the name of a word or signal at its instances, and where a flattened hierarchy
// has points.
func Scopes(d *design.Design, name string) (path []string, local string) {
	path, local = d.Scopes(name)
	levels, local := Levels(local)
	return append(slices.Clip(path), levels...), local
}

// Levels splits a name without instances where a flattened hierarchy has points. A point before a
// number is that of an index: in u.q.3 only u is a level.
func Levels(name string) (path []string, local string) {
	parts := strings.Split(name, ".")
	if strings.HasPrefix(name, "$") || slices.Contains(parts, "") {
		return nil, name
	}
	last := len(parts) - 1
	for last > 0 && strings.Trim(parts[last], "0123456789") == "" {
		last--
	}
	return parts[:last], strings.Join(parts[last:], ".")
}
