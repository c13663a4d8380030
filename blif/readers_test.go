package blif_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/internal/peers"
)

// reader is a program that reads BLIF.
type reader struct {
	name string
	run  func(t testing.TB, script string) (said string, err error)
	// begin returns the commands that come first. The library of cells may be "".
	begin func(library string) string
	// convert returns ways to read a file and to write the circuit that the program
	// understands, as AIGER with symbols. A later way takes files that an earlier one rejects.
	convert func(t testing.TB, path, out string) []string
	// otherwise lists the files of the corpus that the program rejects, or
	// understands as another circuit, by the reason.
	otherwise map[string][]string
}

// readers are the programs that read the corpus besides.
var readers = []reader{
	{"ABC", peers.ABC, beginABC, convertByABC, map[string][]string{
		"a row is too long": {"cudd-adj49"},
		"spaces in a row":   {"picotrav-not_b"},
		"cells of Yosys, which ABC does not know": {
			"gen-yosys-arb-assert-cells", "gen-yosys-fifo-conn-attr-param-cname", "gen-yosys-fifo-icells-gates", "gen-yosys-fifo-lut4",
			"vtr-eblif-sha", "yosys-gatesi",
		},
		"black boxes: ABC makes their pins outputs and inputs of the circuit": {
			"gen-yosys-hier-blackbox", "vtr-adder_4bit_carry", "vtr-blink-abc", "vtr-blink-odin", "vtr-eblif-blank_param_attr",
			"vtr-noc-simple4", "vtr-titan-tiny_murax",
		},
		"ABC crashes": {
			"own/blackbox-unconnected", "own/kiss-fsm", "own/mlatch", "own/no-model-no-end",
		},
		"instances of models that are nowhere": {
			"gen-yosys-hier-plain", "own/extended-attributes", "vtr-eblif-test", "vtr-micro-carry_chain", "vtr-micro-mult8_ram8",
			"vtr-micro-ndff", "vtr-micro-sub_tiles",
		},
		"ABC infers no ports": {"own/implicit-ports"},
		"instances with latches in a cycle, which ABC takes for a combinational one": {
			"sis-course/DATA-PATH", "sis-course/FSMD", "sis-course/counter",
		},
		"a state table without logic":       {"sis-course/FSM"},
		"latches that do not step together": {"own/latch-forms", "vtr-multiclock"},
	}},
	{"Yosys", peers.Yosys, beginYosys, convertByYosys, map[string][]string{
		"a row is too long": {"cudd-adj49"},
		"spaces in a row":   {"picotrav-not_b"},
		"black boxes, which AIGER cannot hold": {
			"own/blackbox-unconnected", "vtr-adder_4bit_carry", "vtr-blink-abc", "vtr-blink-odin", "vtr-noc-simple4",
			"vtr-titan-tiny_murax",
		},
		"instances of models that are nowhere": {
			"gen-abc-s382-mapped-gates", "gen-yosys-hier-plain", "vtr-micro-carry_chain", "vtr-micro-mult8_ram8",
			"vtr-micro-ndff", "vtr-micro-sub_tiles",
		},
		"parameters that the model does not have":                {"vtr-eblif-blank_param_attr", "vtr-eblif-test"},
		"$undef, a value that it does not write":                 {"gen-yosys-fifo-conn-attr-param-cname"},
		"Yosys crashes":                                          {"gen-yosys-fifo-icells-gates"},
		"attributes of a .names, which Yosys writes, not reads":  {"gen-yosys-hier-blackbox", "own/extended-attributes"},
		"names in front of which Yosys wants a \\":               {"own/names-odd-characters"},
		"comments after a directive, which Yosys takes for nets": {"own/continuation-and-comments"},
		"Yosys infers no ports":                                  {"own/implicit-ports"},
		"latches that do not step together":                      {"own/latch-forms", "vtr-multiclock"},
		"directives that Yosys does not know, or indented ones": {
			"own/abc-constraint", "own/exdc", "own/gates-mapped", "own/kiss-fsm", "own/mlatch",
			"own/no-model-no-end", "own/timing-and-area", "sis-course/FSM-net", "sis-course/FSM", "sis-course/FSMD", "yosys-gatesi",
		},
	}},
}

// isLong says that the tests take what make torture takes.
func isLong() bool { return os.Getenv("AIGLENS_LONG") != "" }

func beginABC(library string) string {
	if library == "" {
		return ""
	}
	return "read_library " + library + "; "
}

func convertByABC(_ testing.TB, path, out string) []string {
	return []string{"empty; read_blif " + path + "; strash; write_aiger -s " + out + "; "}
}

// yosysLimit returns the size in bytes from which on Yosys writes its circuit, some
// ten gates for each row, too slowly for a test.
func yosysLimit() int {
	if isLong() {
		return 300_000
	}
	return 60_000
}

func beginYosys(string) string { return "" }

// convertByYosys takes the first model of a file as the top. Covers become tables, which
// Yosys makes from up to 12 inputs, or else sums of products. Its library of cells, which
// takes longer to read than most files, is read only for cells that need it.
func convertByYosys(t testing.TB, path, out string) []string {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), ".model")
	top := strings.Fields(rest + " -")[0]
	var ways []string
	for _, way := range []struct{ covers, cells string }{{"", ""}, {"", "techmap; "}, {"-sop ", "techmap; "}} {
		ways = append(ways, "design -reset; read_blif "+way.covers+path+"; hierarchy -check -top "+top+
			"; flatten; "+way.cells+"simplemap; dffunmap; aigmap; write_aiger -symbols "+out+"; ")
	}
	return ways
}

// reading is the circuit that a program understands, or why it rejects the file.
type reading struct {
	data []byte
	err  error
}

// readAll makes one process read all files. After a file that it rejects, which is then read
// alone, another process reads on.
func (r reader) readAll(t testing.TB, paths []string, library string) []reading {
	t.Helper()
	dir := t.TempDir()
	out := func(i int) string { return filepath.Join(dir, fmt.Sprint(i, ".aig")) }
	readings := make([]reading, 0, len(paths))
	for len(readings) < len(paths) {
		script := r.begin(library)
		for i := len(readings); i < len(paths); i++ {
			script += r.convert(t, paths[i], out(i))[0]
		}
		_, _ = r.run(t, script) // what is missing then is read alone, and its error with it
		for len(readings) < len(paths) {
			data, err := os.ReadFile(out(len(readings)))
			if err != nil {
				break
			}
			readings = append(readings, reading{data: data})
		}
		if at := len(readings); at < len(paths) {
			readings = append(readings, r.read(t, paths[at], library))
		}
	}
	return readings
}

// read makes a process of its own read a file, in one way after the other.
func (r reader) read(t testing.TB, path, library string) (last reading) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "alone.aig")
	for _, convert := range r.convert(t, path, out) {
		said, err := r.run(t, r.begin(library)+convert)
		if last.data, last.err = peers.Written(out, said, err); last.err == nil {
			break
		}
	}
	return last
}
