package blif_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/internal/peers"
)

// reader is a program that reads BLIF.
type reader struct {
	name string
	// read returns the circuit that the program understands as AIGER with
	// symbols, or why it does not.
	read func(t testing.TB, path, library string) ([]byte, error)
	// otherwise lists the files of the corpus that the program rejects, or
	// understands as another circuit, by the reason.
	otherwise map[string][]string
}

// readers are the programs that read the corpus besides.
var readers = []reader{
	{"ABC", readByABC, map[string][]string{
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
	{"Yosys", readByYosys, map[string][]string{
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

// readByABC has ABC read a file. The library of cells may be "".
func readByABC(t testing.TB, path, library string) ([]byte, error) {
	before := ""
	if library != "" {
		before = "read_library " + library + "; "
	}
	out := filepath.Join(t.TempDir(), "abc.aig")
	script := before + "read_blif " + path + "; strash; write_aiger -s " + out
	said, err := peers.ABC(t, script)
	return peers.Written(out, said, err)
}

// yosysLimit is the size in bytes from which on Yosys writes its circuit, some
// ten gates for each row, too slowly for a test.
const yosysLimit = 300_000

// readByYosys has Yosys read a file, whose first model is the top. Covers
// become tables, which it makes from up to 12 inputs, or else sums of products.
func readByYosys(t testing.TB, path, _ string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	_, rest, _ := strings.Cut(string(data), ".model")
	top := strings.Fields(rest + " -")[0]
	out := filepath.Join(t.TempDir(), "yosys.aig")
	var said string
	for _, covers := range []string{"", "-sop "} {
		script := "read_blif " + covers + path + "; hierarchy -check -top " + top +
			"; flatten; techmap; simplemap; dffunmap; aigmap; write_aiger -symbols " + out
		if said, err = peers.Yosys(t, script); !strings.Contains(said, "fewer than 13") {
			break
		}
	}
	return peers.Written(out, said, err)
}
