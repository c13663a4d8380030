package diagnose

import (
	"slices"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/netlist"
	"aiglens/blif/statement"
)

// ofConstant says what it means that the net of a property is constant, by its value.
var ofConstant = [...][2]string{
	statement.PragmaBad:    {"the property is constant 0: it always holds", "the property is constant 1: it is violated as soon as the constraints allow a step"},
	statement.PragmaAssert: {"the property is constant 0: it is violated as soon as the constraints allow a step", "the property is constant 1: it always holds"},
	statement.PragmaLemma:  {"the lemma is constant 0: it never holds", "the lemma is constant 1: it says nothing"},
	statement.PragmaCover:  {"the cover is constant 0: no run reaches it", "the cover is constant 1: every step reaches it"},
}

// constants looks for comments of the top model that make a property of a net which is constant,
// whatever inputs and latches are. A net may be so for deeper reasons than those that are seen here.
func (l *linter) constants() {
	m := l.f.Top()
	if m == nil {
		return
	}
	var fold *folding
	for _, p := range l.f.PragmasOf(m) {
		if l.done() {
			return
		}
		lo, hi := p.Signals(l.f)
		if lo == hi {
			continue
		}
		kind := statement.PragmaKindOf(l.f.WordOf(p.Chunk, p.Pragma.Tokens[0]))
		s := l.r.Lookup(m.Index, p.Pragma.Names[lo])
		if int(kind) >= len(ofConstant) || ofConstant[kind][0] == "" || s == 0 {
			continue
		}
		if fold == nil {
			fold = newFolding(l, m)
		}
		if value := fold.of(uint32(s - l.r.Bases[m.Index])); value <= 1 {
			l.find(codes.ConstantProperty, l.f.TokenSpan(p.Chunk, p.Pragma.Tokens[lo]), "%s", ofConstant[kind][value])
		}
	}
}

// folded is what a net is the same as: 0 and 1 are the constants, 2·n + 2 is net n of the model,
// and one more is its negation.
type folded uint64

func foldedFromNet(net uint32) folded { return 2*folded(net) + 2 }

func (v folded) not() folded { return v ^ 1 }

// folding finds out which nets of a model are constant, or the same as another net, cover by cover.
type folding struct {
	l     *linter
	body  *netlist.Body
	known map[uint32]folded
}

func newFolding(l *linter, m *blif.Model) *folding {
	return &folding{l: l, body: netlist.Compile(m), known: map[uint32]folded{}}
}

// of returns what a net is the same as: itself, once the context has ended.
func (x *folding) of(net uint32) folded {
	// Nets may be as deep as the file is long, so that what is to be done stands on a stack. A net
	// in a combinational cycle is found again before it is known: it stays itself.
	entered := map[uint32]bool{}
	for todo := []uint32{net}; len(todo) > 0 && !x.l.done(); {
		s := todo[len(todo)-1]
		_, isKnown := x.known[s]
		if isKnown || entered[s] {
			todo = todo[:len(todo)-1]
			if !isKnown {
				x.known[s] = x.fold(s)
			}
			continue
		}
		entered[s] = true
		for _, operand := range x.operands(s) {
			if !entered[operand] {
				todo = append(todo, operand)
			}
		}
	}
	return x.value(net)
}

func (x *folding) value(net uint32) folded {
	if v, ok := x.known[net]; ok {
		return v
	}
	return foldedFromNet(net)
}

// operands returns the nets that the value of a net is computed of in the same step, as far as it
// is looked at here.
func (x *folding) operands(net uint32) []uint32 {
	d := &x.body.Drivers[net]
	if d.Kind != netlist.DriverNames && d.Kind != netlist.DriverAlias {
		return nil
	}
	return x.body.Operands[d.From:d.To]
}

func (x *folding) fold(net uint32) folded {
	itself := foldedFromNet(net)
	operands := x.operands(net)
	var values []folded
	for _, operand := range operands {
		values = append(values, x.value(operand))
	}
	switch d := &x.body.Drivers[net]; {
	case d.Kind == netlist.DriverAlias && len(values) == 1:
		return values[0]
	case d.Kind == netlist.DriverFalse:
		return 0
	case d.Kind == netlist.DriverTrue:
		return 1
	case d.Kind != netlist.DriverNames:
		return itself
	default:
		k, i := x.l.f.Locate(int(d.Statement))
		c := x.l.f.Chunks[k]
		if c.Stmts[i].Flags&statement.FlagCover != 0 { // what it means is not known
			return itself
		}
		return foldedCover(c.Text, c.RowsOf(i), values, itself, x.l.done)
	}
}

// maxFoldedInputs bounds the inputs of a cover whose values are tried.
const maxFoldedInputs = 6

// foldedCover returns what a cover over such operands is the same as; itself when that is not seen, or
// done says so before some row. It takes time in proportion to the text of the rows.
func foldedCover(text string, rows []statement.RawRow, operands []folded, itself folded, done func() bool) folded {
	off := folded(0) // the value without a cube that holds
	if len(rows) > 0 && rows[0].Output() == 0 {
		off = 1
	}
	var cubes [][]folded // of values that must all be 1
	var inputs []folded  // what these are about, not negated
	isTooLarge := false  // then a cube that always holds is still looked for
	reader := newCubeReader(operands)
	for _, row := range rows {
		if done() {
			return itself
		}
		cube, isPossible := reader.read(text[row.Start:][:row.Width()])
		if !isPossible {
			continue
		}
		if len(cube) == 0 {
			return off.not()
		}
		if len(cube) > maxFoldedInputs || len(cubes) == maxPairs {
			isTooLarge = true
		}
		if isTooLarge {
			continue
		}
		cubes = append(cubes, slices.Clone(cube))
		for _, v := range cube {
			inputs = append(inputs, v&^1)
		}
	}
	slices.Sort(inputs)
	inputs = slices.Compact(inputs)
	switch {
	case isTooLarge || len(inputs) > maxFoldedInputs:
		return itself
	case len(cubes) == 0:
		return off
	}
	var table []bool // whether some cube holds
	for values := range 1 << len(inputs) {
		table = append(table, slices.ContainsFunc(cubes, func(cube []folded) bool {
			return !slices.ContainsFunc(cube, func(v folded) bool {
				at, _ := slices.BinarySearch(inputs, v&^1)
				return values>>at&1 == int(v&1)
			})
		}))
	}
	switch {
	case !slices.Contains(table, false):
		return off.not()
	case len(inputs) == 1: // neither value is that of both rows of the table
		if table[1] {
			return inputs[0] ^ off
		}
		return inputs[0].not() ^ off
	}
	return itself
}

// cubeReader reads the cubes of a cover one after the other.
type cubeReader struct {
	operands []folded
	nets     []int // by operand: a number that it shares with those of the same net, negated or not
	marks    []int // by that number: 2·row, or 2·row + 1 of the negation, where it stands in a cube last
	row      int
	must     []folded
}

func newCubeReader(operands []folded) *cubeReader {
	x := &cubeReader{operands: operands, nets: make([]int, len(operands))}
	numbers := map[folded]int{}
	for i, v := range operands {
		n, ok := numbers[v&^1]
		if !ok {
			n = len(numbers)
			numbers[v&^1] = n
		}
		x.nets[i] = n
	}
	x.marks = make([]int, len(numbers))
	return x
}

// read returns the operands, or their negations, that make a cube hold, without constants; it is
// not possible where they contradict each other. The slice is good until the next cube is read.
func (x *cubeReader) read(cube string) (must []folded, isPossible bool) {
	if len(cube) != len(x.operands) {
		return nil, false
	}
	x.row++
	x.must = x.must[:0]
	for i := range len(cube) {
		if cube[i] == '-' {
			continue
		}
		v := x.operands[i]
		if cube[i] == '0' {
			v = v.not()
		}
		if v == 1 {
			continue
		}
		mark, before := 2*x.row+int(v&1), x.marks[x.nets[i]]
		switch {
		case v == 0 || before == mark^1:
			return nil, false
		case before != mark:
			x.marks[x.nets[i]] = mark
			x.must = append(x.must, v)
		}
	}
	return x.must, true
}
