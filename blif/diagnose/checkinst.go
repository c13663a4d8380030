package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/blif"
	"aiglens/blif/cells"
	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// instances checks the connections of the instances. One with the same pins in
// the same order as a sound one of its model before needs no second look.
func (c *checker) instances() {
	for _, m := range c.s.Models {
		sound := map[blif.Block][]statement.Name{}
		for _, call := range c.r.Calls[m.Index] {
			k, i := c.f.Locate(call.Statement)
			if !call.Block.IsKnown() {
				c.instance(k, i, call)
				continue
			}
			formals := formalsOf(c.f, k, i)
			if slices.Equal(formals, sound[call.Block]) && len(formals) > 0 {
				continue
			}
			before := c.reported
			c.instance(k, i, call)
			if c.reported == before {
				sound[call.Block] = formals
			}
		}
	}
	c.recursion()
}

// formalsOf returns the formals of an instance, 0 after one whose pin is open; nil
// when a pin is not named.
func formalsOf(f *blif.File, k, i int) []statement.Name {
	c := f.Chunks[k]
	lo, hi := c.TokensOf(i)
	var ids []statement.Name
	for t := lo + 2; t+1 < hi; t += 2 {
		if c.Tokens[t+1].Length == 0 && !f.Chunks[k].IsNamedPin(t) {
			return nil
		}
		ids = append(ids, c.Names[t])
		if c.Tokens[t+1].Length == 0 {
			ids = append(ids, 0)
		}
	}
	return ids
}

func (c *checker) instance(k, i int, call blif.Call) {
	f, ch := c.f, c.f.Chunks[k]
	kind := ch.Stmts[i].Kind
	lo, hi := ch.TokensOf(i)
	if !call.Block.IsKnown() {
		c.unknownBlock(f.TokenSpan(k, ch.Tokens[lo+1]), kind)
	}
	if c.pins == nil {
		c.pins = make([]uint32, f.NumNames())
	}
	unknown, end := false, lo+2
	defer func() {
		for t := lo + 2; t < end; t += 2 {
			c.pins[ch.Names[t]] = 0
		}
	}()
	for t := lo + 2; t+1 < hi; t += 2 {
		span := f.TokenSpan(k, ch.Tokens[t])
		if ch.Tokens[t+1].Length == 0 && !f.Chunks[k].IsNamedPin(t) {
			if kind == statement.KindMlatch && t >= lo+4 {
				continue // control and initial value
			}
			c.find(codes.PinEquals, span, "a connection is written formal=actual, found %s", f.Text().Slice(span))
			return
		}
		id := ch.Names[t]
		if first := c.pins[id]; first != 0 {
			d := codes.Finding(codes.FormalTwice, span, "port "+f.NameText(id)+" is connected twice")
			d.Related = []source.Related{{Span: f.TokenSpan(k, ch.Tokens[first]), Message: "the first connection"}}
			c.report(d)
			continue
		}
		c.pins[id], end = t, t+2
		if !call.Block.IsKnown() {
			continue // whatever its ports are
		}
		if _, _, ok := call.Block.Port(f.NameText(id)); !ok {
			unknown = true
			c.unknownFormal(call.Block, span)
		}
	}
	if !unknown {
		c.missingInputs(k, i, call.Block)
	}
}

func (c *checker) unknownFormal(b blif.Block, span source.Span) {
	d := codes.Finding(codes.UnknownFormal, span, fmt.Sprintf("%s has no port %s", b.Name(), c.f.Text().Slice(span)))
	if b.Model != nil && b.Model.File == c.f {
		d.Related = []source.Related{{Span: b.Model.NameSpan(), Message: b.Name()}}
	}
	c.report(d)
}

// missingInputs reports the inputs that no pin of the current instance joins. An
// open pin is meant to be open, but at a clock, and at an assertion or
// assumption, which then says nothing.
func (c *checker) missingInputs(k, i int, b blif.Block) {
	var missing []string
	for _, in := range b.Inputs() {
		if id := c.f.FindName(in); int(id) >= len(c.pins) || c.pins[id] == 0 {
			missing = append(missing, in)
		} else if c.f.Chunks[k].Tokens[c.pins[id]+1].Length == 0 && b.Cell != nil && (in == b.Cell.Clock || b.Cell.IsProperty()) {
			missing = append(missing, in)
		}
	}
	if b.Cell != nil { // a flip-flop with enable reads its own output
		missing = slices.DeleteFunc(missing, func(in string) bool { return in == b.Cell.Output })
	}
	if len(missing) == 0 {
		return
	}
	what := "input "
	if len(missing) > 1 {
		what = "inputs "
	}
	shown := missing[:min(len(missing), 5)]
	more := ""
	if len(shown) < len(missing) {
		more = fmt.Sprintf(" and %d more", len(missing)-len(shown))
	}
	span := c.f.DirectiveSpan(int(c.f.Firsts[k]) + i)
	d := codes.Finding(codes.MissingInput, span, fmt.Sprintf("not connected: %s%s%s of %s", what, strings.Join(shown, ", "), more, b.Name()))
	if b.Model != nil && b.Model.BlackBox {
		d.Severity = source.Information // nothing depends on it here
	}
	if b.Cell != nil && b.Cell.IsProperty() {
		d.Severity = source.Error
	}
	c.report(d)
}

// unknownBlock reports an instance of nothing known.
func (c *checker) unknownBlock(span source.Span, kind statement.Kind) {
	f := c.f
	word := f.Text().Slice(span)
	wayOut := ""
	if cells.IsAsynchronous(word) {
		wayOut = "; it becomes a .latch by `async2sync; dffunmap` before Yosys' write_blif"
	}
	if kind != statement.KindSubckt {
		if f.Options().Cells == nil {
			c.find(codes.UnknownCell, span, "cell %s needs a cell library, and none is known; it is taken as a black box%s", word, wayOut)
			return
		}
		c.find(codes.UnknownLibrary, span, "the cell library has no cell %s", word)
		return
	}
	if f.MissesSearch() {
		return // the missing file is the cause
	}
	d := codes.Finding(codes.UnknownModel, span, "no model "+word+" is known")
	if r, ok := f.Options().Library.(blif.Reasons); ok {
		if file, why := r.Unread(word); file != "" {
			d.Message += ": " + file + " cannot be read: " + why
		}
	}
	if f.IsCell(word) {
		d.Severity = source.Warning
		d.Message += "; it is taken as a black box" + wayOut
	}
	c.report(d)
}

func (c *checker) searches() {
	if c.f.Options().Library == nil {
		return
	}
	for _, ref := range c.s.Searches {
		span := c.f.RefSpan(ref)
		if path := c.f.Text().Slice(span); c.f.Options().Library.Search(path) == nil {
			message := "there is no file " + path
			if r, ok := c.f.Options().Library.(blif.Reasons); ok {
				if why := r.WhyNot(path); why != "" {
					message = path + " cannot be read: " + why
				}
			}
			c.find(codes.SearchMissing, span, "%s", message)
		}
	}
}

// HoldsItself says that a model holds itself through an instance of another one, or
// of itself.
func HoldsItself(m, through *blif.Model) string {
	message := "model " + m.Name + " holds an instance of itself"
	if m != through {
		message += " through model " + through.Name
	}
	return message
}

// recursion reports instances through which a model of the file holds itself. It goes
// down the hierarchy with a path of its own: a file may nest models as deep as it likes.
func (c *checker) recursion() {
	const fresh, open, done = 0, 1, 2
	state := make([]uint8, len(c.s.Models)) // by model
	type step struct{ model, next int }     // next is the call to look at
	for _, m := range c.s.Models {
		if state[m.Index] != fresh {
			continue
		}
		state[m.Index] = open
		for path := []step{{m.Index, 0}}; len(path) > 0; {
			at := &path[len(path)-1]
			calls := c.r.Calls[at.model]
			if at.next == len(calls) {
				state[at.model] = done
				path = path[:len(path)-1]
				continue
			}
			call := calls[at.next]
			at.next++
			other := call.Block.Model
			if other == nil || other.File != c.f {
				continue
			}
			switch state[other.Index] {
			case fresh:
				state[other.Index] = open
				path = append(path, step{other.Index, 0})
			case open:
				c.holdsItself(c.s.Models[at.model], call)
			}
		}
	}
}

func (c *checker) holdsItself(m *blif.Model, call blif.Call) {
	other := call.Block.Model
	k, i := c.f.Locate(call.Statement)
	lo, _ := c.f.Chunks[k].TokensOf(i)
	d := codes.Finding(codes.Recursion, c.f.TokenSpan(k, c.f.Chunks[k].Tokens[lo+1]), HoldsItself(m, other))
	d.Related = []source.Related{{Span: other.NameSpan(), Message: "model " + other.Name}}
	c.report(d)
}

// ports checks the port lists of a model.
func (c *checker) ports(m *blif.Model) {
	lists := []struct {
		ports []blif.Port
		code  source.Code
		what  string
	}{{m.InputList, codes.DuplicateInput, "input"}, {m.OutputList, codes.DuplicateOutput, "output"}}
	for _, list := range lists {
		first := make(map[statement.Name]statement.TokenRef, len(list.ports))
		for _, p := range list.ports {
			if ref, ok := first[p.Name]; ok {
				d := codes.Finding(list.code, c.f.RefSpan(p.Ref), list.what+" "+c.f.NameText(p.Name)+" is listed twice")
				d.Related = []source.Related{{Span: c.f.RefSpan(ref), Message: "listed here first"}}
				c.report(d)
				continue
			}
			first[p.Name] = p.Ref
		}
	}
	c.exdc(m)
}

// exdc reports the outputs of a don't-care network that are neither outputs of the model
// nor next states of its latches, which SIS counts among the outputs of the logic.
func (c *checker) exdc(m *blif.Model) {
	if len(m.ExdcOutputs) == 0 {
		return
	}
	known := map[statement.Name]bool{}
	for _, p := range m.OutputList {
		known[p.Name] = true
	}
	for id := m.From; id < m.BodyEnd; id++ {
		k, i := c.f.Locate(id)
		switch c.f.Chunks[k].Stmts[i].Kind {
		case statement.KindLatch, statement.KindFlop:
			c.f.Roles(k, i, blif.Block{}, func(t uint32, role blif.Role) {
				known[c.f.Chunks[k].Names[t]] = known[c.f.Chunks[k].Names[t]] || role == blif.RoleNext
			})
		}
	}
	for _, p := range m.ExdcOutputs {
		if !known[p.Name] {
			c.find(codes.ExdcOutput, c.f.RefSpan(p.Ref), "%s is not an output of the model %s", c.f.NameText(p.Name), m.Name)
		}
	}
}
