package bliftest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Dialect says which programs are to understand a random text.
type Dialect int

// The dialects.
const (
	ForAll Dialect = iota
	ForABC
	ForYosys
	ForCells // of a genlib library, without covers
)

// generator writes random BLIF: some models, the first one the top, with
// covers, constants, latches on one clock, and instances of the models after it.
type generator struct {
	random  *rand.Rand
	dialect Dialect
	free    bool   // latches may start with either value
	clock   string // type and control of the latches, or ""
	taken   map[string]bool
	models  []*generatedModel
}

type generatedModel struct {
	name            string
	inputs, outputs []string
	body            []string // statements with their rows, in any order
	nets            []string // what can be read
	rank            int      // models instantiate those of higher rank
}

// Random returns the text of a seed. With free some latches start with either value.
func Random(seed uint64, d Dialect, free bool) string {
	g := generator{random: rand.New(rand.NewPCG(seed, uint64(d))), dialect: d, free: free}
	g.clock = []string{"", "re clk", "fe clk"}[g.random.IntN(3)]
	n := 1 + g.random.IntN(3)
	if free {
		n = 1 // latches are matched by name, and those of instances have none
	}
	for rank := n - 1; rank >= 0; rank-- {
		g.model(rank)
	}
	slices.Reverse(g.models)
	if n > 2 && g.random.IntN(2) == 0 { // the order of the others does not matter
		g.models[1], g.models[2] = g.models[2], g.models[1]
	}
	var b strings.Builder
	for _, m := range g.models {
		b.WriteString(g.render(m))
	}
	text := b.String()
	if g.random.IntN(5) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// oddNames are forms of names that tools write; %d makes them different.
var oddNames = []string{
	"n%d", "n%d", "a[%d]", "bus<%d>", "top.u%d", "m|s_%d", "x^y~%d", "[%d]", "%d", "v:%d", "(n%d)", "q%d'", "%d+", "\"s%d\"", "re%d", "é%d",
}

// name returns a new name in the current model.
func (g *generator) name() string {
	for {
		name := fmt.Sprintf(oddNames[g.random.IntN(len(oddNames))], g.random.IntN(100))
		if !g.taken[name] {
			g.taken[name] = true
			return name
		}
	}
}

func (g *generator) net(m *generatedModel) string { return m.nets[g.random.IntN(len(m.nets))] }

// one reports true once in n times.
func (g *generator) one(n int) bool { return g.random.IntN(n) == 0 }

func (g *generator) model(rank int) {
	m := &generatedModel{name: fmt.Sprintf("m%d", rank), rank: rank}
	g.taken = map[string]bool{"clk": true}
	for range 1 + g.random.IntN(5) {
		m.inputs = append(m.inputs, g.name())
	}
	m.nets = slices.Clone(m.inputs)
	var latches []string
	for range g.random.IntN(5) {
		latches = append(latches, g.name())
	}
	m.nets = append(m.nets, latches...)
	for range 2 + g.random.IntN(14) {
		g.statement(m)
	}
	for _, q := range latches {
		g.latch(m, q)
	}
	inner := slices.DeleteFunc(slices.Clone(m.nets), func(n string) bool { return slices.Contains(m.inputs, n) })
	g.random.Shuffle(len(inner), func(i, j int) { inner[i], inner[j] = inner[j], inner[i] })
	m.outputs = inner[:1+g.random.IntN(min(6, len(inner)))]
	if g.clock != "" {
		m.inputs = append(m.inputs, "clk")
	}
	g.models = append(g.models, m)
}

// statement adds something that drives new nets.
func (g *generator) statement(m *generatedModel) {
	var below []*generatedModel
	for _, other := range g.models {
		if other.rank > m.rank {
			below = append(below, other)
		}
	}
	switch {
	case len(below) > 0 && g.one(4):
		g.instance(m, below[g.random.IntN(len(below))])
	case g.dialect == ForCells:
		g.gate(m)
	case g.dialect == ForABC && g.one(8):
		g.define(m, ".short "+g.net(m)+" ", "\n")
	case g.dialect == ForYosys && g.one(6):
		g.define(m, ".conn "+g.net(m)+" ", "\n")
	case g.dialect == ForYosys && g.free && g.clock != "" && g.one(5):
		g.flipFlop(m)
	case g.dialect == ForYosys && g.one(3):
		g.yosysCell(m)
	case g.one(10):
		value := g.random.IntN(3)
		g.define(m, ".names ", "\n"+[]string{"", "0\n", "1\n"}[value])
	default:
		g.cover(m)
	}
}

// define adds a statement that drives one new net.
func (g *generator) define(m *generatedModel, before, after string) {
	name := g.name()
	m.body = append(m.body, before+name+after)
	m.nets = append(m.nets, name)
}

func (g *generator) cover(m *generatedModel) {
	n := 1 + g.random.IntN(6)
	var operands []string
	for range n {
		op := g.net(m)
		if g.dialect != ForABC && slices.Contains(operands, op) && !g.one(10) {
			op = g.net(m)
		}
		operands = append(operands, op)
	}
	cubes := g.cubes(n)
	for g.dialect != ForYosys && len(cubes) > 1 && isTautology(cubes) {
		cubes = g.cubes(n) // ABC stops at one of several rows
	}
	output := g.pick("0", "1")
	var rows strings.Builder
	for _, cube := range cubes {
		rows.WriteString(cube + g.pick(" ", " ", "\t", "  ") + output + "\n")
		if g.one(12) {
			rows.WriteString("# a comment between rows\n")
		}
	}
	g.define(m, g.joined(".names", operands)+" ", "\n"+rows.String())
}

// cubes returns cubes over n inputs, at least one: a function without rows is
// open to Yosys and an error to ABC.
func (g *generator) cubes(n int) []string {
	var cubes []string
	for range 1 + g.random.IntN(6) {
		cube := make([]byte, n)
		for i := range cube {
			cube[i] = "01-"[g.random.IntN(3)]
		}
		cubes = append(cubes, string(cube))
	}
	return cubes
}

// isTautology reports whether cubes hold all values of their inputs.
func isTautology(cubes []string) bool {
	n := len(cubes[0])
	for v := range 1 << n {
		if !slices.ContainsFunc(cubes, func(cube string) bool {
			for i := range n {
				if cube[i] != '-' && int(cube[i]-'0') != v>>i&1 {
					return false
				}
			}
			return true
		}) {
			return false
		}
	}
	return true
}

// gate adds a cell of mini.genlib.
func (g *generator) gate(m *generatedModel) {
	cells := [][]string{{"inv1", "a"}, {"buf1", "a"}, {"nand2", "a", "b"}, {"nor2", "a", "b"}, {"and2", "a", "b"}, {"aoi21", "a", "b", "c"}, {"xor2", "a", "b"}, {"zero"}, {"one"}}
	cell := cells[g.random.IntN(len(cells))]
	text := ".gate " + cell[0]
	for _, pin := range cell[1:] {
		text += " " + pin + "=" + g.net(m)
	}
	g.define(m, text+" O=", "\n")
}

// yosysCell adds a gate or flip-flop of the library of Yosys, by its name.
func (g *generator) yosysCell(m *generatedModel) {
	pins := map[string]string{
		"BUF": "A", "NOT": "A", "AND": "AB", "NAND": "AB", "OR": "AB", "NOR": "AB", "XOR": "AB", "XNOR": "AB", "ANDNOT": "AB", "ORNOT": "AB",
		"MUX": "ABS", "AOI3": "ABC", "OAI3": "ABC", "AOI4": "ABCD", "OAI4": "ABCD",
	}
	names := []string{
		"BUF", "NOT", "AND", "NAND", "OR", "NOR", "XOR", "XNOR", "ANDNOT", "ORNOT", "MUX", "AOI3", "OAI3", "AOI4", "OAI4",
	}
	cell := names[g.random.IntN(len(names))]
	text := g.pick(".subckt ", ".gate ") + "$_" + cell + "_"
	for _, pin := range pins[cell] {
		text += fmt.Sprintf(" %c=%s", pin, g.net(m))
	}
	after := "\n"
	if g.one(4) {
		after += fmt.Sprintf(".cname cell%d\n.attr src \"x.v:1 # 2\"\n", len(m.body))
	}
	g.define(m, text+" Y=", after)
}

// flipFlop adds one of the flip-flops of Yosys, which start with either value.
func (g *generator) flipFlop(m *generatedModel) {
	edge := map[string]string{"re clk": "P", "fe clk": "N"}[g.clock]
	reset, enable := g.pick("P", "N")+g.pick("0", "1"), g.pick("P", "N")
	text := ".subckt " + g.pick("$_DFF_"+edge+"_", "$_DFFE_"+edge+enable+"_", "$_SDFF_"+edge+reset+"_",
		"$_SDFFE_"+edge+reset+enable+"_", "$_SDFFCE_"+edge+reset+enable+"_") + " C=clk D=" + g.net(m)
	if strings.Contains(text, "SDFF") {
		text += " R=" + g.net(m)
	}
	if strings.Contains(text, "FFE") || strings.Contains(text, "FFCE") {
		text += " E=" + g.net(m)
	}
	g.define(m, text+" Q=", "\n")
}

func (g *generator) pick(words ...string) string { return words[g.random.IntN(len(words))] }

func (g *generator) latch(m *generatedModel, q string) {
	words := []string{g.net(m), q}
	if kind := strings.Fields(g.clock); len(kind) > 0 && !g.one(5) {
		words = append(words, kind...)
	}
	switch {
	case g.free && len(words) == 2 && g.one(4): // no initial value
	case g.free:
		words = append(words, g.pick("0", "1", "2", "3"))
	default:
		words = append(words, g.pick("0", "1"))
	}
	m.body = append(m.body, ".latch "+strings.Join(words, " ")+"\n")
}

func (g *generator) instance(m, of *generatedModel) {
	var pins, driven []string
	for _, in := range of.inputs {
		net := "clk"
		if in != "clk" {
			net = g.net(m)
		}
		pins = append(pins, in+"="+net)
	}
	for i, out := range of.outputs {
		if i > 0 && g.one(6) {
			continue // open
		}
		driven = append(driven, g.name())
		pins = append(pins, out+"="+driven[len(driven)-1])
	}
	g.random.Shuffle(len(pins), func(i, j int) { pins[i], pins[j] = pins[j], pins[i] })
	m.body = append(m.body, g.joined(".subckt "+of.name, pins)+"\n")
	m.nets = append(m.nets, driven...)
}

// joined writes a directive with its words, now and then on several lines.
func (g *generator) joined(directive string, words []string) string {
	var b strings.Builder
	b.WriteString(directive)
	for _, w := range words {
		if g.one(8) {
			b.WriteString(" \\\n")
		}
		b.WriteString(g.pick(" ", " ", "  ", "\t"))
		b.WriteString(w)
	}
	return b.String()
}

// render writes a model with its statements in any order.
func (g *generator) render(m *generatedModel) string {
	var b strings.Builder
	lists := []string{g.joined(".inputs", m.inputs) + "\n", g.joined(".outputs", m.outputs) + "\n"}
	if n := len(m.inputs); n > 2 && g.one(3) {
		lists[0] = ".inputs " + strings.Join(m.inputs[:n/2], " ") + "\n" + g.joined(".inputs", m.inputs[n/2:]) + "\n"
	}
	if g.one(3) {
		b.WriteString("# a comment\n\n")
	}
	fmt.Fprintf(&b, ".model %s\n%s%s", m.name, lists[0], lists[1])
	g.random.Shuffle(len(m.body), func(i, j int) { m.body[i], m.body[j] = m.body[j], m.body[i] })
	for _, s := range m.body {
		if g.dialect == ForABC && g.one(6) {
			line, rest, _ := strings.Cut(s, "\n")
			if !strings.HasSuffix(line, "\\") {
				s = line + g.pick(" # trailing", "\t#x", " ") + "\n" + rest
			}
			if g.one(2) {
				s = "  " + s
			}
		}
		b.WriteString(s)
		line, _, _ := strings.Cut(s, "\n")
		isConstant := strings.HasPrefix(line, ".names") && len(strings.Fields(line)) == 2
		if g.one(10) && !(isConstant && g.dialect != ForABC) { // no comment after a constant for Yosys
			b.WriteString(g.pick("\n", "# between\n", "#\n", " \t\n"))
		}
	}
	b.WriteString(".end\n")
	return b.String()
}
