package comparison

import (
	"context"
	"fmt"

	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/design/difference"
	"aiglens/internal/wave"
	"aiglens/lsp/wire"
)

// endings are those of the files that a difference is written to.
var endings = map[wire.TraceFormat]string{
	wire.FormatAIGER: ".wit", wire.FormatVCD: ".vcd", wire.FormatJSON: ".json", wire.FormatWaveDrom: ".wavedrom.json", wire.FormatMarkdown: ".md",
}

// CheckExport returns why a difference cannot be written in such a way; nil when it can.
func CheckExport(format wire.TraceFormat, side wire.ComparedSide) error {
	if endings[format] == "" {
		return fmt.Errorf("%q is no format of differences: aiger, vcd, json, wavedrom or markdown", format)
	}
	if side != "" && side != wire.SideHere && side != wire.SideThere {
		return fmt.Errorf("%q is no side of a comparison: here or there", side)
	}
	return nil
}

// Export returns a difference as text: as a wave with both sides, or as a witness of one of
// them; and what a file of it is called, behind the name of this side's. names are those of both
// sides. The error is that of ctx, or a sentence for the user.
func Export(ctx context.Context, m *compare.Matching, d *compare.Difference, names [2]string, format wire.TraceFormat, side wire.ComparedSide) (text []byte, ending string, err error) {
	s := difference.Sides{Matching: m, Names: names}
	if format == wire.FormatAIGER {
		i, letter := 0, "a"
		if side == wire.SideThere {
			i, letter = 1, "b"
		}
		text, err = s.Witness(ctx, d, i)
		return text, "." + s.FileName(d) + "." + letter + endings[format], err
	}
	var w wave.Wave
	if format == wire.FormatMarkdown {
		var latches []difference.Common
		if latches, err = changed(ctx, m, d); err == nil {
			w, err = s.ShortWave(ctx, d, latches)
		}
	} else {
		w, err = s.Wave(ctx, d)
	}
	if err == nil {
		text, err = w.Append(nil, wave.Format(format))
	}
	return text, "." + s.FileName(d) + endings[format], err
}

// changed returns the latches that differ, the first one first, up to a bound.
func changed(ctx context.Context, m *compare.Matching, d *compare.Difference) (all []difference.Common, err error) {
	lits := make([][2]circuit.Lit, len(m.Latches))
	for i, p := range m.Latches {
		lits[i] = [2]circuit.Lit{m.Sides[0].Lit(p.A), m.Sides[1].Lit(p.B)}
	}
	changes, err := m.Trail(ctx, d, lits)
	for _, c := range changes[:min(len(changes), maxTrail)] {
		all = append(all, difference.Common{Name: m.Sides[0].Label(m.Latches[c.Signal].A), Lits: lits[c.Signal]})
	}
	return all, err
}
