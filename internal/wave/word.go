package wave

import (
	"fmt"
	"slices"
)

// Word is a vector over the steps.
type Word struct {
	Path      []string // the scopes around it, outermost first
	Name      string
	Group     Group
	High, Low int // indices of its most and its least significant bit
	IsSigned  bool
	// Bits are the values of each bit as those of a signal, from the least significant on; ""
	// for one that the circuit does not have. They may be more than the signals of the wave.
	Bits []string
	// Text writes the value in a step as people read it.
	Text func(step int) string
	// Names say what values are called, such as "0 = idle".
	Names []string
}

// index returns "[3:0]", or "" for a single bit 0.
func (w *Word) index() string {
	if len(w.Bits) == 1 && w.Low == 0 {
		return ""
	}
	return fmt.Sprintf("[%d:%d]", w.High, w.Low)
}

// digits returns the bits in a step, the most significant one first.
func (w *Word) digits(step int) string {
	digits := make([]byte, 0, len(w.Bits))
	for _, values := range slices.Backward(w.Bits) {
		digits = append(digits, bitAt(values, step, '-'))
	}
	return string(digits)
}

// bitAt returns the value of a bit in a step, or how a missing one is written.
func bitAt(values string, step int, missing byte) byte {
	if values == "" {
		return missing
	}
	return values[step]
}

// bitChanges reports whether a bit differs from the step before.
func bitChanges(values string, step int) bool {
	return values != "" && values[step] != values[step-1]
}

// jsonWord is a word as docs/traces.md describes it.
type jsonWord struct {
	Path     []string `json:"path"`
	Name     string   `json:"name"`
	Group    Group    `json:"group"`
	High     int      `json:"msb"`
	Low      int      `json:"lsb"`
	IsSigned bool     `json:"signed"`
	Digits   []string `json:"digits"`
	Values   []string `json:"values"`
}

func (w *Word) json(steps int) jsonWord {
	j := jsonWord{Path: append([]string{}, w.Path...), Name: w.Name, Group: w.Group, High: w.High, Low: w.Low, IsSigned: w.IsSigned}
	for step := range steps {
		j.Digits, j.Values = append(j.Digits, w.digits(step)), append(j.Values, w.Text(step))
	}
	return j
}

// words returns the words of the signals, in the order of these.
func (w Wave) words() (all []*Word) {
	seen := map[*Word]bool{}
	for _, s := range w.Signals {
		if s.Word != nil && !seen[s.Word] {
			seen[s.Word] = true
			all = append(all, s.Word)
		}
	}
	return all
}

// row is what is shown of a wave: a word, or a signal that is in none.
type row struct {
	path   []string
	name   string
	group  Group
	word   *Word
	values string // of a signal
}

func (w Wave) rows() (all []row) {
	seen := map[*Word]bool{}
	for _, s := range w.Signals {
		switch word := s.Word; {
		case word == nil:
			all = append(all, row{s.Path, s.Name, s.Group, nil, s.Values})
		case !seen[word]:
			seen[word] = true
			all = append(all, row{word.Path, word.Name, word.Group, word, ""})
		}
	}
	return all
}

// title is the name, with the indices of a word.
func (r row) title() string {
	if r.word == nil {
		return r.name
	}
	return r.name + r.word.index()
}

// text writes the value in a step as people read it.
func (r row) text(step int) string {
	if r.word == nil {
		return r.values[step : step+1]
	}
	return r.word.Text(step)
}

// changes reports whether the value differs from that of the step before.
func (r row) changes(step int) bool {
	if r.word == nil {
		return bitChanges(r.values, step)
	}
	return slices.ContainsFunc(r.word.Bits, func(values string) bool { return bitChanges(values, step) })
}
