package yosys

import (
	"strconv"
	"strings"
)

// RowClock is an input of a BTOR2 file that is a clock, by the number of its row.
type RowClock struct {
	Row  int64
	Edge string // posedge or negedge
}

// ReadClocks returns the clocks of a file that write_btor -i has written: lines such as posedge 2. It skips other lines, also
// those of inputs that are sampled at both edges (event), since no step is one of their cycles.
func ReadClocks(data []byte) (all []RowClock) {
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		if len(words) != 2 || words[0] != "posedge" && words[0] != "negedge" {
			continue
		}
		if row, err := strconv.ParseInt(words[1], 10, 64); err == nil {
			all = append(all, RowClock{row, words[0]})
		}
	}
	return all
}
