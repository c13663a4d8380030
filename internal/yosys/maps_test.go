package yosys

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"aiglens/internal/shared"
)

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// written is a map in the words of its file, by section.
func written(m *Map) string {
	var b strings.Builder
	section := func(keyword string, entries []Entry) {
		for _, e := range entries {
			word := keyword
			if e.Inverted {
				word = "inv" + keyword
			}
			fmt.Fprintf(&b, "%s %d %d %s\n", word, e.Index, e.Bit.Index, e.Bit.Name)
		}
	}
	section("input", m.Inputs)
	section("init", m.Inits)
	section("output", m.Outputs)
	section("latch", m.Latches)
	if m.InitLatch >= 0 {
		fmt.Fprintf(&b, "ninitff %d\n", m.InitLatch)
	}
	section("wire", m.Wires)
	return b.String()
}

// TestReadMap reads what Yosys 0.23 wrote, and what other versions do.
func TestReadMap(t *testing.T) {
	check := func(text string) {
		t.Helper()
		m, err := ReadMap([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := written(m); got != strings.ReplaceAll(text, "\r", "") {
			t.Errorf("got\n%s\nof\n%s", got, text)
		}
	}
	for _, name := range []string{"uninit.aim", "fifo.aim", "hier.vmap"} {
		check(string(file(t, name)))
	}
	check("")
	check("input 0 -2 x\r\ninvlatch 3 0 u1.state\r\nninitff 4\r\n")
	check("latch 0 3 q\nlatch 0 0 u1.q\nlatch 1 2 mem[3]\nwire 7 0 $abc$1$new_n2_\n")
	check("input 0 0 my name\n") // blanks of an escaped identifier
}

// TestReadMapFaults says where a map is damaged.
func TestReadMapFaults(t *testing.T) {
	for text, want := range map[string]string{
		"input 0 0 clk\nlatch 0 0 g[0].c":        "line 2, column 1: the last line has no line break: the map is not complete",
		"input 0 0 clk\nlatches 0 0 q\n":         `line 2, column 1: expected input, init, output, latch, invlatch, ninitff or wire, found "latches"`,
		"input 0 0\n":                            "line 1, column 10: the name is missing",
		"input 0 0 \t\n":                         "line 1, column 12: the name is missing",
		"input -1 0 a\n":                         `line 1, column 7: expected the index of the input, found "-1"`,
		"input 99999999999 0 a\n":                `line 1, column 7: expected the index of the input, found "99999999999"`,
		"latch 0 q 0\n":                          `line 1, column 9: expected the number of a bit, found "q"`,
		"latch 0\n":                              `line 1, column 8: expected the number of a bit, found ""`,
		"ninitff 1 0 q\n":                        `line 1, column 11: expected the end of the line, found "0 q"`,
		"ninitff 1\nninitff 2\n":                 "line 2, column 9: ninitff names latch 1 and 2",
		"latch 0 0 q\ninvlatch 1 0 q\n":          "line 2, column 14: q bit 0 names invlatch 0 and 1",
		"input 0 0 q\ninit 0 0 q\n":              "line 2, column 1: init names input 0, which input names too",
		"input 0 0 a\x00b\n":                     `line 1, column 11: the name "a\x00b" holds a control character`,
		"input 0 0 \xff\n":                       `line 1, column 11: the name "\xff" is not UTF-8`,
		`{"version": "Yosys Witness Aiger map"}`: "line 1, column 1: the last line has no line break: the map is not complete",
		strings.Repeat("a", 10_000) + "\n":       `line 1, column 1: expected input, init, output, latch, invlatch, ninitff or wire, found "` + strings.Repeat("a", 40) + `…"`,
	} {
		if m, err := ReadMap([]byte(text)); m != nil || err == nil || err.Error() != want {
			t.Errorf("%.60q: %v, want %s", text, err, want)
		}
	}
}

func TestReadWitnessMap(t *testing.T) {
	m, err := ReadWitnessMap(file(t, "uninit.ywa"))
	if err != nil {
		t.Fatal(err)
	}
	if m.Latches != 7 || m.Inputs != 11 || len(m.Ports) != 6 || len(m.Seqs) != 0 || len(m.Inits) != 5 || m.HasAsserts || m.HasAssumes {
		t.Errorf("%+v", m)
	}
	if c := m.Clocks; len(c) != 1 || c[0].Edge != "posedge" || c[0].Path.String() != "clk" || c[0].Line != 7 {
		t.Errorf("clocks %+v", c)
	}
	if b := m.Inits[1]; b.Input != 9 || b.Offset != 3 || b.Path.String() != "q" || b.Line != 21 {
		t.Errorf("init %+v", b)
	}

	m, err = ReadWitnessMap([]byte(`{"version":"Yosys Witness Aiger map","gennerator":"Yosys 0.60","later":{"a":[1]},
"latch_count":1,"input_count":2,"clocks":[],"inputs":[{"path":["\\u1","\\a"],"input":0,"offset":0}],
"seqs":[{"path":["\\u1","$seq"],"input":1,"offset":7}],"inits":[],
"asserts":[["\\u1","\\a_cnt"],["\\_witness_","\\assert_t_sv_5"]],"assumes":[]}
`))
	if err != nil {
		t.Fatal(err)
	}
	if !m.HasAsserts || !m.HasAssumes || len(m.Asserts) != 2 || m.Asserts[0].String() != "u1.a_cnt" || m.Seqs[0].Path.String() != "u1.$seq" {
		t.Errorf("%+v", m)
	}
	if got := (Path{`\u1`, `\mem`, `\[12]`}).String(); got != "u1.mem[12]" {
		t.Errorf("a word of a memory is %s", got)
	}
}

// TestReadWitnessMapFaults says where a map is damaged.
func TestReadWitnessMapFaults(t *testing.T) {
	with := func(members string) string {
		return "{\n\"version\": \"Yosys Witness Aiger Map\", \"latch_count\": 1, \"input_count\": 2,\n" + members + "}"
	}
	for text, want := range map[string]string{
		"":                                       "line 1, column 1: the file ends before the object does: it is not complete",
		"[]":                                     "line 1, column 1: expected an object",
		"{}":                                     `line 1, column 1: expected the version "Yosys Witness Aiger map", found none`,
		`{"version": "Yosys Witness BTOR map"}`:  `line 1, column 13: expected the version "Yosys Witness Aiger map", found "Yosys Witness BTOR map"`,
		`{"version": 1}`:                         "line 1, column 13: expected text, found number",
		`{"version": null}`:                      "line 1, column 13: expected a value, found null",
		`{"version": "Yosys Witness Aiger map"}`: "line 1, column 1: latch_count is missing",
		`{"version": "Yosys Witness Aiger map", "latch_count":1}`:                                                                         "line 1, column 1: input_count is missing",
		`{"version": "Yosys Witness Aiger map", "latch_count":1.5}`:                                                                       "line 1, column 54: expected a whole number, found number 1.5",
		`{"version": "Yosys Witness Aiger map", "latch_count":-1}`:                                                                        "line 1, column 54: the count -1 is out of range",
		with(`"inputs": [{"path": ["\\a"], "offset": 0}]`):                                                                                "line 3, column 12: input is missing",
		with(`"inputs": [{"path": ["\\a"], "input": null,"offset":0}]`):                                                                   "line 3, column 12: input is missing",
		with(`"inputs": [{"path": ["\\a"], "input": 0}]`):                                                                                 "line 3, column 12: offset is missing",
		with(`"inputs": [{"input": 0, "offset": 0}]`):                                                                                     "line 3, column 12: path is missing",
		with(`"inits": [{"path": ["\\a", null], "input": 0, "offset": 0}]`):                                                               "line 3, column 11: the path holds null",
		with(`"inits": [{"path": ["\\"], "input": 0, "offset": 0}]`):                                                                      "line 3, column 11: in the path: the name is missing",
		with(`"inits": [{"path": ["\\a\n"], "input": 0, "offset": 0}]`):                                                                   `line 3, column 11: in the path: the name "a\n" holds a control character`,
		with(`"inits": [{"path": "a", "input": 0, "offset": 0}]`):                                                                         "line 3, column 11: expected a list, found string",
		with(`"inputs": [{"path": ["\\a"], "input": 2, "offset": 0}]`):                                                                    "line 3, column 1: there is no input 2: input_count is 2",
		with("\"inputs\": [{\"path\": [\"\\\\a\"], \"input\": 0, \"offset\": 0},\n{\"path\": [\"\\\\a\"], \"input\": 1, \"offset\": 0}]"): "line 4, column 1: bit 0 of a is input 0 and 1",
		with(`"clocks": [{"path": ["\\a"], "input": 0, "offset": 0}]`):                                                                    "line 3, column 12: the clock a has no edge: expected posedge or negedge",
		with(`"asserts": [["\\a"], []]`):                                                                                                  "line 3, column 22: path is missing",
		with(`"asserts": 1`):                                                                                                              "line 3, column 12: expected a list",
		with(`"seqs": [], "seqs": []`):                                                                                                    `line 3, column 13: the key "seqs" stands here a second time`,
		with(`"seqs": [],`):                                                                                                               "line 3, column 11: invalid character '}'",
		with(`"seqs": []`) + " x":                                                                                                         "line 3, column 13: expected the end of the file after the object",
		with("\"a\xff\": 1"):                                                                                                              "line 3, column 3: expected UTF-8, found the byte 0xff",
		strings.TrimSuffix(with(`"seqs": [`), "}"):                                                                                        "line 3, column 10: the file ends before the object does: it is not complete",
	} {
		if m, err := ReadWitnessMap([]byte(text)); m != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestReadOfEveryMap reads the maps of the test material.
func TestReadOfEveryMap(t *testing.T) {
	for kind, read := range map[string]func([]byte) *Error{"aim": readAim, "vmap": readAim, "ywa": readYwa} {
		names, _ := filepath.Glob(filepath.Join(shared.Dir(t), "corpus", "yosys", "*."+kind))
		if len(names) < 5 {
			t.Errorf("%d files *.%s", len(names), kind)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := read(data); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func readAim(data []byte) *Error { _, err := ReadMap(data); return err }
func readYwa(data []byte) *Error { _, err := ReadWitnessMap(data); return err }

// TestWide reads a word of 10,000 bits and 100,000 words: no name costs more with the size of
// the map.
func TestWide(t *testing.T) {
	var aim, ywa strings.Builder
	const bits = 110_000
	ywa.WriteString("{\"version\": \"Yosys Witness Aiger map\", \"latch_count\": 0, \"input_count\": 110000, \"inputs\": [")
	for i := range bits {
		name, bit := "wide", i
		if i >= 10_000 {
			name, bit = fmt.Sprint("w", i), 0
		}
		fmt.Fprintf(&aim, "input %d %d %s\n", i, bit, name)
		fmt.Fprintf(&ywa, "%s\n{\"path\": [\"\\\\%s\"], \"input\": %d, \"offset\": %d}", map[bool]string{true: ","}[i > 0], name, i, bit)
	}
	ywa.WriteString("]}\n")
	before := shared.CPUTime(t)
	if m, err := ReadMap([]byte(aim.String())); err != nil || len(m.Inputs) != bits || m.Inputs[9_999].Bit != (Bit{"wide", 9_999}) {
		t.Errorf("map: %v", err)
	}
	if m, err := ReadWitnessMap([]byte(ywa.String())); err != nil || len(m.Ports) != bits || m.Ports[9_999].Line != 10_001 {
		t.Errorf("witness map: %v", err)
	}
	if took := shared.CPUTime(t) - before; took > 5*time.Second {
		t.Errorf("took %s", took)
	}
}

// mutated damages a text at some places.
func mutated(random *rand.Rand, data []byte) []byte {
	data = slices.Clone(data)
	for range 1 + random.IntN(3) {
		at := random.IntN(len(data))
		switch random.IntN(5) {
		case 0:
			data[at] ^= 1 << random.IntN(8)
		case 1:
			data = slices.Delete(data, at, min(len(data), at+1+random.IntN(8)))
		case 2:
			data = slices.Insert(data, at, data[random.IntN(len(data))])
		case 3:
			data = data[:at]
		default:
			copy(data[at:], data[random.IntN(len(data)):])
		}
		if len(data) == 0 {
			return data
		}
	}
	return data
}

// TestMutatedMaps damages real maps: each is refused at a place that it has, or read as a naive
// reader reads it.
func TestMutatedMaps(t *testing.T) {
	refused := 0
	for seed := range uint64(600) {
		random := rand.New(rand.NewPCG(seed, 31))
		name := []string{"uninit.aim", "fifo.aim", "hier.vmap", "uninit.ywa"}[seed%4]
		data := mutated(random, file(t, name))
		if filepath.Ext(name) == ".ywa" {
			refused += checkWitnessMap(t, data)
		} else {
			refused += checkMap(t, data)
		}
	}
	if refused < 200 {
		t.Errorf("only %d refused", refused)
	}
}

// checkMap reads a map and holds what is accepted against a naive reader.
func checkMap(t *testing.T, data []byte) (refused int) {
	t.Helper()
	m, err := ReadMap(data)
	if err != nil {
		inText(t, data, err)
		return 1
	}
	want := map[string]int{}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(data), "\n"), "\n") {
		words := strings.Fields(line)
		if len(words) > 3 {
			index, _ := strconv.Atoi(words[1])
			bit, _ := strconv.Atoi(words[2])
			want[fmt.Sprintf("%s %d %d %s", words[0], index, bit, strings.Join(words[3:], " "))]++
		}
	}
	for line := range strings.Lines(written(m)) {
		line = strings.Join(strings.Fields(line), " ")
		if !strings.HasPrefix(line, "ninitff ") {
			want[line]--
		}
	}
	for line, n := range want {
		if n != 0 {
			t.Errorf("%q: %+d in\n%q", line, n, data)
		}
	}
	return 0
}

func checkWitnessMap(t *testing.T, data []byte) (refused int) {
	t.Helper()
	m, err := ReadWitnessMap(data)
	if err != nil {
		inText(t, data, err)
		return 1
	}
	for _, bits := range [][]PathBit{m.Ports, m.Seqs, m.Inits} {
		for _, b := range bits {
			if b.Input < 0 || b.Input >= m.Inputs || b.Offset < 0 || len(b.Path) == 0 || faultOf(b.Path.String()) != "" {
				t.Errorf("%+v", b)
			}
		}
	}
	return 0
}

func inText(t *testing.T, data []byte, err *Error) {
	t.Helper()
	lines := strings.Split(string(data), "\n")
	if err.Line < 1 || err.Line > len(lines) || err.Column < 1 || err.Column > len(lines[err.Line-1])+1 || err.Reason == "" {
		t.Errorf("the error %v lies outside of %q", err, data)
	}
}

func FuzzMap(f *testing.F) {
	for _, name := range []string{"uninit.aim", "hier.vmap"} {
		f.Add(file(f, name))
	}
	f.Add([]byte("ninitff 3\ninvlatch 0 -1 a b\n"))
	f.Fuzz(func(t *testing.T, data []byte) { checkMap(t, data) })
}

func FuzzWitnessMap(f *testing.F) {
	f.Add(file(f, "uninit.ywa"))
	f.Add([]byte(`{"version":"Yosys Witness Aiger map","latch_count":1,"input_count":1,"asserts":[["\\a"]]}`))
	f.Fuzz(func(t *testing.T, data []byte) { checkWitnessMap(t, data) })
}
