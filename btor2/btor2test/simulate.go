package btor2test

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Choose says the value of what is free in a step, by the number of its row: an input in each step, a state without init
// in step 0, and a state without next in each later step.
type Choose func(step int, id int64, s Sort) Value

// System is what a text says.
type System struct {
	rows    map[int64]row
	order   []int64 // of all rows that have a value
	Sorts   map[int64]Sort
	Inputs  []int64 // numbers of rows, in their order, as below
	States  []int64
	Outputs []int64
	// Bads and the others are operands: negative ones are negated.
	Bads, Constraints, Fairs, Lemmas, Covers []int64
	Justice                                  [][]int64
	Init, Next                               map[int64]int64 // operand, by the state
}

// row defines a value.
type row struct {
	tag     string
	sort    Sort
	args    []int64
	numbers []int
	value   Value // of a constant
}

// Step is what a run says of a step.
type Step struct {
	Values                                   map[int64]Value // of each row that has one
	Bads, Constraints, Fairs, Lemmas, Covers []bool
	Justice                                  [][]bool
}

// IsAllowed reports whether all constraints hold.
func (s Step) IsAllowed() bool {
	for _, holds := range s.Constraints {
		if !holds {
			return false
		}
	}
	return true
}

func number(word string) int64 {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		panic("btor2test: " + err.Error())
	}
	return n
}

// Parse reads a sound text.
func Parse(text string) *System {
	s := &System{rows: map[int64]row{}, Sorts: map[int64]Sort{}, Init: map[int64]int64{}, Next: map[int64]int64{}}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) > 3 && words[0] == ";" && words[1] == "prop:":
			s.line(0, words[2], words[3:])
		case len(words) > 0 && words[0][0] != ';':
			s.line(number(words[0]), words[1], words[2:])
		}
	}
	return s
}

// line takes in a row. Words that follow those of its form are its symbol and a comment.
func (s *System) line(id int64, tag string, words []string) {
	arg := func(i int) int64 { return number(words[i]) }
	switch tag {
	case "sort":
		if words[0] == "bitvec" {
			s.Sorts[id] = Sort{Width: int(arg(1))}
		} else {
			s.Sorts[id] = Sort{Width: s.Sorts[arg(2)].Width, Index: s.Sorts[arg(1)].Width}
		}
	case "init":
		s.Init[arg(1)] = arg(2)
	case "next":
		s.Next[arg(1)] = arg(2)
	case "bad":
		s.Bads = append(s.Bads, arg(0))
	case "constraint":
		s.Constraints = append(s.Constraints, arg(0))
	case "fair":
		s.Fairs = append(s.Fairs, arg(0))
	case "lemma":
		s.Lemmas = append(s.Lemmas, arg(0))
	case "cover":
		s.Covers = append(s.Covers, arg(0))
	case "output":
		s.Outputs = append(s.Outputs, arg(0))
	case "justice":
		var goals []int64
		for i := range int(arg(0)) {
			goals = append(goals, arg(1+i))
		}
		s.Justice = append(s.Justice, goals)
	default:
		s.define(id, tag, words)
	}
}

// define takes in a row that has a value.
func (s *System) define(id int64, tag string, words []string) {
	r := row{tag: tag, sort: s.Sorts[number(words[0])]}
	operands, numbers := Operators[tag], 0
	switch tag {
	case "input":
		s.Inputs = append(s.Inputs, id)
	case "state":
		s.States = append(s.States, id)
	case "zero", "one", "ones":
		r.value = vector(r.sort.Width, map[string]int64{"zero": 0, "one": 1, "ones": -1}[tag])
	case "const", "constd", "consth":
		n, ok := new(big.Int).SetString(words[1], map[string]int{"const": 2, "constd": 10, "consth": 16}[tag])
		if !ok {
			panic("btor2test: no number: " + words[1])
		}
		r.value = Vector(r.sort.Width, n)
	case "slice":
		operands, numbers = 1, 2
	case "uext", "sext":
		operands, numbers = 1, 1
	case "iff", "implies", "concat", "read":
		operands = 2
	case "ite", "write":
		operands = 3
	default:
		if operands == 0 {
			panic("btor2test: no tag " + tag)
		}
	}
	for _, word := range words[1 : 1+operands] {
		r.args = append(r.args, number(word))
	}
	for _, word := range words[1+operands : 1+operands+numbers] {
		r.numbers = append(r.numbers, int(number(word)))
	}
	s.rows[id] = r
	s.order = append(s.order, id)
}

// Sort returns that of the value of a row.
func (s *System) Sort(id int64) Sort { return s.rows[id].sort }

// Rows returns the numbers of the rows that have a value, in their order.
func (s *System) Rows() []int64 { return s.order }

// Tag returns what a row is.
func (s *System) Tag(id int64) string { return s.rows[id].tag }

// evaluation is a step in the making. Rows are evaluated where they are first used, since those that a state starts with
// may use states.
type evaluation struct {
	*System
	values map[int64]Value
	leaf   func(id int64, r row) Value // of an input or state
}

func (e *evaluation) row(id int64) Value {
	if v, ok := e.values[id]; ok {
		return v
	}
	r, ok := e.rows[id]
	if !ok {
		panic(fmt.Sprintf("btor2test: row %d has no value", id))
	}
	v := r.value
	switch {
	case r.tag == "input" || r.tag == "state":
		v = e.leaf(id, r)
	case v.Bits == nil:
		args := make([]Value, len(r.args))
		for i, a := range r.args {
			args[i] = e.operand(a)
		}
		v = Apply(r.tag, args, r.numbers...)
	}
	if v.Sort != r.sort {
		panic(fmt.Sprintf("btor2test: row %d is of sort %v and has a value of %v", id, r.sort, v.Sort))
	}
	e.values[id] = v
	return v
}

// operand returns the value of an operand, which is negated where it is negative.
func (e *evaluation) operand(a int64) Value {
	if a < 0 {
		return Apply("not", []Value{e.row(-a)})
	}
	return e.row(a)
}

// step evaluates everything, with the values of inputs and states that leaf says.
func (s *System) step(leaf func(e *evaluation, id int64, r row) Value) Step {
	e := &evaluation{System: s, values: make(map[int64]Value, len(s.order))}
	e.leaf = func(id int64, r row) Value { return leaf(e, id, r) }
	for _, id := range s.order {
		e.row(id)
	}
	truths := func(args []int64) (all []bool) {
		for _, a := range args {
			all = append(all, e.operand(a).IsTrue())
		}
		return all
	}
	step := Step{Values: e.values, Bads: truths(s.Bads), Constraints: truths(s.Constraints), Fairs: truths(s.Fairs), Lemmas: truths(s.Lemmas), Covers: truths(s.Covers)}
	for _, goals := range s.Justice {
		step.Justice = append(step.Justice, truths(goals))
	}
	return step
}

// startOf returns the value of a state in step 0: that of its init, or the one chosen.
func (s *System) startOf(e *evaluation, id int64, r row, free Choose) Value {
	value, ok := s.Init[id]
	if !ok {
		return free(0, id, r.sort)
	}
	v := e.operand(value)
	if v.Sort != r.sort { // of an array: the element that it has at each index
		v = Value{Sort: r.sort, Bits: v.Bits}
	}
	return v
}

// Run returns the first steps of the run with a choice.
func (s *System) Run(steps int, choose Choose) []Step {
	var run []Step
	for at := range steps {
		run = append(run, s.step(func(e *evaluation, id int64, r row) Value {
			next, hasNext := s.Next[id]
			switch {
			case r.tag == "state" && at == 0:
				return s.startOf(e, id, r, choose)
			case r.tag == "state" && hasNext:
				return run[at-1].operand(next)
			}
			return choose(at, id, r.sort)
		}))
	}
	return run
}

// operand returns the value of an operand in the step.
func (s Step) operand(a int64) Value {
	if a < 0 {
		return Apply("not", []Value{s.Values[-a]})
	}
	return s.Values[a]
}

// Simulate is Run of what a text says.
func Simulate(text string, steps int, choose Choose) []Step { return Parse(text).Run(steps, choose) }
