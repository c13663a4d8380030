package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// The referee reads AIGER and simulates witnesses with no code of the program, after
// the text of the AIGER 1.9 note alone. An x is given 64 values at once: 0 in the
// first run, 1 in the second and any in the others. In all of them the property has
// to fail.

// refereeModel is an AIGER file as numbers.
type refereeModel struct {
	variables                                int
	inputs, outputs, bads, constraints, ands []uint64 // ands: three numbers each
	latches                                  [][3]uint64
	justice                                  [][]uint64
	fairness                                 []uint64
}

func readReferee(data []byte) (*refereeModel, error) {
	line, rest, _ := bytes.Cut(data, []byte("\n"))
	words := strings.Fields(string(line))
	if len(words) < 6 {
		return nil, errors.New("short header")
	}
	var n [9]uint64
	for i, word := range words[1:] {
		v, err := strconv.ParseUint(word, 10, 32)
		if err != nil {
			return nil, err
		}
		n[i] = v
	}
	m := &refereeModel{variables: int(n[0])}
	p := &refereeParser{rest: rest}
	isBinary := words[0] == "aig"
	for i := range n[1] {
		if isBinary {
			m.inputs = append(m.inputs, 2*(i+1))
		} else {
			m.inputs = append(m.inputs, p.row()[0])
		}
	}
	for i := range n[2] {
		var row []uint64
		if isBinary {
			row = append([]uint64{2 * (n[1] + i + 1)}, p.row()...)
		} else {
			row = p.row()
		}
		l := [3]uint64{row[0], row[1], 0}
		if len(row) > 2 {
			l[2] = row[2]
		}
		m.latches = append(m.latches, l)
	}
	for _, section := range []struct {
		rows *[]uint64
		size uint64
	}{{&m.outputs, n[3]}, {&m.bads, n[5]}, {&m.constraints, n[6]}} {
		for range section.size {
			*section.rows = append(*section.rows, p.row()[0])
		}
	}
	sizes := make([]uint64, n[7])
	for i := range sizes {
		sizes[i] = p.row()[0]
	}
	for _, size := range sizes {
		var lits []uint64
		for range size {
			lits = append(lits, p.row()[0])
		}
		m.justice = append(m.justice, lits)
	}
	for range n[8] {
		m.fairness = append(m.fairness, p.row()[0])
	}
	for i := range n[4] {
		if !isBinary {
			m.ands = append(m.ands, p.row()...)
			continue
		}
		lhs := 2 * (n[1] + n[2] + i + 1)
		left := lhs - p.delta()
		m.ands = append(m.ands, lhs, left, left-p.delta())
	}
	return m, p.err
}

// refereeParser takes rows of numbers, and the deltas of binary gates, from rest.
type refereeParser struct {
	rest []byte
	err  error
}

func (p *refereeParser) row() []uint64 {
	line, rest, found := bytes.Cut(p.rest, []byte("\n"))
	if !found && p.err == nil {
		p.err = errors.New("the file ends early")
	}
	p.rest = rest
	var numbers []uint64
	for _, word := range strings.Fields(string(line)) {
		v, err := strconv.ParseUint(word, 10, 32)
		if err != nil && p.err == nil {
			p.err = err
		}
		numbers = append(numbers, v)
	}
	for len(numbers) < 2 {
		numbers = append(numbers, 0)
	}
	return numbers
}

func (p *refereeParser) delta() (v uint64) {
	for shift := 0; len(p.rest) > 0; shift += 7 {
		b := p.rest[0]
		p.rest = p.rest[1:]
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	p.err = errors.New("the gates end early")
	return 0
}

// accept says why a witness does not show that bad (or output, where there is no bad)
// 0 fails.
func (m *refereeModel) accept(witness string) error {
	lines := strings.Split(witness, "\n")
	if len(lines) < 5 || lines[0] != "1" || lines[1] != "b0" {
		return errors.New("no witness of b0")
	}
	bad := m.outputs
	if len(m.bads) > 0 {
		bad = m.bads
	}
	r := rand.New(rand.NewPCG(7, 8))
	values := make([]uint64, m.variables+1)
	get := func(l uint64) uint64 { return values[l/2] ^ -(l & 1) }
	if len(lines[2]) != len(m.latches) {
		return fmt.Errorf("%d values for %d latches", len(lines[2]), len(m.latches))
	}
	for i, l := range m.latches {
		word, err := refereeWord(r, lines[2][i])
		if err != nil {
			return err
		}
		if fixed := l[2] < 2; fixed && lines[2][i] != 'x' && word != -l[2] {
			return fmt.Errorf("latch %d starts against its reset", i)
		} else if fixed {
			word = -l[2]
		}
		values[l[0]/2] = word
	}
	isFirst := true
	failed := uint64(0)
	for step, row := range lines[3:] {
		if row == "." {
			break
		}
		if len(row) != len(m.inputs) {
			return fmt.Errorf("%d values for %d inputs in step %d", len(row), len(m.inputs), step)
		}
		for i, in := range m.inputs {
			word, err := refereeWord(r, row[i])
			if err != nil {
				return err
			}
			values[in/2] = word
		}
		m.evalGates(values)
		for i, l := range m.latches {
			if isFunction := l[2] > 1 && l[2] != l[0]; isFirst && isFunction && get(l[0]) != get(l[2]) {
				return fmt.Errorf("latch %d does not start as its reset", i)
			}
		}
		isFirst = false
		for i, c := range m.constraints {
			if get(c)|failed != ^uint64(0) {
				return fmt.Errorf("constraint %d fails in step %d", i, step)
			}
		}
		failed |= get(bad[0])
		next := make([]uint64, len(m.latches))
		for i, l := range m.latches {
			next[i] = get(l[1])
		}
		for i, l := range m.latches {
			values[l[0]/2] = next[i]
		}
	}
	if failed != ^uint64(0) {
		return fmt.Errorf("the property holds in the runs %b", ^failed)
	}
	return nil
}

// evalGates computes the gates, which stand in order in every file here.
func (m *refereeModel) evalGates(values []uint64) {
	get := func(l uint64) uint64 { return values[l/2] ^ -(l & 1) }
	for i := 0; i < len(m.ands); i += 3 {
		values[m.ands[i]/2] = get(m.ands[i+1]) & get(m.ands[i+2])
	}
}

// acceptLasso says why a witness does not show that justice 0 is violated. An x is 0, as
// aigsim takes it. The loop is not marked: the state after the last step is that of an
// earlier one, and from there on each literal is 1 in some step.
func (m *refereeModel) acceptLasso(witness string) error {
	lines := strings.Split(witness, "\n")
	if len(lines) < 5 || lines[0] != "1" || lines[1] != "j0" {
		return errors.New("no witness of j0")
	}
	values := make([]uint64, m.variables+1)
	get := func(l uint64) uint64 { return values[l/2] ^ -(l & 1) }
	state := func() string {
		var b strings.Builder
		for _, l := range m.latches {
			fmt.Fprint(&b, get(l[0])&1)
		}
		return b.String()
	}
	if len(lines[2]) != len(m.latches) {
		return fmt.Errorf("%d values for %d latches", len(lines[2]), len(m.latches))
	}
	for i, l := range m.latches {
		values[l[0]/2] = -uint64(lines[2][i] & 1) // of x, too
	}
	goals := slices.Concat(m.justice[0], m.fairness)
	last := make([]int, len(goals))
	for i := range last {
		last[i] = -1
	}
	var states []string
	for step, row := range lines[3:] {
		if row == "." {
			break
		}
		if len(row) != len(m.inputs) {
			return fmt.Errorf("%d values for %d inputs in step %d", len(row), len(m.inputs), step)
		}
		for i, in := range m.inputs {
			values[in/2] = -uint64(row[i] & 1)
		}
		m.evalGates(values)
		for i, l := range m.latches {
			if l[2] != l[0] && step == 0 && (get(l[0])^get(l[2]))&1 != 0 {
				return fmt.Errorf("latch %d does not start as its reset", i)
			}
		}
		for i, c := range m.constraints {
			if get(c)&1 != 1 {
				return fmt.Errorf("constraint %d fails in step %d", i, step)
			}
		}
		for i, l := range goals {
			if get(l)&1 == 1 {
				last[i] = step
			}
		}
		states = append(states, state())
		next := make([]uint64, len(m.latches))
		for i, l := range m.latches {
			next[i] = get(l[1])
		}
		for i, l := range m.latches {
			values[l[0]/2] = next[i]
		}
	}
	loop := slices.Index(states, state())
	if loop < 0 {
		return errors.New("there is no loop")
	}
	for i, step := range last {
		if step < loop {
			return fmt.Errorf("literal %d of the property and the fairness is not 1 in the loop from step %d", i, loop)
		}
	}
	return nil
}

func refereeWord(r *rand.Rand, c byte) (uint64, error) {
	switch c {
	case '0':
		return 0, nil
	case '1':
		return ^uint64(0), nil
	case 'x':
		return r.Uint64()<<2 | 2, nil
	}
	return 0, fmt.Errorf("value %c", c)
}
