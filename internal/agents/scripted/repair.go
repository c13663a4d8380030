package scripted

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Repair is what came of an attempt to repair a circuit.
type Repair struct {
	After string // the text with the edit; "" for none
	Edit  Edit
	Tried int // edits that were checked
	Fit   int // of these, those with which every property is proved
	Why   string
}

// repairer repairs one text.
type repairer struct {
	*Agent
	name      string
	rows      *Circuit
	text      string
	witnesses map[string]string // counterexamples by property
	suspicion map[int]int       // by line, the least suspicious last
	budget    int
	fit       []candidate
	Repair
}

// candidate is an edit with which all is proved.
type candidate struct {
	edit  Edit
	text  string
	order []int // what speaks for it: the least is the best
}

// Repair looks for one edit of a row with which every property is proved, and no proof is vacuous. It makes at most so
// many edits.
func (a *Agent) Repair(ctx context.Context, name, text string, budget int) (Repair, error) {
	r := &repairer{Agent: a, name: name, rows: Read(text), text: text, witnesses: map[string]string{}, suspicion: map[int]int{}, budget: budget}
	err := r.repair(ctx)
	return r.Repair, err
}

func (r *repairer) repair(ctx context.Context) error {
	failing, err := r.failures(ctx)
	if err != nil {
		return err
	}
	for _, v := range failing {
		if err := r.suspect(ctx, v); err != nil {
			return err
		}
	}
	for _, row := range r.rows.rows {
		if row.defines == "" {
			r.mark(row.line, 1) // a constraint has no part in the causes
		}
	}
	r.spread()
	near, far := r.plan()
	for _, edits := range [][]Edit{near, far} {
		for _, e := range edits {
			if r.Tried == r.budget {
				r.Why = fmt.Sprintf("no edit of the first %d", r.budget)
				break
			}
			if err := r.try(ctx, e); err != nil {
				return err
			}
		}
		if len(r.fit) > 0 {
			break
		}
	}
	if len(r.fit) == 0 {
		r.Why = cmp.Or(r.Why, "no edit of one row")
		return nil
	}
	return r.choose(ctx)
}

// question are the arguments of a call about a text.
func (r *repairer) question(text string) map[string]any {
	return map[string]any{"file": r.name, "file_text": text}
}

// failures checks the text and keeps the counterexamples.
func (r *repairer) failures(ctx context.Context) (failing []place, err error) {
	q := r.question(r.text)
	q["cpu"] = "10s"
	x, err := r.ask(ctx, "check", q)
	if err != nil {
		return nil, err
	}
	all, err := linesOf[place](x)
	if err != nil {
		return nil, err
	}
	for _, v := range all {
		if v.Verdict != refuted {
			continue
		}
		failing = append(failing, v)
		if r.witnesses[v.index()], err = r.witness(ctx, v); err != nil {
			return nil, err
		}
	}
	return failing, nil
}

// witness returns the counterexample of a property.
func (r *repairer) witness(ctx context.Context, v place) (string, error) {
	q := r.question(r.text)
	q["index"], q["cpu"] = v.index(), "10s"
	x, err := r.ask(ctx, "trace", q)
	if err != nil {
		return "", err
	}
	found, err := linesOf[struct{ Witness string }](x)
	if err == nil && (len(found) == 0 || found[0].Witness == "") {
		err = fmt.Errorf("%s has no witness", v.index())
	}
	if err != nil {
		return "", err
	}
	return found[0].Witness, nil
}

// place is a line of check, with where the property stands.
type place struct {
	verdict
	Property struct {
		Kind  string
		Index int
		Line  int
	}
}

func (p place) index() string { return fmt.Sprintf("%s:%d", p.Property.Kind, p.Property.Index) }

// cause is a value that led to a failure.
type cause struct {
	Location struct {
		Range struct{ Start struct{ Line int } }
	}
	Causes []cause
}

// suspect asks why a property fails: the nearer a row is to the failure, the sooner it is looked at.
func (r *repairer) suspect(ctx context.Context, v place) error {
	q := r.question(r.text)
	q["line"] = v.Property.Line
	x, err := r.ask(ctx, "explain", q)
	if err != nil {
		return err
	}
	found, err := linesOf[struct{ Property *struct{ Why *cause } }](x)
	if err != nil {
		return err
	}
	r.mark(v.Property.Line-1, 0)
	for _, f := range found {
		if f.Property == nil || f.Property.Why == nil {
			continue
		}
		for depth, level := 1, []cause{*f.Property.Why}; len(level) > 0; depth++ {
			var next []cause
			for _, c := range level {
				r.mark(c.Location.Range.Start.Line, depth)
				next = append(next, c.Causes...)
			}
			level = next
		}
	}
	return nil
}

func (r *repairer) mark(line, depth int) {
	if old, is := r.suspicion[line]; !is || depth < old {
		r.suspicion[line] = depth
	}
}

// spread marks what the suspicious rows read, and so on.
func (r *repairer) spread() {
	defined := map[string]int{}
	for _, row := range r.rows.rows {
		defined[row.defines] = row.line
	}
	for changed := true; changed; {
		changed = false
		for _, row := range r.rows.rows {
			depth, is := r.suspicion[row.line]
			if !is {
				continue
			}
			for _, s := range row.reads {
				line, is := defined[s]
				if old, known := r.suspicion[line]; is && (!known || old > depth+2) {
					r.suspicion[line], changed = depth+2, true
				}
			}
		}
	}
}

// plan returns the edits in the order in which they are tried: near are negations, resets, and those that read what no
// row reads.
func (r *repairer) plan() (near, far []Edit) {
	rows := slices.DeleteFunc(slices.Clone(r.rows.rows), func(x row) bool { _, is := r.suspicion[x.line]; return !is })
	slices.SortStableFunc(rows, func(a, b row) int { return r.suspicion[a.line] - r.suspicion[b.line] })
	unread := r.rows.unread()
	for _, s := range r.rows.signals() {
		if unread[s] {
			near = append(near, r.rows.added(s)...)
		}
	}
	for _, row := range rows {
		for _, e := range r.rows.edits(row) {
			switch {
			case e.Kind == Dropped:
			case e.read == "" || unread[e.read]:
				near = append(near, e)
			default:
				far = append(far, e)
			}
		}
	}
	for _, s := range r.rows.signals() {
		if !unread[s] {
			far = append(far, r.rows.added(s)...)
		}
	}
	return near, far
}

// try makes an edit and checks it, unless a counterexample is one still.
func (r *repairer) try(ctx context.Context, e Edit) error {
	text := e.Apply(r.rows.Lines)
	for index, witness := range r.witnesses {
		q := r.question(text)
		q["witness"], q["index"] = witness, []string{index}
		x, err := r.askOnce(ctx, "what_if", q)
		if err == nil && x.ExitCode == 0 {
			return nil
		}
	}
	r.Tried++
	q := r.question(text)
	q["cpu"] = "2s"
	x, err := r.askOnce(ctx, "check", q)
	if err != nil {
		return nil // the tool does not take the text: a cycle, or what is no circuit
	}
	all, err := linesOf[verdict](x)
	if err != nil {
		return err
	}
	if len(all) > 0 && !slices.ContainsFunc(all, func(v verdict) bool { return v.Verdict != proved || v.Vacuous }) {
		r.fit = append(r.fit, candidate{edit: e, text: text})
	}
	return nil
}

// choose takes the edit that does not change what is required or assumed, after which the circuit has the fewest
// diagnostics and reaches the most values of latches, and that is the most suspicious.
func (r *repairer) choose(ctx context.Context) error {
	r.Fit = len(r.fit)
	specifying := r.rows.specifying()
	for i := range r.fit {
		c := &r.fit[i]
		x, err := r.ask(ctx, "lint", r.question(c.text))
		if err != nil {
			return err
		}
		diagnostics := len(x.Answers)
		q := r.question(c.text)
		q["latches"], q["cpu"] = true, "2s"
		if x, err = r.ask(ctx, "cover", q); err != nil {
			return err
		}
		reached, err := linesOf[struct{ Both int }](x)
		if err != nil {
			return err
		}
		both := 0
		for _, l := range reached {
			both += l.Both
		}
		excuse := 0
		if c.edit.Kind == Added || specifying[c.edit.row] {
			excuse = 1
		}
		c.order = []int{excuse, diagnostics, -both, i}
	}
	best := slices.MinFunc(r.fit, func(a, b candidate) int { return slices.Compare(a.order, b.order) })
	r.After, r.Edit = best.text, best.edit
	return nil
}
