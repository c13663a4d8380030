package ide

import (
	"context"
	"sort"

	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/formula"
	"aiglens/internal/source"
)

// A row calls what it reads: a gate its operands, a latch its next state and
// reset, a property its literals. So outgoing calls are the fan-in, and incoming
// calls the fan-out.

// CallItem is a row of the call hierarchy.
type CallItem struct {
	Name, Detail string
	Kind         design.SignalKind // Undefined for a property
	Span         source.Span       // the row
	Focus        source.Span       // its first number
}

// Call is an edge of the call hierarchy.
type Call struct {
	Item CallItem // the other end
	At   []source.Span
}

// maxCalls bounds the rows that read a signal; a reset may drive thousands.
const maxCalls = 1000

// CallRoot returns the item for a place: the definition of the literal there,
// or its row when that is a property.
func CallRoot(d *design.Design, offset int) (CallItem, bool) {
	o, ok := d.OccurrenceAt(offset)
	if !ok {
		return CallItem{}, false
	}
	if row, onRow := d.RowAt(offset); onRow && o.Use == design.AsProperty {
		return callItem(d, row), true
	}
	row, ok := d.RowOf(o.Lit.Signal())
	if !ok {
		return CallItem{}, false
	}
	return callItem(d, row), true
}

func callItem(d *design.Design, row design.RowRef) CallItem {
	item := CallItem{Name: answers.RowName(d, row), Detail: row.Label, Kind: row.Kind, Span: row.Span, Focus: row.Span}
	if row.Kind != design.Undefined {
		// A row that defines once more what another one does shows its own number.
		if def, ok := d.Definition(row.Signal); ok && row.Span.Contains(def.Span.Start) && row.Span.Contains(def.Span.End()) {
			item.Focus = def.Span
		}
	}
	for o := range d.OccurrencesIn(row.Span) {
		if item.Focus == row.Span {
			item.Focus = o.Span
		}
		if row.Kind == design.Undefined {
			if name := formula.ShortName(d, o.Lit); name != "" {
				item.Detail += " = " + name
			}
		}
		break
	}
	if row.Kind == design.Gate {
		if text := formula.ShortExpression(d, row.Signal.Lit()); text != "" {
			item.Detail = text
		}
	}
	return item
}

// OutgoingCalls returns what the row at offset reads, each signal once. The error is
// that of ctx.
func OutgoingCalls(ctx context.Context, d *design.Design, offset int) ([]Call, error) {
	row, ok := d.RowAt(offset)
	if !ok {
		return nil, nil
	}
	var all []Call
	at := map[design.Signal]int{}
	for o := range d.OccurrencesIn(row.Span) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := o.Lit.Signal()
		if o.Role != design.RoleUse || s == 0 || o.Use == design.AsReset && s == row.Signal {
			continue
		}
		if i, known := at[s]; known {
			all[i].At = append(all[i].At, o.Span)
			continue
		}
		if definition, ok := d.RowOf(s); ok {
			at[s] = len(all)
			all = append(all, Call{callItem(d, definition), []source.Span{o.Span}})
		}
	}
	return all, nil
}

// IncomingCalls returns the rows that read the signal defined at offset, in text
// order and at most a thousand. The error is that of ctx.
func IncomingCalls(ctx context.Context, d *design.Design, offset int) ([]Call, error) {
	row, ok := d.RowAt(offset)
	if !ok || row.Kind == design.Undefined {
		return nil, nil
	}
	var uses []source.Span
	for _, o := range d.Occurrences(row.Signal) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		user, ok := d.RowAt(o.Span.Start)
		if ok && o.Role == design.RoleUse && (o.Use != design.AsReset || user.Signal != row.Signal) {
			uses = append(uses, o.Span)
		}
	}
	return Callers(ctx, d, uses)
}

// Callers returns the rows of some places, in text order and at most a thousand. The
// error is that of ctx.
func Callers(ctx context.Context, d *design.Design, uses []source.Span) ([]Call, error) {
	var all []Call
	at := map[int]int{} // position in all by start of row
	for _, use := range uses {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		user, ok := d.RowAt(use.Start)
		if !ok {
			continue
		}
		if i, known := at[user.Span.Start]; known {
			all[i].At = append(all[i].At, use)
			continue
		}
		if len(all) == maxCalls {
			break
		}
		at[user.Span.Start] = len(all)
		all = append(all, Call{callItem(d, user), []source.Span{use}})
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Item.Span.Start < all[j].Item.Span.Start })
	return all, nil
}

// CallRow returns the row at offset, of which OutgoingCalls speaks.
func CallRow(d *design.Design, offset int) (source.Span, bool) {
	row, ok := d.RowAt(offset)
	return row.Span, ok
}
