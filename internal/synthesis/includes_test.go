package synthesis

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestIncludes holds that files which sources include are found, and those that these include.
func TestIncludes(t *testing.T) {
	at := filepath.Join
	disk := map[string]string{at("inc", "a.vh"): "`include \"b.vh\"\n`include \"a.vh\"\n", at("src", "b.vh"): "initial $readmemh( \"m.hex\", memory);"}
	r := Request{Files: []File{{at("src", "t.sv"), "`include \"a.vh\"\nmodule t; endmodule\n"}}, Include: []string{"inc"}}
	got := r.Includes(func(path string) (string, bool) { content, ok := disk[path]; return content, ok })
	slices.Sort(got)
	want := []string{at("inc", "a.vh"), at("inc", "b.vh"), at("inc", "m.hex"), at("src", "a.vh"), at("src", "b.vh"), at("src", "m.hex")}
	if !slices.Equal(got, want) {
		t.Errorf("the files are %v, want %v", got, want)
	}
}
