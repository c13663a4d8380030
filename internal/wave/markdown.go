package wave

import (
	"fmt"
	"strconv"
	"strings"
)

// DefaultColumns is the number of steps that a table shows at most.
const DefaultColumns = 24

// AppendMarkdown appends a table with a row for each signal and a column for each
// step. Of more steps than columns it shows those at which some signal changes, the
// first and the last, and the first of a loop, whose columns are marked; if these are still too many, the first and the last of them. A
// line below says what is left out.
func (w Wave) AppendMarkdown(dst []byte, columns int) []byte {
	steps := w.columns(max(columns, 2))
	if w.Title != "" {
		dst = append(dst, "**"+inline(w.Title)+"**\n\n"...)
	}
	mark := func(step int) string {
		if first, ok := w.loopStart(); ok && step >= first {
			return " ↻"
		}
		return ""
	}
	dst = append(dst, "| signal |"...)
	for _, step := range steps {
		dst = append(dst, " "+strconv.Itoa(step)+mark(step)+" |"...)
	}
	dst = append(dst, "\n| --- |"+strings.Repeat(" :-: |", len(steps))+"\n"...)
	for _, s := range w.Signals {
		name := strings.Join(append(append([]string{}, s.Path...), s.Name), ".")
		dst = append(dst, "| "+code(name)+" |"...)
		for _, step := range steps {
			dst = append(dst, ' ', s.Values[step], ' ', '|')
		}
		dst = append(dst, '\n')
	}
	if words := w.loopWords(); words != "" {
		dst = append(dst, "\n↻ "+words+".\n"...)
	}
	if text := w.leftOut(steps); text != "" {
		dst = append(dst, "\n"+text+"\n"...)
	}
	return dst
}

// changes reports whether some signal differs from the step before.
func (w Wave) changes(step int) bool {
	for _, s := range w.Signals {
		if s.Values[step] != s.Values[step-1] {
			return true
		}
	}
	return false
}

func (w Wave) columns(most int) []int {
	start, isLasso := w.loopStart()
	var steps []int
	for step := range w.Steps {
		if w.Steps <= most || step == 0 || step == w.Steps-1 || step == start && isLasso || w.changes(step) {
			steps = append(steps, step)
		}
	}
	if n := len(steps); n > most {
		steps = append(steps[:most-most/2:most-most/2], steps[n-most/2:]...)
	}
	return steps
}

// leftOut says which steps are not shown.
func (w Wave) leftOut(steps []int) string {
	if len(steps) == w.Steps {
		return ""
	}
	shown := map[int]bool{}
	for _, step := range steps {
		shown[step] = true
	}
	var same, others int
	for step := range w.Steps {
		switch {
		case shown[step]:
		case w.changes(step):
			others++
		default:
			same++
		}
	}
	text := fmt.Sprintf("%d of %d steps shown.", len(steps), w.Steps)
	if same > 0 {
		text += fmt.Sprintf(" In %d of the others nothing changes.", same)
	}
	if others > 0 {
		text += fmt.Sprintf(" Left out for space: %d steps with changes.", others)
	}
	return text
}

// code writes a name as inline code inside a table. A backquote in it takes a longer
// fence; a bar has to be escaped even there.
func code(name string) string {
	name = strings.ReplaceAll(strings.ReplaceAll(name, "|", `\|`), "\n", " ")
	if !strings.Contains(name, "`") {
		return "`" + name + "`"
	}
	fence := "``"
	for strings.Contains(name, fence) {
		fence += "`"
	}
	return fence + " " + name + " " + fence
}

// inline escapes what Markdown would take for markup.
func inline(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch r {
		case '\n', '\r':
			r = ' '
		case '\\', '`', '*', '_', '[', ']', '<', '>', '|':
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
