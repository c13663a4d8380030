package lsp

import (
	"fmt"
	"slices"

	"aiglens/circuit"
	"aiglens/lsp/document"
	"aiglens/lsp/ide"
)

// carry has the records follow their rows to where these are in a new text. A
// record whose row is another now is dropped; one whose row is gone stays, for
// while somebody types rows come and go.
func (s *session) carry(f *file, rows []document.Property) {
	if sameRows(f.rows, rows) {
		return
	}
	moved := movedRows(f.rows, rows)
	f.rows = slices.Clone(rows)
	checks, restarts := map[circuit.Property]*check{}, map[circuit.Property]*check{}
	for p, c := range f.checks {
		to, known := moved[p]
		if !known {
			to = p
		}
		switch {
		case to == gone || checks[to] != nil:
			s.stop(f, p)
		case to == p:
			checks[p] = c
			continue
		default:
			checks[to] = c
			if c.run != 0 {
				s.scheduler.Cancel(f.id(p)) // its place is another's now
				restarts[to] = c
			}
		}
		f.dirty[p] = true
	}
	f.checks = checks
	if shown := f.selection; shown != nil {
		switch to, known := moved[shown.Property]; {
		case known && to != gone:
			f.selection = &ide.Selection{Property: to, Step: shown.Step}
		case known && checks[shown.Property] != nil: // of another row
			s.showStep(f, nil)
		}
	}
	for p, c := range restarts {
		s.submit(f, p, c)
		s.showQueued(f, p, c)
	}
}

// sameRows reports whether no row has moved, which most edits leave so.
func sameRows(old, rows []document.Property) bool {
	return slices.EqualFunc(old, rows, func(a, b document.Property) bool {
		return a.ID == b.ID && a.Name == b.Name && slices.Equal(a.Lits, b.Lits)
	})
}

// gone is where a row has moved whose place another one has taken.
var gone = circuit.Property{Index: -1}

// movedRows finds the rows of a text in another one: by name, else by literals.
// Those that are nowhere and whose place is free are left out.
func movedRows(old, rows []document.Property) map[circuit.Property]circuit.Property {
	places, taken := map[string]circuit.Property{}, map[circuit.Property]bool{}
	for _, p := range slices.Backward(rows) { // of two that are alike the first counts
		places[rowKey(p)] = p.ID
		taken[p.ID] = true
	}
	same := map[circuit.Property]string{}
	for _, p := range rows {
		same[p.ID] = rowKey(p)
	}
	moved := map[circuit.Property]circuit.Property{}
	for _, p := range old {
		to, found := places[rowKey(p)]
		switch {
		case same[p.ID] == rowKey(p):
			moved[p.ID] = p.ID
			same[p.ID] = ""
		case found && same[to] != "":
			moved[p.ID] = to
			same[to] = "" // one row takes one record
		case taken[p.ID]:
			moved[p.ID] = gone
		}
	}
	return moved
}

// rowKey is what a row is known by wherever it stands.
func rowKey(p document.Property) string {
	if p.Name != fmt.Sprintf("%s %d", p.ID.Kind, p.ID.Index) {
		return fmt.Sprintf("%s named %s", p.ID.Kind, p.Name)
	}
	return fmt.Sprintf("%s %v", p.ID.Kind, p.Lits)
}
