package btor2design

import (
	"strings"

	"aiglens/design"
	"aiglens/internal/source"
	"aiglens/internal/yosys"
)

// madeFromAt returns the places that Yosys has written as the comment of a row (input 3 din ; fifo.v:1.87-1.90): of the row of the
// signal at an offset, else of the row there.
func madeFromAt(of design.Syntax, offset int) []design.MadeFrom {
	s, ok := of.(*fileSyntax)
	if !ok {
		return nil
	}
	m := s.file.Model()
	if o, ok := s.file.OccurrenceAt(offset); ok && o.Ref >= 0 {
		if places := madeFrom(m.Text, m.Nodes[o.Ref.Node()].Line); len(places) > 0 {
			return places
		}
	}
	return madeFrom(m.Text, m.Text.LineAt(offset))
}

func madeFrom(t source.Text, line int) (all []design.MadeFrom) {
	row, comment, _ := strings.Cut(t.Line(line), " ;")
	if strings.TrimSpace(row) == "" {
		return nil
	}
	for _, p := range (yosys.Attributes{"src": strings.TrimSpace(comment)}).Places() {
		all = append(all, design.MadeFrom{Path: p.File, Line: p.Line, Column: p.Column, EndLine: p.EndLine, EndColumn: p.EndColumn})
	}
	return all
}
