// Package wave writes the values of signals and words over the steps of a run: VCD for
// wave viewers, JSON for programs, WaveDrom for documents, Markdown for messages. It
// knows no circuits and no files of circuits, and not which signals make a word.
package wave

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"aiglens/internal/findings"
)

// jsonVersion is that of the form of JSON: 2 has words, and scopes where names have points.
const jsonVersion = 2

// Group says what a signal is.
type Group string

// The groups, in the order in which people look at them.
const (
	Input      Group = "input"
	Latch      Group = "latch"
	Gate       Group = "gate"
	Constraint Group = "constraint"
	Property   Group = "property"
)

// Signal is a named bit over the steps.
type Signal struct {
	Path   []string // the scopes around it, outermost first
	Name   string
	Group  Group
	Values string // '0', '1' or 'x', one byte a step
	Word   *Word  // that shows it; nil for none
	Bit    int    // its index there
}

// Wave is the signals of one run. A word stands where the first of its signals does, and
// shows them all; JSON has both.
type Wave struct {
	Title   string
	Steps   int
	Loop    Loop // what repeats for ever; the zero value for a run that ends
	Signals []Signal
}

// Loop is what a run repeats for ever: the steps of a Wave end with some rounds of it.
type Loop struct {
	Length int // steps of a round
	Rounds int // that are shown, from 1
}

// Rounds returns the number of rounds that people want to see of a loop in a format, unless
// they say so. The second one shows how the loop goes back to its beginning.
func Rounds(f Format) int {
	if f == Markdown {
		return 1
	}
	return 2
}

// loopStart returns the first step of the loop; ok is false where there is none.
func (w Wave) loopStart() (first int, ok bool) {
	return w.Steps - w.Loop.Length*w.Loop.Rounds, w.Loop.Length > 0
}

// loopWords say what repeats, and how often that is shown; "" for a run that ends.
func (w Wave) loopWords() string {
	first, ok := w.loopStart()
	if !ok {
		return ""
	}
	words := fmt.Sprintf("steps %d to %d repeat for ever", first, first+w.Loop.Length-1)
	if w.Loop.Length == 1 {
		words = fmt.Sprintf("step %d repeats for ever", first)
	}
	if w.Loop.Rounds > 1 {
		words += fmt.Sprintf(", %d rounds are shown", w.Loop.Rounds)
	}
	return words
}

// Format names a way to write a wave.
type Format string

// The formats.
const (
	VCD      Format = "vcd"
	JSON     Format = "json"
	WaveDrom Format = "wavedrom"
	Markdown Format = "markdown"
)

// Formats returns all formats.
func Formats() []Format { return []Format{VCD, JSON, WaveDrom, Markdown} }

// Append appends the wave in a format. It fails for a format that there is not and
// for a signal whose values are not one of 0, 1 and x for each step.
func (w Wave) Append(dst []byte, f Format) ([]byte, error) {
	if err := w.checkValues(); err != nil {
		return nil, err
	}
	if first, ok := w.loopStart(); ok && (w.Loop.Rounds < 1 || first < 0) {
		return nil, fmt.Errorf("%s do not end with %s of %d", findings.Count(w.Steps, "step", "steps"), findings.Count(w.Loop.Rounds, "round", "rounds"), w.Loop.Length)
	}
	switch f {
	case VCD:
		return w.appendVCD(dst), nil
	case JSON:
		return w.appendJSON(dst)
	case WaveDrom:
		return w.appendWaveDrom(dst)
	case Markdown:
		return w.AppendMarkdown(dst, DefaultColumns), nil
	}
	return nil, errors.New("there is no format " + string(f) + " of waves")
}

// checkValues returns why the values cannot be written; nil when they can.
func (w Wave) checkValues() error {
	fits := func(values string) bool { return len(values) == w.Steps && strings.Trim(values, "01x") == "" }
	for _, s := range w.Signals {
		if !fits(s.Values) {
			return fmt.Errorf("signal %s does not have one of 0, 1 and x for each of %s", s.Name, findings.Count(w.Steps, "step", "steps"))
		}
	}
	for _, word := range w.words() {
		for i, values := range word.Bits {
			if values != "" && !fits(values) {
				return fmt.Errorf("bit %d of %s does not have one of 0, 1 and x for each of %s", i, word.Name, findings.Count(w.Steps, "step", "steps"))
			}
		}
	}
	return nil
}

// appendJSON writes the form that docs/traces.md describes.
func (w Wave) appendJSON(dst []byte) ([]byte, error) {
	type signal struct {
		Path   []string `json:"path"`
		Name   string   `json:"name"`
		Group  Group    `json:"group"`
		Values string   `json:"values"`
		Word   *int     `json:"word,omitempty"`
		Bit    *int     `json:"bit,omitempty"`
	}
	places := map[*Word]int{}
	words := []jsonWord{}
	for i, word := range w.words() {
		places[word] = i
		words = append(words, word.json(w.Steps))
	}
	signals := make([]signal, len(w.Signals))
	for i, s := range w.Signals {
		signals[i] = signal{append([]string{}, s.Path...), s.Name, s.Group, s.Values, nil, nil}
		if s.Word != nil {
			place := places[s.Word]
			signals[i].Word, signals[i].Bit = &place, &s.Bit
		}
	}
	type loop struct {
		First  int `json:"first"`
		Length int `json:"length"`
		Rounds int `json:"rounds"`
	}
	var repeats *loop
	if first, ok := w.loopStart(); ok {
		repeats = &loop{first, w.Loop.Length, w.Loop.Rounds}
	}
	return appendIndented(dst, struct {
		Version int        `json:"version"`
		Title   string     `json:"title"`
		Steps   int        `json:"steps"`
		Loop    *loop      `json:"loop,omitempty"`
		Signals []signal   `json:"signals"`
		Words   []jsonWord `json:"words"`
	}{jsonVersion, w.Title, w.Steps, repeats, signals, words})
}

func appendIndented(dst []byte, v any) ([]byte, error) {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(append(dst, text...), '\n'), nil
}

// lane is a row of WaveJSON.
type lane struct {
	Name string   `json:"name"`
	Wave string   `json:"wave"`
	Data []string `json:"data,omitempty"`
}

// lane returns the row of a signal, or of a word: = for a new value, whose text is in data.
func (r row) lane(steps int) lane {
	l := lane{Name: r.title()}
	if r.word == nil {
		l.Wave = stays(r.values)
		return l
	}
	var b strings.Builder
	for step := range steps {
		if step > 0 && !r.changes(step) {
			b.WriteByte('.')
			continue
		}
		b.WriteByte('=')
		l.Data = append(l.Data, r.text(step))
	}
	l.Wave = b.String()
	return l
}

// appendWaveDrom writes WaveJSON as wavedrom.com describes it: lanes in nested
// groups, a point for a value that stays. The groups are those of the signals and,
// inside, their scopes. Above a run with a loop stands a lane with its rounds, and all lanes
// end in a gap.
func (w Wave) appendWaveDrom(dst []byte) ([]byte, error) {
	var signal []any
	gap := ""
	if first, ok := w.loopStart(); ok {
		gap = "|" // there are more rounds
		rounds := lane{Name: "loop", Wave: stays(strings.Repeat("z", first))}
		for i := range w.Loop.Rounds {
			rounds.Wave += "=" + strings.Repeat(".", w.Loop.Length-1)
			rounds.Data = append(rounds.Data, fmt.Sprintf("round %d", i+1))
		}
		rounds.Wave += gap
		signal = append(signal, rounds)
	}
	rows := w.rows()
	for _, group := range groups(rows) {
		tree := &laneGroup{name: string(group)}
		for _, r := range rows {
			if r.group == group {
				l := r.lane(w.Steps)
				l.Wave += gap
				tree.add(r.path, l)
			}
		}
		signal = append(signal, tree.list())
	}
	type head struct {
		Text string `json:"text"`
		Tick int    `json:"tick"`
	}
	return appendIndented(dst, struct {
		Signal []any `json:"signal"`
		Head   head  `json:"head"`
	}{append([]any{}, signal...), head{Text: w.Title}})
}

// groups returns the groups with a row, in their order of first use.
func groups(rows []row) []Group {
	var groups []Group
	for _, r := range rows {
		if !slices.Contains(groups, r.group) {
			groups = append(groups, r.group)
		}
	}
	return groups
}

// stays writes each value that is that of the step before as a point.
func stays(values string) string {
	b := []byte(values)
	for i := len(b) - 1; i > 0; i-- {
		if b[i] == b[i-1] {
			b[i] = '.'
		}
	}
	return string(b)
}

// laneGroup is a named group of lanes and groups.
type laneGroup struct {
	name   string
	items  []any // lanes and *laneGroup
	groups map[string]*laneGroup
}

func (g *laneGroup) add(path []string, lane any) {
	for _, name := range path {
		inner, ok := g.groups[name]
		if !ok {
			inner = &laneGroup{name: name}
			if g.groups == nil {
				g.groups = map[string]*laneGroup{}
			}
			g.groups[name] = inner
			g.items = append(g.items, inner)
		}
		g = inner
	}
	g.items = append(g.items, lane)
}

// list returns the group as WaveJSON has it: an array that its name begins.
func (g *laneGroup) list() []any {
	list := []any{g.name}
	for _, item := range g.items {
		if inner, ok := item.(*laneGroup); ok {
			item = inner.list()
		}
		list = append(list, item)
	}
	return list
}
