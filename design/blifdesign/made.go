package blifdesign

import (
	"aiglens/blif"
	"aiglens/blif/statement"
	"aiglens/design"
	"aiglens/internal/yosys"
)

// madeFromAt returns the places that Yosys has written as the attribute src: of the signal at an
// offset those of what drives it, else those of the statement.
func madeFromAt(of design.Syntax, offset int) []design.MadeFrom {
	s, ok := of.(*syntax)
	if !ok {
		return nil
	}
	if o, ok := s.file.OccurrenceAt(offset); ok {
		if drivers := s.file.Resolved().Driver; int(o.Signal) < len(drivers) && drivers[o.Signal] > 0 {
			if places := madeFrom(s.file, int(drivers[o.Signal])-1); len(places) > 0 {
				return places
			}
		}
	}
	at := s.file.StatementAt(offset)
	id := at.ID
	for ; id > 0; id-- { // from a line about a statement to that
		k, i := s.file.Locate(id)
		if kind := s.file.Chunks[k].Stmts[i].Kind; kind != statement.KindAttr && kind != statement.KindParam && kind != statement.KindCname {
			break
		}
	}
	return madeFrom(s.file, id)
}

func madeFrom(f *blif.File, id int) (all []design.MadeFrom) {
	src, _ := blif.AttributeOf(f, id, "src")
	for _, p := range (yosys.Attributes{"src": src}).Places() {
		all = append(all, design.MadeFrom{Path: p.File, Line: p.Line, Column: p.Column, EndLine: p.EndLine, EndColumn: p.EndColumn})
	}
	return all
}
