package aiger

import (
	"fmt"

	"aiglens/internal/source"
)

// misnumbered holds definitions beyond 2M+1 and the variables that lack one in
// their place: one mistake, which is reported where it was made.
type misnumbered struct {
	rows map[int]bool
	vars map[uint32]bool // used and not defined; no more than there are rows
	diag *source.Diagnostic
	uses []literalAt // of vars
}

// literalAt is the i-th number of row r.
type literalAt struct{ r, i int }

// findMisnumbered finds the definitions beyond 2M+1 and decides whether the
// undefined literals can be their consequence. With more variables undefined
// than defined beyond the limit there is another cause, and each is reported.
func (p *parser) findMisnumbered() {
	f := p.file
	rows := map[int]bool{}
	for _, r := range f.suspects {
		k, _, ok := f.place(int(r))
		row := f.rows.at(int(r))
		if least, most := rowSize(k); !ok || !k.defines() || !row.isSound() || row.n < least || row.n > most {
			continue
		}
		first, _ := f.defs.row(row.num[0] >> 1)
		if row.num[0] > f.maxLit && row.num[0]&1 == 0 && first == int(r) {
			rows[int(r)] = true
		}
	}
	if len(rows) == 0 {
		return
	}
	vars := map[uint32]bool{}
	for _, r := range f.suspects {
		k, _, ok := f.place(int(r))
		if !ok {
			continue
		}
		from, to := usesOf(k)
		row := f.rows.at(int(r))
		for i := from; i < min(to, row.n); i++ {
			if lit := row.num[i]; lit > 1 && lit <= f.maxLit && f.defs.entry(lit>>1) == 0 {
				if vars[lit>>1] = true; len(vars) > len(rows) {
					return
				}
			}
		}
	}
	p.misnumbered = misnumbered{rows: rows, vars: vars}
}

// reportMisnumbered reports a definition beyond 2M+1. The first one stands for
// the literals that are undefined because of it.
func (p *parser) reportMisnumbered(k SectionKind, r int) {
	f, m := p.file, &p.misnumbered
	diag := p.reportRange(r, 0, k.One()+" literal")
	if m.diag != nil || !m.rows[r] {
		return
	}
	m.diag = diag
	if len(m.rows) == 1 {
		for v := range m.vars { // one at most
			diag.AddFix(fmt.Sprintf("Write %d, which is used and not defined", 2*v), source.Edit{Span: f.numberSpan(r, 0), NewText: fmt.Sprint(2 * v)})
		}
	}
}

// settleMisnumbered makes the literals that are undefined because of a
// definition beyond 2M+1 related places of its diagnostic.
func (p *parser) settleMisnumbered() {
	f, m := p.file, &p.misnumbered
	for n, use := range m.uses {
		if n < maxRelated {
			m.diag.Relate(f.numberSpan(use.r, use.i), "literal %d is used and not defined", f.rows.at(use.r).num[use.i])
		}
		p.taint(use.r, CodeLiteralOutOfRange, m.diag)
	}
}
