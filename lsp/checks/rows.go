package checks

import (
	"fmt"
	"slices"

	"aiglens/circuit"
	"aiglens/design"
)

// Text numbers the texts of a file, in their order. A version of the client's may stand
// for several, because a text may be read in another way; and not every client counts.
type Text int

// Nowhere is where a row has moved whose place another one has taken.
var Nowhere = circuit.Property{Index: -1}

// carry moves the slots with their rows to a later text. A slot whose row is another
// one now is dropped; one whose row is gone stays, for rows come and go during
// typing.
func (f *File) carry(text Text, rows []design.Property) []Effect {
	if text <= f.placed {
		return nil
	}
	f.placed = text
	if sameRows(f.rows, rows) {
		return nil
	}
	moved := movedRows(f.rows, rows)
	f.rows = rows
	old, cancels, rest := f.slots, []Effect(nil), []Effect(nil)
	f.slots = make(map[circuit.Property]*Slot, len(old))
	leave := func(p circuit.Property, effects []Effect) {
		for _, e := range effects {
			if cancel, is := e.(Cancel); is { // before anything else takes the place
				cancels = append(cancels, cancel)
			} else {
				rest = append(rest, e)
			}
		}
		rest = append(rest, Touch{p})
	}
	for p, s := range old { // rows that are there take their places first
		switch to, known := moved[p]; {
		case !known || to == Nowhere:
		case to == p:
			f.slots[p] = s
		default:
			f.slots[to] = s
			leave(p, f.on(s, Moved{to}))
			rest = append(rest, Touch{to})
		}
	}
	for p, s := range old {
		switch to, known := moved[p]; {
		case !known && f.slots[p] == nil:
			f.slots[p] = s
		case !known || to == Nowhere:
			leave(p, f.on(s, Stopped{}))
		}
	}
	for p, to := range moved {
		if to == Nowhere && f.slots[p] == nil {
			delete(moved, p)
		}
	}
	return append(append(cancels, Carried{moved}), rest...)
}

// place finds the slots of jobs about a text, and of all its rows. The slots may have
// followed their rows into a later text since the jobs were prepared; those of rows whose
// place another one has taken are no more.
func (f *File) place(text Text, rows []design.Property, jobs []Job) (placed []Job, present map[circuit.Property]bool, effects []Effect) {
	moved := map[circuit.Property]circuit.Property{}
	if text < f.placed && !sameRows(rows, f.rows) {
		moved = movedRows(rows, f.rows)
	}
	effects = f.carry(text, rows)
	at := func(p circuit.Property) circuit.Property {
		if to, known := moved[p]; known {
			return to
		}
		return p
	}
	present = make(map[circuit.Property]bool, len(rows))
	for _, row := range rows {
		to := at(row.ID)
		present[to] = to != Nowhere
	}
	for _, j := range jobs {
		if j.place = at(j.Property); j.place != Nowhere {
			placed = append(placed, j)
		}
	}
	return placed, present, effects
}

// sameRows reports whether no row has moved, which most edits leave so.
func sameRows(old, rows []design.Property) bool {
	return slices.EqualFunc(old, rows, func(a, b design.Property) bool {
		return a.ID == b.ID && a.Name == b.Name && slices.Equal(a.Lits, b.Lits)
	})
}

// movedRows finds the rows of a text in another one: by name, else by literals.
// Those that are nowhere and whose place is free are left out.
func movedRows(old, rows []design.Property) map[circuit.Property]circuit.Property {
	places, taken := map[string]circuit.Property{}, map[circuit.Property]bool{}
	for _, p := range slices.Backward(rows) { // of two that are alike the first counts
		places[RowKey(p)] = p.ID
		taken[p.ID] = true
	}
	same := map[circuit.Property]string{}
	for _, p := range rows {
		same[p.ID] = RowKey(p)
	}
	moved := map[circuit.Property]circuit.Property{}
	for _, p := range old {
		to, found := places[RowKey(p)]
		switch {
		case same[p.ID] == RowKey(p):
			moved[p.ID] = p.ID
			same[p.ID] = ""
		case found && same[to] != "":
			moved[p.ID] = to
			same[to] = "" // one row takes one slot
		case taken[p.ID]:
			moved[p.ID] = Nowhere
		}
	}
	return moved
}

// RowKey is what a row is known by wherever it stands.
func RowKey(p design.Property) string {
	if p.Name != fmt.Sprintf("%s %d", p.ID.Kind, p.ID.Index) {
		return fmt.Sprintf("%s named %s", p.ID.Kind, p.Name)
	}
	return fmt.Sprintf("%s %v", p.ID.Kind, p.Lits)
}
