package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// onFile are calls of every command that takes a file: that is $file, and $good stands for a sound
// one where the command takes two.
var onFile = []string{
	"check --no-cache $file", "check --no-cache --format hwmcc $file", "lint $file", "fmt $file", "fmt -d $file", "convert --to aag $file", "convert --to blif $file",
	"replay --witness $witness $file", "replay --witness $file $good", "certify $file $good", "certify $good $file",
	"cover --latches $file", "cover --signal 2 $file", "equiv $file $good", "equiv $good $file", "equiv --map $file $good $good",
	"simulate $file", "suggest $file", "isolate $file", "another $file", "stats $file", "proof $file", "obstacle $file",
	"cone --signal 2 $file", "at -- $file:1", "draw $file", "draw --states $file", "reduce --while-verdict refuted $file",
	"hwmcc $file $tmp/sat $tmp/unsat", "sby $file", "horn $file", "check --no-cache --genlib $file $blif", "bench --csv $tmp/none.csv $file",
}

// faultOfFile is a way in which a file cannot be used, and what the line about it says.
type faultOfFile struct {
	name, says string
	make       func(t *testing.T, path string)
}

func withContent(data string) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func packedBy(t *testing.T, data string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(data)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return out.String()
}

// faultsOfFiles are the rows of the matrix. A link to itself cannot be read by root either.
func faultsOfFiles(t *testing.T) []faultOfFile {
	good, err := os.ReadFile(examplesFolder + "counter.aag")
	if err != nil {
		t.Fatal(err)
	}
	text, blif, verilog := string(good), ".model m\n.inputs a\n.outputs y\n.names a y\n1 1\n.end\n", "// a\nmodule m(input a);\nendmodule\n"
	packed := packedBy(t, text)
	return []faultOfFile{
		{"missing.aag", "no such file", func(*testing.T, string) {}},
		{"folder.aag", "found a folder|no circuit below this folder|no file that ends in", func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}},
		{"unreadable.aag", "symbolic links", func(t *testing.T, path string) {
			if err := os.Symlink(filepath.Base(path), path); err != nil {
				t.Skip(err)
			}
		}},
		{"forbidden.aag", "permission denied", func(t *testing.T, path string) {
			withContent(text)(t, path)
			if err := os.Chmod(path, 0); err != nil {
				t.Fatal(err)
			}
			if f, err := os.Open(path); err == nil {
				f.Close()
				t.Skip("this user may read every file")
			}
		}},
		{"empty.aag", "empty file|no header", withContent("")},
		{"empty.blif", "the file holds no model", withContent("")},
		{"garbage.aag", "expected aag or aig|no header", withContent("\x00\x9f\x1b[31m\x80\xff\n\x00\x01")},
		{"truncated.aag", "the header announces ", withContent(text[:40])},
		{"truncated.aig", "the file ends|no white space", withContent("aig 3 2 0 1 1\n6\n\x02")},
		{"truncated.blif", "", withContent(".model m\n.inputs a\n.outputs bad\n.latch n bad 0\n.names a b n\n1")},
		{"truncated.aag.gz", "the file is truncated", withContent(packed[:len(packed)/2])},
		{"plain.aag.gz", "expected a file that gzip has packed", withContent(text)},
		{"packed.aag", "gzip has packed", withContent(packed)},
		{"blif.aag", "this looks like BLIF, not like AIGER: let its name end in .blif", withContent(blif)},
		{"aiger.blif", "this looks like AIGER, not like BLIF: let its name end in .aag", withContent(text)},
		{"verilog.aag", "this looks like Verilog, not like AIGER: let Yosys write AIGER or BLIF", withContent(verilog)},
		{"verilog.blif", "this looks like Verilog, not like BLIF: let Yosys write AIGER or BLIF", withContent(verilog)},
		{"clauses.smt2", "the file has Horn clauses", withContent(fmt.Sprintf(clauseText, "(= y 2)"))},
		{"file.aag.xz", "unpack it with xz -d", withContent("\xfd7zXZ\x00\x00")},
	}
}

// reads reports whether a call takes what is a fault for others, or says something else of it.
func reads(call, name string) bool {
	command := strings.Fields(call)[0]
	switch {
	case command == "bench": // counts what cannot be checked
		return !slices.Contains([]string{"missing.aag", "folder.aag"}, name)
	case name == "clauses.smt2": // see TestEveryCommandOnClauses
		return call == "check --no-cache $file" || slices.Contains([]string{"lint", "horn", "fmt", "stats", "at", "certify"}, command)
	case command == "lint", command == "horn", command == "at": // whose result are the errors of a text, or of a place in it
		return !slices.Contains([]string{"missing.aag", "folder.aag", "unreadable.aag", "forbidden.aag", "truncated.aag.gz", "plain.aag.gz", "file.aag.xz"}, name)
	case command == "fmt" && (name == "truncated.blif" || name == "empty.blif"): // what there is is formatted
		return true
	case strings.Contains(call, "--map"): // an empty one renames nothing
		return strings.HasPrefix(name, "empty")
	}
	return false
}

// TestFaultsOfFiles calls every command with every fault of a file: each says so in one line that
// names the file, writes nothing else, and exits with 2.
func TestFaultsOfFiles(t *testing.T) {
	circuits := circuitsOfMatrix(t)
	other := filepath.Join(t.TempDir(), "sound.blif")
	withContent(".model m\n.inputs a\n.outputs y\n.gate g A=a Y=y\n.end\n")(t, other)
	called := map[string]bool{}
	for _, fault := range faultsOfFiles(t) {
		t.Run(fault.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), fault.name)
			fault.make(t, path)
			for _, call := range onFile {
				args := strings.Fields(strings.NewReplacer("$file", path, "$blif", other).Replace(circuits.Replace(call)))
				called[args[0]] = true
				if reads(call, fault.name) {
					continue
				}
				out, said, code := runOn(nil, args...)
				about := strings.Split(fault.says, "|")
				if isContent := strings.HasPrefix(call, "replay --witness $file") || strings.Contains(call, "--genlib $file") || strings.Contains(call, "--map $file") || strings.HasPrefix(call, "certify"); isContent {
					about = nil // the fault may be another one where no circuit, or AIGER, is expected
				}
				line := string(said)
				switch {
				case fault.name == "truncated.blif" && code == exitUsage && strings.Contains(line, fault.name+":"): // has several errors
				case code != exitUsage, len(out) > 0, strings.Count(line, "\n") != 1, !strings.Contains(line, fault.name), strings.Contains(line, "internal error"):
					t.Errorf("%s: exit code %d, on standard output %q, said\n%s", call, code, out, said)
				case len(about) > 0 && !slices.ContainsFunc(about, func(words string) bool { return strings.Contains(line, words) }):
					t.Errorf("%s: %q is missing in %s", call, about, line)
				}
			}
		})
	}
	for _, c := range commands() {
		if takesNoFile := append(slices.Clone(services), "cache", "completion", "man", "help"); !called[c.name] && !slices.Contains(takesNoFile, c.name) {
			t.Errorf("no call of %s is tried", c.name)
		}
	}
}

// TestGoodPacked: what gzip has packed is read by every command as what it holds.
func TestGoodPacked(t *testing.T) {
	circuits := circuitsOfMatrix(t)
	text, err := os.ReadFile(examplesFolder + "counter.aag")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	plain, packed := filepath.Join(dir, "counter.aag"), filepath.Join(dir, "counter.aag.gz")
	withContent(string(text))(t, plain)
	withContent(packedBy(t, string(text)))(t, packed)
	for _, call := range onFile {
		if strings.Contains(call, "--map") || strings.Contains(call, "--genlib") || strings.Contains(call, "bench") || strings.Contains(call, "--witness") || strings.HasPrefix(call, "sby") { // sby says how far it is
			continue
		}
		of := func(stdin, path string) (code int, same string) {
			args := strings.Fields(strings.NewReplacer("$file", path).Replace(circuits.Replace(call)))
			out, said, code := runOn([]byte(stdin), args...)
			return code, withoutTimes(strings.ReplaceAll(string(out)+string(said), path, "FILE"))
		}
		code, want := of("", plain)
		for _, x := range [][2]string{{"", packed}, {packedBy(t, string(text)), "-"}} {
			gotCode, got := of(x[0], x[1])
			if gotCode != code || x[1] != "-" && got != want {
				t.Errorf("%s of %s: exit code %d and\n%s\nwant %d and\n%s", call, x[1], gotCode, got, code, want)
			}
		}
	}
}

// withoutTimes leaves out what differs from run to run.
func withoutTimes(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if at := strings.LastIndex(line, " · "); at >= 0 && strings.HasSuffix(line, " s") {
			lines[i] = line[:at]
		}
	}
	return strings.Join(lines, "\n")
}

// TestWrongWords calls every command with a flag that it does not have, and with a format, a name or
// a pattern that does not exist.
func TestWrongWords(t *testing.T) {
	circuits := circuitsOfMatrix(t)
	other := filepath.Join(t.TempDir(), "sound.blif")
	withContent(".model m\n.inputs a\n.outputs y\n.names a y\n1 1\n.end\n")(t, other)
	for _, c := range commands() {
		out, said, code := runOn(nil, c.name, "--frobnicate")
		if code != exitUsage || len(out) > 0 || strings.Count(string(said), "\n") != 1 || !strings.Contains(string(said), "--frobnicate") {
			t.Errorf("%s --frobnicate: exit code %d, on standard output %q, said\n%s", c.name, code, out, said)
		}
	}
	for call, says := range map[string]string{
		"check --format xml $good": `there is no format "xml"`, "lint --format xml $good": `"xml"`, "convert --to xml $good": `"xml"`,
		"replay --to xml --witness $witness $broken": `"xml"`, "cover --signal 2 --to xml $good": `"xml"`, "cover --latches --format xml $good": `"xml"`,
		"equiv --format xml $good $good": `"xml"`, "certify --format xml $model $certificate": `"xml"`, "suggest --format xml $good": `"xml"`,
		"isolate --format xml $good": `"xml"`, "another --format xml $good": `"xml"`, "stats --format xml $good": `"xml"`, "proof --format xml $good": `"xml"`,
		"obstacle --format xml $good": `"xml"`, "cone --signal 2 --to xml $good": `"xml"`, "reduce --to xml --while-verdict refuted $good": `"xml"`,
		"draw -o $tmp/x.png $good": "none of .svg, .dot, .gv", "convert -o $tmp/x.png $good": "--to", "cone --signal 2 -o $tmp/x.png $good": "--to",
		"check --bad nix* $blif": "no output of the top model matches", "stats --bad nix* $blif": "no output of the top model matches",
		"check --assert nix $good": "is about BLIF files", "check --property nix $good": `no property named "nix"`, "check --index bad:9 $good": "no property bad:9",
		"cover --signal nix $good": `"nix"`, "cone --signal nix $good": `no signal "nix"`, "draw --signal nix $good": `no signal "nix"`,
		"draw --index bad:9 $good": "no property bad:9", "isolate --property nix $good": `no property named "nix"`, "another --index bad:9 $good": "no property bad:9",
		"suggest --property nix $good": `no property named "nix"`, "proof --index bad:9 $good": "no property bad:9", "obstacle --property nix $good": `no property named "nix"`,
		"check --engine nix $good": `no engine "nix"`, "check --variant nix $good": `no variant "nix"`, "check --solver nix $good": `no solver "nix"`,
		"check --engine ic3 --variant ic3ref $good": "leave out --engine", "check --on nix $good": "--on", "check --trace-log $tmp/x $good": "--trace-log",
		"check --index nix $good": "nix", "check --timeout nix $good": "nix", "check --memory nix $good": "nix", "check --tactics nix $good": "nix",
	} {
		out, said, code := runOn(nil, strings.Fields(strings.NewReplacer("$blif", other).Replace(circuits.Replace(call)))...)
		first, _, _ := strings.Cut(string(said), "\n")
		if code != exitUsage || len(out) > 0 || !strings.Contains(first, says) {
			t.Errorf("%s: exit code %d, on standard output %q, %q is missing in\n%s", call, code, out, says, said)
		}
		if strings.Count(string(said), "\n") != 1 {
			t.Errorf("%s: more than one line:\n%s", call, said)
		}
	}
}
