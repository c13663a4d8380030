package replay

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"aiglens/btor2/syntax"
)

// Step is what a run chooses in a step, by node: the values of inputs, in step 0 of states without init, and later of states
// without next. What is left out is 0. Contents are not changed.
type Step struct {
	Words  map[int]*big.Int
	Arrays map[int]*Content
}

// Values are those of the nodes that a run is asked about, in a step.
type Values struct {
	m  *syntax.Model
	of []value
}

// value is a word or an array, or neither for a node that has no value yet.
type value struct {
	word  *big.Int
	array *array
}

// Word returns the value of a node that is a word; nil for any other, and for one that nothing depends on that is asked about.
func (v Values) Word(node int) *big.Int { return v.of[node].word }

// Element returns that of an array; nil as with Word.
func (v Values) Element(node int, index *big.Int) *big.Int {
	if v.of[node].array == nil {
		return nil
	}
	return v.of[node].array.read(Key(index))
}

// NoRunError says why a run is none of the text that violates the property.
type NoRunError struct{ Reason string }

func (e *NoRunError) Error() string { return e.Reason }

// IsKnown reports whether a bad or a constraint is asked about.
func (v Values) IsKnown(node int) bool {
	args := v.m.Nodes[node].Args
	return len(args) > 0 && args[0] != syntax.NoRef && v.of[args[0].Node()].word != nil
}

// Holds returns the value of the operand of a bad or a constraint that is asked about.
func (v Values) Holds(node int) bool {
	ref := v.m.Nodes[node].Args[0]
	word := v.of[ref.Node()].word
	return word != nil && (word.Sign() != 0) != ref.IsNegated()
}

// Violates tests that a run meets all constraints in each step and violates a bad in the last one. seen, which may be nil, is called
// after each step. The error is a *NoRunError, or as that of Run.
func Violates(ctx context.Context, m *syntax.Model, bad int, steps []Step, seen func(step int, v Values) error) error {
	isBad := false
	err := Run(ctx, m, append(slices.Clone(m.Constraints), bad), steps, func(step int, v Values) error {
		if seen != nil {
			if err := seen(step, v); err != nil {
				return err
			}
		}
		for i, node := range m.Constraints {
			if !v.Holds(node) {
				return &NoRunError{fmt.Sprintf("constraint %d does not hold in step %d", i, step)}
			}
		}
		isBad = v.Holds(bad)
		return nil
	})
	if err == nil && !isBad {
		return &NoRunError{"the property is not violated in the last step"}
	}
	return err
}

// Run evaluates all that some nodes depend on. seen is called after each step. The error is that of ctx or of seen, or says that a
// row has no value. The memory is that of a value for each row, and of what arrays have.
func Run(ctx context.Context, m *syntax.Model, roots []int, steps []Step, seen func(step int, v Values) error) error {
	r := &run{ctx: ctx, m: m, needed: neededBy(m, roots)}
	for t, step := range steps {
		r.begin(t, step)
		if err := r.all(); err != nil {
			return err
		}
		if err := seen(t, Values{m, r.values}); err != nil {
			return err
		}
	}
	return nil
}

// neededBy returns the nodes that some depend on, in all steps.
func neededBy(m *syntax.Model, roots []int) []int {
	seen := make([]bool, len(m.Nodes))
	todo := slices.Clone(roots)
	var needed []int
	for len(todo) > 0 {
		node := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[node] {
			continue
		}
		seen[node] = true
		needed = append(needed, node)
		for _, a := range m.Nodes[node].Args {
			if a != syntax.NoRef {
				todo = append(todo, a.Node())
			}
		}
		for _, rows := range []map[int]int{m.Init, m.Next} {
			if row, ok := rows[node]; ok {
				todo = append(todo, row)
			}
		}
	}
	slices.Sort(needed)
	return needed
}

// run is a run at some step.
type run struct {
	ctx    context.Context
	m      *syntax.Model
	needed []int
	at     int
	step   Step
	values []value       // by node, in this step
	held   map[int]value // of states in the next step
	isOpen []bool        // by node: its operands are being evaluated
	todo   []int
	count  int // of evaluations
}

// begin goes to a step.
func (r *run) begin(t int, step Step) {
	r.at, r.step = t, step
	if r.values == nil {
		r.values, r.isOpen = make([]value, len(r.m.Nodes)), make([]bool, len(r.m.Nodes))
	}
	clear(r.values)
	clear(r.isOpen)
	for state, v := range r.held {
		r.values[state] = v
	}
}

// all evaluates all rows that are needed, and what states have in the next step.
func (r *run) all() error {
	next := map[int]value{}
	for _, node := range r.needed {
		n := &r.m.Nodes[node]
		if n.Op.IsOperator() || n.Op.IsConstant() || n.Op == syntax.Input || n.Op == syntax.State {
			if _, err := r.operand(syntax.Ref(node << 1)); err != nil {
				return err
			}
		}
		for _, a := range n.Args {
			if a == syntax.NoRef {
				return fmt.Errorf("row %d has an operand without a value", n.ID)
			}
		}
		if row, ok := r.m.Next[node]; ok {
			v, err := r.operand(r.m.Nodes[row].Args[1])
			if err != nil {
				return err
			}
			next[node] = v
		}
	}
	r.held = next
	return nil
}

// operand evaluates an operand. Rows are evaluated where they are first used: the init of a state may name later ones.
func (r *run) operand(ref syntax.Ref) (value, error) {
	if ref == syntax.NoRef {
		return value{}, fmt.Errorf("an operand has no value")
	}
	r.todo = append(r.todo[:0], ref.Node())
	for len(r.todo) > 0 {
		node := r.todo[len(r.todo)-1]
		if r.has(node) {
			r.todo = r.todo[:len(r.todo)-1]
			continue
		}
		if r.count++; r.count%1024 == 0 && r.ctx.Err() != nil {
			return value{}, r.ctx.Err()
		}
		n := &r.m.Nodes[node]
		lacks := false
		for _, a := range r.operandsOf(node) {
			if a == syntax.NoRef {
				return value{}, fmt.Errorf("row %d has an operand without a value", n.ID)
			}
			if !r.has(a.Node()) {
				r.todo, lacks = append(r.todo, a.Node()), true
			}
		}
		if lacks {
			if r.isOpen[node] {
				return value{}, fmt.Errorf("row %d depends on its own value", n.ID)
			}
			r.isOpen[node] = true
			continue
		}
		v, err := r.evaluate(node)
		if err != nil {
			return value{}, err
		}
		r.values[node] = v
	}
	return r.valueOf(ref), nil
}

func (r *run) has(node int) bool { return r.values[node].word != nil || r.values[node].array != nil }

// valueOf returns the value of an operand that has one.
func (r *run) valueOf(ref syntax.Ref) value {
	v := r.values[ref.Node()]
	if ref.IsNegated() && v.word != nil {
		v.word = lowest(new(big.Int).Not(v.word), r.m.Nodes[ref.Node()].Sort.Width)
	}
	return v
}

// operandsOf returns what a row has its value from in the step.
func (r *run) operandsOf(node int) []syntax.Ref {
	n := &r.m.Nodes[node]
	if n.Op != syntax.State {
		return n.Args
	}
	if init, ok := r.m.Init[node]; ok && r.at == 0 {
		return r.m.Nodes[init].Args[1:2]
	}
	return nil
}

// evaluate returns the value of a row whose operands have theirs.
func (r *run) evaluate(node int) (value, error) {
	n := &r.m.Nodes[node]
	if !n.Sound {
		return value{}, fmt.Errorf("row %d has an error", n.ID)
	}
	switch {
	case n.Op == syntax.Input || n.Op == syntax.State:
		return r.leaf(node)
	case n.Op == syntax.Zero:
		return value{word: new(big.Int)}, nil
	case n.Op == syntax.One:
		return value{word: one}, nil
	case n.Op == syntax.Ones:
		return value{word: lowest(big.NewInt(-1), n.Sort.Width)}, nil
	case n.Op.IsConstant():
		return value{word: n.Value()}, nil
	}
	args := make([]value, len(n.Args))
	for i, a := range n.Args {
		args[i] = r.valueOf(a)
	}
	if v, ok := r.ofArrays(node, args); ok {
		return v, nil
	}
	var word *big.Int
	ok := false
	switch len(args) {
	case 1:
		word, ok = unary(n, args[0].word, r.m.Nodes[n.Args[0].Node()].Sort.Width)
	case 2:
		word, ok = binary(n.Op, args[0].word, args[1].word, r.m.Nodes[n.Args[1].Node()].Sort.Width)
	case 3:
		word, ok = args[2].word, n.Op == syntax.Ite
		if args[0].word.Sign() != 0 {
			word = args[1].word
		}
	}
	if !ok {
		return value{}, fmt.Errorf("row %d has no value: there is no evaluation of %s", n.ID, n.Op)
	}
	return value{word: lowest(word, n.Sort.Width)}, nil
}

// ofArrays returns the value of an operator that has an array as its operand; ok is false for any other.
func (r *run) ofArrays(node int, args []value) (v value, ok bool) {
	n := &r.m.Nodes[node]
	switch {
	case n.Op == syntax.Read:
		return value{word: args[0].array.read(Key(args[1].word))}, true
	case n.Op == syntax.Write:
		return value{array: args[0].array.write(Key(args[1].word), args[2].word)}, true
	case n.Op == syntax.Ite && n.Sort.IsArray():
		if args[0].word.Sign() != 0 {
			return args[1], true
		}
		return args[2], true
	case (n.Op == syntax.Eq || n.Op == syntax.Neq) && args[0].array != nil:
		equal := args[0].array.equal(args[1].array, r.m.Nodes[n.Args[0].Node()].Sort)
		return value{word: truth(equal == (n.Op == syntax.Eq))}, true
	case n.Sort.IsArray(): // another name of the operand
		return args[0], true
	}
	return v, false
}

// leaf returns the value of an input or of a state that the step before does not decide.
func (r *run) leaf(node int) (value, error) {
	n := &r.m.Nodes[node]
	if from := r.operandsOf(node); len(from) > 0 {
		v := r.valueOf(from[0])
		if n.Sort.IsArray() && v.array == nil { // the word is that of each element
			v = value{array: &array{content: &Content{Rest: v.word}}}
		}
		return v, nil
	}
	if _, hasNext := r.m.Next[node]; n.Op == syntax.State && hasNext && r.at > 0 {
		return value{}, fmt.Errorf("row %d has no value in step %d", n.ID, r.at)
	}
	if n.Sort.IsArray() {
		content := r.step.Arrays[node]
		if content == nil {
			content = &Content{}
		}
		return value{array: &array{content: content}}, nil
	}
	word := r.step.Words[node]
	switch {
	case word == nil:
		word = new(big.Int)
	case word.Sign() < 0 || word.BitLen() > n.Sort.Width:
		return value{}, fmt.Errorf("row %d has a value that is too wide", n.ID)
	}
	return value{word: word}, nil
}
