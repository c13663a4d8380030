package cells

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit"
)

// Pins returns the inputs of a cell, its clock among them.
func (c *Cell) Pins() []string {
	if c.Clock == "" {
		return c.Inputs
	}
	return append(slices.Clone(c.Inputs), c.Clock)
}

// IsProperty reports whether a cell is $assert or $assume.
func (c *Cell) IsProperty() bool { return c == Builtin("$assert") || c == Builtin("$assume") }

// Genlib is a cell library in the genlib format of SIS ("SIS: A System for
// Sequential Circuit Synthesis", Sentovich et al., 1992, appendix on genlib):
//
//	GATE name area out=expression; PIN ...
//	LATCH name area out=expression; PIN ... SEQ q anyname type CONTROL ...
//
// Operators are ! and ' for not, * & or nothing for and, + | for or, ^ for
// exclusive or; CONST0 and CONST1 are constants. Delays are skipped.
type Genlib struct {
	cells map[string]*Cell
	// Problems are the lines that could not be read.
	Problems []string
}

// Cell is a gate or a latch of a library.
type Cell struct {
	Name   string
	Inputs []string // in the order in which the function names them
	Output string
	// latchType is re, fe, ah, al or as for a latch, "" for a gate.
	LatchType string
	Clock     string // the pin that is the control; "" where it stands behind the pins (.mlatch)
	program   []op
}

// op is an instruction of a function in postfix form.
type op struct {
	code  byte // 'i' input, '0', '1', '!', '*', '+', '^'
	input int
}

// Names returns the names of the cells in alphabetical order.
func (g *Genlib) Names() []string {
	var names []string
	for name := range g.cells {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Cell returns the cell with a name, or nil; in no library there is none.
func (g *Genlib) Cell(name string) *Cell {
	if g == nil {
		return nil
	}
	return g.cells[name]
}

// IsLatch reports whether a cell keeps its output from one step to the next.
func (c *Cell) IsLatch() bool { return c.LatchType != "" }

// Port finds a pin by its name: what it is and, of an input, its position among
// the Inputs. ok is false when the cell has none of that name.
func (c *Cell) Port(formal string) (dir Direction, index int, ok bool) {
	if formal == "" {
		return Unknown, 0, false
	}
	if formal == c.Output {
		return Output, 0, true
	}
	if formal == c.Clock {
		return Clock, 0, true
	}
	i := slices.Index(c.Inputs, formal)
	return Input, i, i >= 0
}

// ReadGenlib reads a cell library. Entries that cannot be read are among its
// Problems.
func ReadGenlib(text string) *Genlib {
	g := &Genlib{cells: map[string]*Cell{}}
	for _, entry := range genlibEntries(text) {
		cell, err := readCell(entry)
		if err != nil {
			g.Problems = append(g.Problems, err.Error())
			continue
		}
		if _, ok := g.cells[cell.Name]; !ok {
			g.cells[cell.Name] = cell
		}
	}
	return g
}

// genlibEntries cuts a library at the words GATE and LATCH, comments left out.
func genlibEntries(text string) []string {
	var entries []string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		word, _, _ = strings.Cut(word, "\t")
		if word == "GATE" || word == "LATCH" {
			entries = append(entries, "")
		}
		if len(entries) > 0 {
			entries[len(entries)-1] += strings.TrimRight(line, "\r\n") + " "
		}
	}
	return entries
}

func readCell(entry string) (*Cell, error) {
	function, rest, ok := strings.Cut(entry, ";")
	words := strings.Fields(function)
	if !ok || len(words) < 4 {
		return nil, fmt.Errorf("%.40q: expected GATE name area out=function;", entry)
	}
	c := &Cell{Name: strings.Trim(words[1], `"`)}
	out, expr, ok := strings.Cut(strings.Join(words[3:], " "), "=")
	if !ok {
		return nil, fmt.Errorf("cell %s: expected out=function", c.Name)
	}
	c.Output = strings.TrimSpace(out)
	p := exprParser{cell: c, s: expr}
	if err := p.parse(); err != nil {
		return nil, fmt.Errorf("cell %s: %w", c.Name, err)
	}
	fields := strings.Fields(rest)
	for i, word := range fields {
		if word == "PIN" && i+1 < len(fields) && fields[i+1] != "*" && !slices.Contains(c.Inputs, fields[i+1]) {
			c.Inputs = append(c.Inputs, fields[i+1])
		}
	}
	if words[0] == "LATCH" {
		c.LatchType = "re"
		if i := slices.Index(fields, "SEQ"); i >= 0 && i+3 < len(fields) {
			c.LatchType = genlibTypes[fields[i+3]]
		}
		if c.LatchType == "" {
			c.LatchType = "as"
		}
	}
	return c, nil
}

var genlibTypes = map[string]string{
	"RISING_EDGE": "re", "FALLING_EDGE": "fe", "ACTIVE_HIGH": "ah", "ACTIVE_LOW": "al", "ASYNCH": "as",
}

// exprParser compiles an expression by precedence climbing.
type exprParser struct {
	cell  *Cell
	s     string
	i     int
	depth int
}

// maxDepth bounds the nesting of parentheses.
const maxDepth = 1000

func (p *exprParser) parse() error {
	if err := p.binary(0); err != nil {
		return err
	}
	if p.peek() != 0 {
		return fmt.Errorf("unexpected %q in its function", p.peek())
	}
	return nil
}

func (p *exprParser) peek() byte {
	for p.i < len(p.s) && strings.IndexByte(" \t\r", p.s[p.i]) >= 0 {
		p.i++
	}
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// levels are the binary operators, loosest first.
var levels = [...]struct {
	operators string
	code      byte
}{{"+|", '+'}, {"^", '^'}, {"*&", '*'}}

func (p *exprParser) binary(level int) error {
	if level == len(levels) {
		return p.unary()
	}
	if err := p.binary(level + 1); err != nil {
		return err
	}
	for {
		c := p.peek()
		switch {
		case c != 0 && strings.IndexByte(levels[level].operators, c) >= 0:
			p.i++
		case level == len(levels)-1 && c != 0 && strings.IndexByte(")+|^*&'", c) < 0:
			// two operands side by side are a conjunction
		default:
			return nil
		}
		if err := p.binary(level + 1); err != nil {
			return err
		}
		p.emit(op{code: levels[level].code})
	}
}

func (p *exprParser) emit(o op) { p.cell.program = append(p.cell.program, o) }

func (p *exprParser) unary() error {
	if p.depth++; p.depth > maxDepth {
		return fmt.Errorf("its function is nested too deeply")
	}
	defer func() { p.depth-- }()
	switch c := p.peek(); {
	case c == '!':
		p.i++
		if err := p.unary(); err != nil {
			return err
		}
		p.emit(op{code: '!'})
		return nil
	case c == '(':
		p.i++
		if err := p.binary(0); err != nil {
			return err
		}
		if p.peek() != ')' {
			return fmt.Errorf("a ) is missing in its function")
		}
		p.i++
	case c == 0 || strings.IndexByte(")+|^*&'", c) >= 0:
		return fmt.Errorf("an operand is missing in its function")
	default:
		p.operand()
	}
	for p.peek() == '\'' {
		p.i++
		p.emit(op{code: '!'})
	}
	return nil
}

func (p *exprParser) operand() {
	from := p.i
	for p.i < len(p.s) && strings.IndexByte(" \t!()+|^*&'", p.s[p.i]) < 0 {
		p.i++
	}
	switch word := p.s[from:p.i]; word {
	case "CONST0", "CONST1":
		p.emit(op{code: word[5]})
	default:
		at := slices.Index(p.cell.Inputs, word)
		if at < 0 {
			at = len(p.cell.Inputs)
			p.cell.Inputs = append(p.cell.Inputs, word)
		}
		p.emit(op{code: 'i', input: at})
	}
}

// Build returns the function of a cell over literals for its inputs.
func (c *Cell) Build(b *circuit.Builder, inputs []circuit.Lit) circuit.Lit {
	var stack []circuit.Lit
	for _, o := range c.program {
		n := len(stack)
		switch o.code {
		case 'i':
			stack = append(stack, inputs[o.input])
		case '0':
			stack = append(stack, circuit.False)
		case '1':
			stack = append(stack, circuit.True)
		case '!':
			stack[n-1] = stack[n-1].Not()
		case '*':
			stack = append(stack[:n-2], b.And(stack[n-2], stack[n-1]))
		case '+':
			stack = append(stack[:n-2], b.Or(stack[n-2], stack[n-1]))
		case '^':
			stack = append(stack[:n-2], b.Xor(stack[n-2], stack[n-1]))
		}
	}
	return stack[0]
}

// Direction says what an instance does with a pin.
type Direction uint8

const (
	Unknown Direction = iota
	Input
	Output
	Clock // the control of a latch cell
)
