package cells

import (
	"fmt"
	"strings"
)

// exprParser compiles an expression by precedence climbing.
type exprParser struct {
	cell   *Cell
	inputs map[string]int // positions in cell.Inputs
	s      string
	i      int
	depth  int
}

// input returns the position of an input of the cell, which gets it if it has none of
// that name.
func (p *exprParser) input(name string) int {
	at, known := p.inputs[name]
	if !known {
		at = len(p.cell.Inputs)
		p.inputs[name] = at
		p.cell.Inputs = append(p.cell.Inputs, name)
	}
	return at
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
		p.emit(op{code: 'i', input: p.input(word)})
	}
}
