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
	got, _ := r.Includes(func(path string) (string, bool) { content, ok := disk[path]; return content, ok })
	slices.Sort(got)
	want := []string{at("inc", "a.vh"), at("inc", "b.vh"), at("inc", "m.hex"), at("src", "a.vh"), at("src", "b.vh"), at("src", "m.hex")}
	if !slices.Equal(got, want) {
		t.Errorf("the files are %v, want %v", got, want)
	}
}

// TestUnknownIncludes: a file whose name is not written there has a place, and comments have none.
func TestUnknownIncludes(t *testing.T) {
	for content, want := range map[string]string{
		"`include \"a.vh\"\n":                          "",
		"\n`include `NAME\n":                           "x.sv:2",
		"initial\n $readmemh(FILE, m);":                "x.sv:2",
		"initial $readmemb (\"m.txt\", m);":            "",
		"// `include NAME\n/*\n $readmemh(FILE, m) */": "",
		"/* a\n b */ `include NAME":                    "x.sv:2",
	} {
		r := Request{Files: []File{{Path: "/d/x.sv", Content: content}}}
		if _, got := r.Includes(func(string) (string, bool) { return "", false }); got != want {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
}
