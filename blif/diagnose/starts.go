package diagnose

import (
	"aiglens/blif"
	"aiglens/blif/cells"
	"aiglens/blif/codes"
	"aiglens/blif/statement"
)

// starts reports the flip-flops of a model that are cells without an initial value, at the first
// of them: they have one cause.
func (l *linter) starts() {
	for _, m := range l.s.Models {
		if l.done() {
			return
		}
		if id, nets := CellsWithoutStart(l.f, m); len(nets) > 0 {
			l.report(codes.WithoutStart(len(nets), l.f.DirectiveSpan(id), true))
		}
	}
}

// CellsWithoutStart returns the nets that flip-flop cells of a model drive and that no .gateinit
// gives an initial value, and the first of these cells.
func CellsWithoutStart(f *blif.File, m *blif.Model) (first int, nets []statement.Name) {
	first = -1
	var given map[statement.Name]bool
	for _, call := range f.Resolved().Calls[m.Index] {
		k, i := f.Locate(call.Statement)
		c := f.Chunks[k]
		if call.Block.Cell == nil || !call.Block.Cell.IsLatch() || call.Block.Cell.Start != "" || c.Stmts[i].Kind == statement.KindMlatch {
			continue
		}
		lo, hi := c.TokensOf(i)
		for t := lo + 2; t+1 < hi; t += 2 {
			if dir, _, ok := call.Block.Port(f.NameText(c.Names[t])); !ok || dir != cells.Output || c.Tokens[t+1].Length == 0 {
				continue
			}
			if given == nil {
				given = startsIn(f, m)
			}
			if !given[c.Names[t+1]] {
				nets = append(nets, c.Names[t+1])
				if first < 0 {
					first = call.Statement
				}
			}
		}
	}
	return first, nets
}

// startsIn returns the nets that the .gateinit lines of a model give an initial value.
func startsIn(f *blif.File, m *blif.Model) map[statement.Name]bool {
	given := map[statement.Name]bool{}
	for k, _ := f.Locate(m.From); k < len(f.Chunks) && int(f.Firsts[k]) < m.BodyEnd; k++ {
		c := f.Chunks[k]
		for i, st := range c.Stmts {
			if id := int(f.Firsts[k]) + i; st.Kind != statement.KindGateInit || id < m.From || id >= m.BodyEnd {
				continue
			}
			lo, hi := c.TokensOf(i)
			for t := lo + 1; t+1 < hi; t += 2 {
				if statement.IsInitialValue(f.WordOf(k, c.Tokens[t+1])) {
					given[c.Names[t]] = true
				}
			}
		}
	}
	return given
}
