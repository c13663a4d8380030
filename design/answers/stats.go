package answers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/measure"
	"aiglens/design"
	"aiglens/design/words"
)

// Stats are how large the circuit of a text is and how it is made.
type Stats struct {
	*measure.Stats
	d     *design.Design
	words []wordsData
	sizes []design.Size // of clauses, in the place of a circuit
}

// StatsOf measures the circuit of a text. Errors of the text stand as inputs in the circuit. The
// error is that of ctx.
func StatsOf(ctx context.Context, d *design.Design) (Stats, error) {
	if err := d.Elaborate(ctx); err != nil {
		return Stats{}, err
	}
	if design.HasClauses(d) {
		if len(design.SizesOf(d)) == 0 {
			return Stats{}, errors.New(d.WithoutProperties())
		}
		return Stats{Stats: &measure.Stats{}, d: d, sizes: design.SizesOf(d)}, nil
	}
	s, err := measures.Of(ctx, d)
	if err != nil {
		return Stats{}, err
	}
	found, err := words.Of(ctx, d)
	if err != nil {
		return Stats{}, err
	}
	count := map[int]int{}
	for _, w := range found.All() {
		count[len(w.Bits)]++
	}
	widths := []wordsData{}
	for _, bits := range slices.Sorted(maps.Keys(count)) {
		widths = append(widths, wordsData{bits, count[bits]})
	}
	return Stats{Stats: s, d: d, words: widths}, nil
}

var measures = design.NewDerived(func(ctx context.Context, d *design.Design) (*measure.Stats, error) {
	isOfAbstraction := circuit.IsAbstraction(d.Circuit())
	return measure.Of(ctx, d.Circuit(), d.PropertyIDs(), func(l circuit.Lit) bool { return isOfAbstraction && design.IsAuxiliary(d, l) })
})

// Signal returns what the text calls a signal, or "".
func (s Stats) Signal(v circuit.Var) string {
	name, _ := s.d.Names().Signal(v)
	return name
}

// Rows is the number of ANDs that the file has; less than 0 where it has none.
func (s Stats) Rows() int { return s.d.Names().NumGateRows() }

// Text says the measures, a line each, indented. more follows the number of cones that are not
// listed.
func (s Stats) Text(more string) string {
	if design.HasClauses(s.d) {
		text := ""
		for _, size := range s.sizes {
			text += fmt.Sprintf("  %-12s %d%s\n", size.Name, size.N, size.Note)
		}
		return text
	}
	return s.Stats.Text(measure.Names{Signal: s.Signal, Property: s.d.PropertyName, Rows: s.Rows(), Words: s.wordsText()}, more)
}

// maxWidths bounds the widths of words that a text lists.
const maxWidths = 6

// wordsText says how many words there are, and how wide they are; "" for none.
func (s Stats) wordsText() string {
	n, parts := 0, []string{}
	for i, w := range s.words {
		if n += w.Words; i < maxWidths {
			parts = append(parts, fmt.Sprintf("%d of %s", w.Words, Count(w.Bits, "bit", "bits")))
		}
	}
	if n == 0 {
		return ""
	}
	if more := len(s.words) - maxWidths; more > 0 {
		parts = append(parts, fmt.Sprintf("others of up to %s", Count(s.words[len(s.words)-1].Bits, "bit", "bits")))
	}
	return fmt.Sprintf("%d (%s)", n, strings.Join(parts, ", "))
}

// Title names the file, and says how many errors its text has.
func (s Stats) Title() string {
	subject, left := "circuit", "What is left open there is an input here."
	if design.HasClauses(s.d) {
		subject, left = "clauses", "Commands with errors are left out."
	}
	title := fmt.Sprintf("The %s of %s\n", subject, design.FileName(s.d.URI))
	if n := CountErrors(s.d); n > 0 {
		title += "\nThe text has " + Count(n, "error", "errors") + ". " + left + "\n"
	}
	if large := design.TooLarge(s.d); large != nil {
		line, _ := s.d.Text.LineColumn(large.Span.Start)
		title += fmt.Sprintf("\nLine %d: %s. %s.\n", line, large.Message, LeftOut)
	}
	return title
}

// LeftOut says of a circuit that something is too large for it.
const LeftOut = "What is too large is not counted as a whole"

// statsOf says how large a circuit is and how it is made.
func statsOf(ctx context.Context, a Asked) (Answer, error) {
	s, err := StatsOf(ctx, a.Design)
	if err != nil {
		return Answer{}, err
	}
	if design.HasClauses(a.Design) {
		sizes := map[string]int{}
		for _, size := range s.sizes {
			sizes[size.Name] = size.N
		}
		return Answer{Text: s.Text(a.More), Data: sizes}, nil
	}
	return Answer{Text: s.Text(a.More), Data: s.data()}, nil
}

// StatsData are measures for programs.
type StatsData struct {
	Inputs      int            `json:"inputs"`
	Latches     int            `json:"latches"`
	Outputs     int            `json:"outputs"`
	Bads        int            `json:"bads"`
	Constraints int            `json:"constraints"`
	Justice     int            `json:"justice"`
	Fairness    int            `json:"fairness"`
	Rows        *int           `json:"rows,omitempty"` // ANDs that an AIGER file has
	Gates       int            `json:"gates"`          // those with the same operands are one
	Unused      int            `json:"unused"`         // gates that nothing depends on
	Levels      int            `json:"levels"`
	FanOut      fanOutData     `json:"fanOut"`
	Components  componentsData `json:"components"`
	Resets      resetsData     `json:"resets"`
	Xors        shapeData      `json:"xors"`
	Muxes       shapeData      `json:"muxes"`
	Cones       []coneData     `json:"cones"`
	Words       []wordsData    `json:"words"`
}

// wordsData counts the words of a width.
type wordsData struct {
	Bits  int `json:"bits"`
	Words int `json:"words"`
}

type fanOutData struct {
	Max    int     `json:"max"`
	Signal string  `json:"signal"` // the first with max
	Mean   float64 `json:"mean"`
}

// componentsData are the strongly connected components of the latches.
type componentsData struct {
	Count   int `json:"count"`
	Cycles  int `json:"circles"` // the name of earlier releases; those in which latches depend on themselves
	Largest int `json:"largest"`
}

type resetsData struct {
	Zero     int `json:"zero"`
	One      int `json:"one"`
	Free     int `json:"free"`
	Function int `json:"function"`
}

// shapeData counts exclusive ors or multiplexers, and the gates that belong to one.
type shapeData struct {
	Count int     `json:"count"`
	Gates int     `json:"gates"`
	Share float64 `json:"share"` // of the gates that are used
}

type coneData struct {
	Property PropertyData `json:"property"`
	Inputs   int          `json:"inputs"`
	Latches  int          `json:"latches"`
	Gates    int          `json:"gates"`
}

// PropertyData is a property for programs.
type PropertyData struct {
	Kind  string `json:"kind"`
	Index int    `json:"index"`
	Name  string `json:"name"`
	// Statement is the word of the language that makes it a property.
	Statement string `json:"statement,omitempty"`
	Line      int    `json:"line,omitempty"`   // of its row, from 1
	Column    int    `json:"column,omitempty"` // in bytes, from 1
}

// PropertyDataOf returns a property for programs.
func PropertyDataOf(d *design.Design, p circuit.Property) PropertyData {
	data := PropertyData{Kind: p.Kind.String(), Index: p.Index, Name: d.PropertyName(p)}
	found, _ := d.Property(p)
	if data.Statement = found.Statement; found.Row.Length > 0 {
		data.Line, data.Column = d.Text.LineColumn(found.Row.Start)
	}
	return data
}

// data returns the measures for programs.
func (s Stats) data() StatsData {
	xors, muxes := s.Shares()
	out := StatsData{
		Inputs: s.Inputs, Latches: s.Latches, Outputs: s.Outputs, Bads: s.Bads,
		Constraints: s.Constraints, Justice: s.Justice, Fairness: s.Fairness,
		Gates: s.Gates, Unused: s.Unused, Levels: s.Levels,
		FanOut:     fanOutData{s.FanOut.Max, s.Signal(s.FanOut.Of), s.FanOut.Mean},
		Components: componentsData(s.Components),
		Resets:     resetsData(s.Resets),
		Xors:       shapeData{s.Shapes.Xors, s.Shapes.XorGates, xors},
		Muxes:      shapeData{s.Shapes.Muxes, s.Shapes.MuxGates, muxes},
		Cones:      []coneData{},
		Words:      s.words,
	}
	if rows := s.Rows(); rows >= 0 {
		out.Rows = &rows
	}
	for _, k := range s.Cones {
		out.Cones = append(out.Cones, coneData{PropertyDataOf(s.d, k.Property), k.Inputs, k.Latches, k.Gates})
	}
	return out
}
