package main

import (
	"context"
	"path/filepath"
	"strings"

	"aiglens/circuit/compare"
	"aiglens/design/comparison"
	"aiglens/internal/wave"
)

// sides returns both files by their names.
func (c *comparing) sides() comparison.Sides {
	return comparison.Sides{Matching: c.matching, Names: [2]string{filepath.Base(c.files[0].URI), filepath.Base(c.files[1].URI)}, Docs: c.files}
}

// export writes the runs of all differences where the user asked for them.
func (c *comparing) export(ctx context.Context) error {
	if c.flags.witnesses == "" {
		return nil
	}
	for _, d := range comparison.Differences(c.report) {
		if err := c.write(ctx, d, string(wave.VCD), ""); err != nil {
			return err
		}
		if c.flags.combinational || c.flags.startEqual {
			continue // it is not a run from the reset state
		}
		for _, side := range []string{comparison.Here, comparison.There} {
			if err := c.write(ctx, d, comparison.Witness, side); err != nil {
				return err
			}
		}
	}
	return nil
}

// write writes a difference to a file.
func (c *comparing) write(ctx context.Context, d *compare.Difference, format, side string) error {
	data, ending, err := comparison.Export(ctx, c.files, c.matching, d, c.sides().Names, format, side)
	if err != nil {
		return err
	}
	return c.e.writeInto(c.flags.witnesses, strings.TrimPrefix(ending, "."), data)
}
