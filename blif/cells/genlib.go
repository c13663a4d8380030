package cells

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

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
	var entry strings.Builder
	end := func() {
		if entry.Len() > 0 {
			entries = append(entries, entry.String())
		}
		entry.Reset()
	}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		word, _, _ = strings.Cut(word, "\t")
		isFirst := word == "GATE" || word == "LATCH"
		if isFirst {
			end()
		}
		if isFirst || entry.Len() > 0 {
			entry.WriteString(strings.TrimRight(line, "\r\n"))
			entry.WriteByte(' ')
		}
	}
	end()
	return entries
}

func readCell(entry string) (*Cell, error) {
	function, rest, ok := strings.Cut(entry, ";")
	words := strings.Fields(function)
	if !ok || len(words) < 4 {
		return nil, fmt.Errorf("%.40q: expected GATE name area out=function;", entry)
	}
	c := &Cell{Name: strings.Trim(words[1], `"`)}
	if c.Name == "" {
		return nil, fmt.Errorf("%.40q: a cell without a name", entry)
	}
	out, expr, ok := strings.Cut(strings.Join(words[3:], " "), "=")
	c.Output = strings.TrimSpace(out)
	if !ok || c.Output == "" || strings.Contains(c.Output, " ") {
		return nil, fmt.Errorf("cell %s: expected out=function", c.Name)
	}
	p := exprParser{cell: c, s: expr, inputs: map[string]int{}}
	if err := p.parse(); err != nil {
		return nil, fmt.Errorf("cell %s: %w", c.Name, err)
	}
	latchType := p.pins(strings.Fields(rest))
	if words[0] == "LATCH" {
		c.LatchType = cmp.Or(latchType, "as")
	}
	return c, nil
}

// pins reads what stands after a function: PIN entries, whose names are inputs, and
// the SEQ of a latch, whose type it returns; without one it is re.
func (p *exprParser) pins(fields []string) (latchType string) {
	latchType = "re"
	isTold := false
	for i := 0; i < len(fields); i++ {
		switch {
		case fields[i] == "PIN" && i+1 < len(fields):
			if i++; fields[i] != "*" {
				p.input(fields[i])
			}
		case fields[i] == "SEQ" && i+3 < len(fields) && !isTold:
			latchType, isTold = genlibTypes[fields[i+3]], true
		}
	}
	return latchType
}

var genlibTypes = map[string]string{
	"RISING_EDGE": "re", "FALLING_EDGE": "fe", "ACTIVE_HIGH": "ah", "ACTIVE_LOW": "al", "ASYNCH": "as",
}
