package wave

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"aiglens/internal/findings"
)

// DefaultColumns is the number of steps that a table shows at most.
const DefaultColumns = 24

// AppendMarkdown appends a table with a row for each word, and each signal that is in none, and
// a column for each step. Of more steps than columns it shows those at which something changes, the
// first and the last, and the first of a loop, whose columns are marked; if these are still too many, the first and the last of them. A
// line below says what is left out.
func (w Wave) AppendMarkdown(dst []byte, columns int) []byte {
	rows := w.rows()
	steps := w.columns(rows, max(columns, 2))
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
	for _, r := range rows {
		name := strings.Join(append(append([]string{}, r.path...), r.name), ".")
		dst = append(dst, "| "+code(name)+" |"...)
		for _, step := range steps {
			dst = append(dst, " "+r.cell(step)+" |"...)
		}
		dst = append(dst, '\n')
	}
	if words := w.loopWords(); words != "" {
		dst = append(dst, "\n↻ "+words+".\n"...)
	}
	if text := w.leftOut(rows, steps); text != "" {
		dst = append(dst, "\n"+text+"\n"...)
	}
	return dst
}

// cell writes a value in a table. The name of one may have what Markdown takes for markup.
func (r row) cell(step int) string {
	text := r.text(step)
	isPlain := func(c rune) bool {
		return c == '_' || c == '-' || c == '.' || unicode.IsLetter(c) || unicode.IsDigit(c)
	}
	if strings.Trim(text, "_") == text && strings.IndexFunc(text, func(c rune) bool { return !isPlain(c) }) < 0 {
		return text
	}
	return inline(text)
}

// changed reports whether some row differs from the step before.
func changed(rows []row, step int) bool {
	return slices.ContainsFunc(rows, func(r row) bool { return r.changes(step) })
}

func (w Wave) columns(rows []row, most int) []int {
	start, isLasso := w.loopStart()
	var steps []int
	for step := range w.Steps {
		if w.Steps <= most || step == 0 || step == w.Steps-1 || step == start && isLasso || changed(rows, step) {
			steps = append(steps, step)
		}
	}
	if n := len(steps); n > most {
		steps = append(steps[:most-most/2:most-most/2], steps[n-most/2:]...)
	}
	return steps
}

// leftOut says which steps are not shown.
func (w Wave) leftOut(rows []row, steps []int) string {
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
		case changed(rows, step):
			others++
		default:
			same++
		}
	}
	text := fmt.Sprintf("%d of %s shown.", len(steps), findings.Count(w.Steps, "step", "steps"))
	if same > 0 {
		text += fmt.Sprintf(" In %d of the others nothing changes.", same)
	}
	if others > 0 {
		text += " Left out for space: " + findings.Count(others, "step", "steps") + " with changes."
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
