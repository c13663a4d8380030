package yosys_test

import (
	"slices"
	"testing"

	"aiglens/internal/yosys"
)

func TestReadClocks(t *testing.T) {
	got := yosys.ReadClocks([]byte("name top\nposedge 2\nevent 3\nnegedge 40\r\nposedge\nposedge x\nbad 7 a"))
	if want := []yosys.RowClock{{Row: 2, Edge: "posedge"}, {Row: 40, Edge: "negedge"}}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}
