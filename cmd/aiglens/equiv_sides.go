package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/blif"
	"aiglens/btor2"
	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/btor2design"
)

// sideOf returns a circuit as package compare takes it, with the names that convert would
// give to its elements: those of BTOR2 only where the other file is one. The error is that of ctx.
func sideOf(ctx context.Context, d *design.Design, withRows bool) (compare.Side, error) {
	c, names := d.Circuit(), writtenNames(d)
	s := compare.Side{Circuit: c, Names: d.Names().Elements()}
	asBLIF := blif.Respelled(c, names)
	for _, names := range []blif.Names{distinctNames(c, names), asBLIF, distinctNames(c, asBLIF)} {
		s.Respelled = append(s.Respelled, namesForCompare(names))
	}
	if withRows && d.Kind != btor2design.Format {
		names, err := namesFor(ctx, d, formatBTOR2)
		if err != nil {
			return s, err
		}
		r := btor2.Respelled(c, rowNames(names))
		s.Respelled = append(s.Respelled, compare.Names{
			Inputs: r.Inputs, Latches: r.Latches, Outputs: r.Outputs, Bads: r.Bads, Justice: r.Justice, Fairness: r.Fairness, Hidden: r.Hidden,
		})
	}
	if names, any := namesFromYosys(s.Names); any {
		s.Respelled = append(s.Respelled, names)
	}
	return s, nil
}

// namesFromYosys returns names without the backslash that Yosys writes in front of those that
// begin with a digit, a dollar sign or a backslash, and whether there is any.
func namesFromYosys(n compare.Names) (names compare.Names, any bool) {
	list := func(own []string) []string {
		bare := slices.Clone(own)
		for i, name := range own {
			if rest, ok := strings.CutPrefix(name, `\`); ok && rest != "" && strings.IndexByte(`$\0123456789`, rest[0]) >= 0 {
				bare[i], any = rest, true
			}
		}
		return bare
	}
	n.Inputs, n.Latches, n.Outputs = list(n.Inputs), list(n.Latches), list(n.Outputs)
	n.Bads, n.Justice, n.Fairness = list(n.Bads), list(n.Justice), list(n.Fairness)
	return n, any
}

func namesForCompare(n blif.Names) compare.Names {
	return compare.Names{Inputs: n.Inputs, Latches: n.Latches, Outputs: n.Outputs, Bads: n.Bads, Justice: n.Justice,
		Fairness: n.Fairness, Asserts: n.Asserts, Hidden: n.Hidden}
}

// distinctNames returns the names that the elements of a circuit have once it has been
// written as AIGER.
func distinctNames(c *circuit.Circuit, names blif.Names) blif.Names {
	m := aiger.FromCircuit(c)
	shown := make([]int, 0, len(m.Outputs)) // positions of the outputs that are written
	for i := range c.Outputs() {
		if i >= len(names.Hidden) || !names.Hidden[i] {
			shown = append(shown, i)
		}
	}
	written := names
	hide(m, &written)
	lists := []struct {
		kind syntax.SectionKind
		list *[]string
	}{
		{syntax.SectionInputs, &written.Inputs}, {syntax.SectionLatches, &written.Latches}, {syntax.SectionOutputs, &written.Outputs},
		{syntax.SectionBads, &written.Bads}, {syntax.SectionConstraints, &written.Constraints},
		{syntax.SectionJustice, &written.Justice}, {syntax.SectionFairness, &written.Fairness},
	}
	at := map[syntax.SectionKind][]string{}
	for _, l := range lists {
		*l.list = append([]string(nil), *l.list...)
		at[l.kind] = *l.list
		for i, name := range *l.list {
			if name != "" {
				m.Symbols = append(m.Symbols, syntax.SymbolEntry{Kind: l.kind, Index: i, Name: name})
			}
		}
	}
	m, _ = m.WithDistinctNames()
	for _, s := range m.Symbols {
		at[s.Kind][s.Index] = s.Name
	}
	outputs := make([]string, len(c.Outputs()))
	for i, name := range written.Outputs {
		outputs[shown[i]] = name
	}
	written.Outputs, written.Hidden = outputs, names.Hidden
	return written
}

// readMap reads the pairs of names of --map: two on a line, those with white space as
// strings of Go. "#" begins a comment.
func readMap(ctx context.Context, e env, name string, options *readFlags) (pairs [][2]string, err error) {
	data, err := options.content(ctx, e, name)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for number := 1; lines.Scan(); number++ {
		words, err := wordsOf(lines.Text())
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		case len(words) == 0:
		case len(words) != 2:
			return nil, fmt.Errorf("%s:%d: expected a name of the first circuit and one of the second, not %s", name, number, answers.Count(len(words), "word", "words"))
		default:
			pairs = append(pairs, [2]string{words[0], words[1]})
		}
	}
	return pairs, lines.Err()
}

// wordsOf returns the words of a line of a map.
func wordsOf(line string) (words []string, err error) {
	for {
		line = strings.TrimLeft(line, " \t\r")
		if line == "" || line[0] == '#' {
			return words, nil
		}
		word := line
		if line[0] == '"' {
			if word, err = strconv.QuotedPrefix(line); err != nil {
				return nil, fmt.Errorf("the string has no end")
			}
			line = line[len(word):]
			if word, err = strconv.Unquote(word); err != nil {
				return nil, err
			}
		} else {
			if end := strings.IndexAny(line, " \t\r"); end >= 0 {
				word = line[:end]
			}
			line = line[len(word):]
		}
		words = append(words, word)
	}
}
