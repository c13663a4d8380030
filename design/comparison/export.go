package comparison

import (
	"context"
	"fmt"

	"aiglens/circuit/compare"
	"aiglens/design"
	"aiglens/internal/wave"
)

// endings are those of the files that a difference is written to.
var endings = map[string]string{
	Witness: ".wit", string(wave.VCD): ".vcd", string(wave.JSON): ".json", string(wave.WaveDrom): ".wavedrom.json", string(wave.Markdown): ".md",
}

// Witness is the format of AIGER witnesses; the others are those of waves.
const Witness = "witness"

// The sides of a comparison, as people name them.
const (
	Here  = "here"
	There = "there"
)

// CheckExport returns why a difference cannot be written in such a way; nil when it can.
func CheckExport(format, side string) error {
	if endings[format] == "" {
		return fmt.Errorf("%q is not a format of differences: expected witness, vcd, json, wavedrom or markdown", format)
	}
	if side != "" && side != Here && side != There {
		return fmt.Errorf("%q is not a side of a comparison: expected here or there", side)
	}
	return nil
}

// Export returns a difference as text: as a wave with both sides, or as a witness of one of
// them; and what a file of it is called, after the name of this side's. names are those of both
// texts. The error is that of ctx, or a sentence for the user.
func Export(ctx context.Context, docs [2]*design.Design, m *compare.Matching, d *compare.Difference, names [2]string, format, side string) (text []byte, ending string, err error) {
	s := Sides{Matching: m, Names: names, Docs: docs}
	if format == Witness {
		i, letter := 0, "a"
		if side == There {
			i, letter = 1, "b"
		}
		text, err = s.Witness(ctx, d, i)
		return text, "." + s.FileName(d) + "." + letter + endings[format], err
	}
	var w wave.Wave
	if format == string(wave.Markdown) {
		w, err = s.ShortWave(ctx, d, NewTrails(docs, m))
	} else {
		w, err = s.Wave(ctx, d)
	}
	if err == nil {
		text, err = w.Append(nil, wave.Format(format))
	}
	return text, "." + s.FileName(d) + endings[format], err
}
