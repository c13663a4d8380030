package scripted

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Kind is what an edit changes.
type Kind string

// The kinds of edits.
const (
	Operand  Kind = "operand"  // another signal is read by a gate
	Negation Kind = "negation" // a gate, or a row of its table, is negated
	Next     Kind = "next"     // another next value of a latch
	Reset    Kind = "reset"
	Dropped  Kind = "dropped constraint"
	Negated  Kind = "negated constraint"
	Added    Kind = "added constraint"
)

// Edit is a change of one row.
type Edit struct {
	Line int // that changes, from 0
	row  int // the line of the row that it is about
	Kind Kind
	From string // the row before and after
	To   string
	read string // the signal that the row did not read before; "" for none
	// apply returns the lines of the text with the change; nil where it is only that of the row.
	apply func(lines []string) []string
}

// Apply returns the text with the edit.
func (e Edit) Apply(lines []string) string {
	if lines = slices.Clone(lines); e.apply != nil {
		return strings.Join(e.apply(lines), "\n")
	}
	lines[e.Line] = e.To
	return strings.Join(lines, "\n")
}

func (e Edit) String() string {
	return fmt.Sprintf("line %d, %s: %q becomes %q", e.Line+1, e.Kind, e.From, e.To)
}

// Circuit are the rows of a text.
type Circuit struct {
	Lines []string
	rows  []row // those that can be edited, in the order of the text
	// edits returns the changes of a row.
	edits func(r row) []Edit
	// added returns the changes that add a constraint on a signal, and its negation where the language has one.
	added func(signal string) []Edit
}

// row is a row of a text that says what a signal is, or a constraint.
type row struct {
	line    int
	defines string // "" for none
	reads   []string
	isLatch bool
}

// Read reads the rows of a text in AIGER or BLIF.
func Read(text string) *Circuit {
	lines := strings.Split(text, "\n")
	if strings.HasPrefix(text, "aag ") {
		return readAIGER(lines)
	}
	return readBLIF(lines)
}

// Edits returns all changes of a text by one edit.
func (c *Circuit) Edits() (all []Edit) {
	for _, r := range c.rows {
		all = append(all, c.edits(r)...)
	}
	return all
}

// signals returns what is defined, inputs too, in the order of the text.
func (c *Circuit) signals() (all []string) {
	for _, r := range c.rows {
		if r.defines != "" {
			all = append(all, r.defines)
		}
	}
	return all
}

// unread returns the signals that no row reads.
func (c *Circuit) unread() map[string]bool {
	all := map[string]bool{}
	for _, s := range c.signals() {
		all[s] = true
	}
	for _, r := range c.rows {
		for _, s := range r.reads {
			delete(all, s)
		}
	}
	return all
}

// specifying returns the lines that no latch depends on: they say what a property is, not what the circuit does.
func (c *Circuit) specifying() map[int]bool {
	used := map[string]bool{}
	for grew := true; grew; {
		grew = false
		for _, r := range c.rows {
			if !r.isLatch && !used[r.defines] {
				continue
			}
			for _, s := range r.reads {
				if !used[s] {
					used[s], grew = true, true
				}
			}
		}
	}
	lines := map[int]bool{}
	for _, r := range c.rows {
		if !r.isLatch && !used[r.defines] {
			lines[r.line] = true
		}
	}
	return lines
}

// sources returns the signals that a gate could read without a cycle: those that do not depend on it but through
// latches.
func (c *Circuit) sources(r row) (all []string) {
	after := map[string]bool{r.defines: true}
	for grew := true; grew; {
		grew = false
		for _, o := range c.rows {
			if !o.isLatch && o.defines != "" && !after[o.defines] && slices.ContainsFunc(o.reads, func(s string) bool { return after[s] }) {
				after[o.defines], grew = true, true
			}
		}
	}
	return slices.DeleteFunc(c.signals(), func(s string) bool { return !r.isLatch && after[s] })
}

// aagSections are the numbers of the header of AIGER, after M, in the order of the rows.
const (
	aagInputs = iota
	aagLatches
	aagOutputs
	aagBads
	aagConstraints
	aagGates // in the text they are the last
)

// readAIGER reads the rows of an ASCII AIGER text without justice properties of several literals.
func readAIGER(lines []string) *Circuit {
	head := strings.Fields(lines[0])
	number := func(i int) int {
		if i >= len(head) {
			return 0
		}
		n, _ := strconv.Atoi(head[i])
		return n
	}
	counts := [...]int{number(2), number(3), number(4), number(6), number(7), number(5)}
	c := &Circuit{Lines: lines}
	at := 1
	constraintsEnd := 0
	properties := []row{}
	for section, n := range counts {
		if section == aagGates {
			constraintsEnd = at
			justice := 0
			for i := range number(8) {
				size, _ := strconv.Atoi(lines[at+i])
				justice += size
			}
			for range number(8) + justice + number(9) {
				at++
			}
			for i := constraintsEnd + number(8); i < at; i++ {
				properties = append(properties, row{line: i, reads: []string{positive(lines[i])}})
			}
		}
		for range n {
			fields := strings.Fields(lines[at])
			r := row{line: at}
			switch section {
			case aagInputs:
				r.defines = fields[0]
			case aagLatches:
				r.defines, r.isLatch, r.reads = fields[0], true, []string{positive(fields[1])}
			case aagGates:
				r.defines, r.reads = fields[0], []string{positive(fields[1]), positive(fields[2])}
			default:
				r.reads = []string{positive(fields[0])}
			}
			c.rows = append(c.rows, r)
			at++
		}
	}
	c.rows = append(c.rows, properties...)
	first := 1 + counts[aagInputs] + counts[aagLatches] + counts[aagOutputs] + counts[aagBads]
	header := func(lines []string, change int) {
		for len(head) < 8 {
			head = append(head, "0")
		}
		now := slices.Clone(head)
		now[7] = strconv.Itoa(number(7) + change)
		lines[0] = strings.Join(now, " ")
	}
	c.edits = func(r row) (all []Edit) {
		from := lines[r.line]
		edit := func(k Kind, read string, fields ...string) {
			all = append(all, Edit{Line: r.line, row: r.line, Kind: k, From: from, To: strings.Join(fields, " "), read: read})
		}
		fields := strings.Fields(from)
		kind := Operand
		switch {
		case r.line >= first && r.line < constraintsEnd:
			edit(Negated, "", negated(fields[0]))
			all = append(all, Edit{Line: r.line, row: r.line, Kind: Dropped, From: from, apply: func(lines []string) []string {
				header(lines, -1)
				return slices.Delete(lines, r.line, r.line+1)
			}})
			return all
		case r.isLatch:
			kind = Next
			value := "0"
			if len(fields) > 2 {
				value = fields[2]
			}
			for _, reset := range []string{"0", "1"} {
				if reset != value {
					edit(Reset, "", fields[0], fields[1], reset)
				}
			}
		case len(r.reads) != 2 || r.defines == "":
			return nil
		}
		for i := range r.reads {
			now := slices.Clone(fields)
			now[i+1] = negated(fields[i+1])
			edit(Negation, "", now...)
		}
		for _, s := range c.sources(r) {
			for i, old := range r.reads {
				if s == old {
					continue
				}
				for _, l := range []string{s, negated(s)} {
					now := slices.Clone(fields)
					now[i+1] = l
					edit(kind, s, now...)
				}
			}
		}
		return all
	}
	c.added = func(signal string) (all []Edit) {
		for _, l := range []string{signal, negated(signal)} {
			all = append(all, Edit{Line: constraintsEnd, Kind: Added, To: l, read: signal, apply: func(lines []string) []string {
				header(lines, 1)
				return slices.Insert(lines, constraintsEnd, l)
			}})
		}
		return all
	}
	return c
}

// positive returns the literal of a variable, as text.
func positive(literal string) string {
	n, _ := strconv.Atoi(literal)
	return strconv.Itoa(n &^ 1)
}

func negated(literal string) string {
	n, _ := strconv.Atoi(literal)
	return strconv.Itoa(n ^ 1)
}

// propLine begins the comment that makes a property of BLIF.
const propLine = "# prop: "

// readBLIF reads the rows of a BLIF text of one model. A table is a row, with its lines below.
func readBLIF(lines []string) *Circuit {
	c := &Circuit{Lines: lines}
	end := 0 // where constraints are added
	for i, line := range lines {
		fields := strings.Fields(line)
		if rest, is := strings.CutPrefix(line, propLine); is {
			if end = i + 1; len(strings.Fields(rest)) > 1 {
				c.rows = append(c.rows, row{line: i, reads: strings.Fields(rest)[1:]})
			}
			continue
		}
		switch {
		case len(fields) < 2:
		case fields[0] == ".inputs":
			for _, name := range fields[1:] {
				c.rows = append(c.rows, row{line: i, defines: name})
			}
			end = i + 1
		case fields[0] == ".outputs":
			c.rows = append(c.rows, row{line: i, reads: fields[1:]})
		case fields[0] == ".names":
			c.rows = append(c.rows, row{line: i, defines: fields[len(fields)-1], reads: fields[1 : len(fields)-1]})
		case fields[0] == ".latch" && len(fields) > 2:
			c.rows = append(c.rows, row{line: i, defines: fields[2], isLatch: true, reads: fields[1:2]})
		}
	}
	c.edits = func(r row) (all []Edit) {
		from := lines[r.line]
		edit := func(k Kind, line int, read, to string) {
			all = append(all, Edit{Line: line, row: r.line, Kind: k, From: lines[line], To: to, read: read})
		}
		fields := strings.Fields(from)
		kind := Operand
		switch {
		case strings.HasPrefix(from, propLine+"assume"):
			edit(Dropped, r.line, "", "#")
			return all
		case r.isLatch:
			kind = Next
			if last := len(fields) - 1; last > 2 && len(fields[last]) == 1 {
				for _, reset := range []string{"0", "1"} {
					if fields[last] != reset {
						edit(Reset, r.line, "", strings.Join(append(slices.Clone(fields[:last]), reset), " "))
					}
				}
			}
		case fields[0] != ".names" || len(r.reads) == 0:
			return nil
		default:
			all = append(all, tableEdits(lines, r.line)...)
		}
		for _, s := range c.sources(r) {
			for i := range r.reads {
				if !slices.Contains(r.reads, s) {
					now := slices.Clone(fields)
					now[i+1] = s
					edit(kind, r.line, s, strings.Join(now, " "))
				}
			}
		}
		return all
	}
	c.added = func(signal string) []Edit {
		to := propLine + "assume " + signal
		return []Edit{{Line: end, Kind: Added, To: to, read: signal, apply: func(lines []string) []string { return slices.Insert(lines, end, to) }}}
	}
	return c
}

// tableEdits negates single literals of a table, and its output.
func tableEdits(lines []string, names int) (all []Edit) {
	end := names + 1
	for end < len(lines) && lines[end] != "" && strings.ContainsRune("01-", rune(lines[end][0])) {
		end++
	}
	flip := map[byte]byte{'0': '1', '1': '0'}
	for line := names + 1; line < end; line++ {
		for i := 0; i < len(lines[line]) && lines[line][i] != ' '; i++ {
			if now, ok := flip[lines[line][i]]; ok {
				all = append(all, Edit{Line: line, row: names, Kind: Negation, From: lines[line], To: lines[line][:i] + string(now) + lines[line][i+1:]})
			}
		}
	}
	if end == names+1 {
		return all
	}
	last := len(lines[names+1]) - 1
	now, ok := flip[lines[names+1][last]]
	if !ok {
		return all
	}
	return append(all, Edit{Line: names + 1, row: names, Kind: Negation, From: lines[names+1], To: lines[names+1][:last] + string(now), apply: func(lines []string) []string {
		for line := names + 1; line < end; line++ {
			lines[line] = lines[line][:len(lines[line])-1] + string(now)
		}
		return lines
	}})
}
