package yosys

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"aiglens/internal/peers"
	"aiglens/internal/shared"
)

// randomMap returns a map with words, words of a memory, start values and inputs that stand in no list.
func randomMap(r *rand.Rand) *WitnessMap {
	m := &WitnessMap{}
	add := func(list *[]PathBit, path Path, offset int) {
		*list = append(*list, PathBit{Input: m.Inputs, Path: path, Offset: offset})
		m.Inputs++
	}
	for i := range 1 + r.IntN(6) {
		path := Path{`\u<1>`, fmt.Sprintf(`\w%d`, i)}[r.IntN(2):]
		list := []*[]PathBit{&m.Ports, &m.Seqs, &m.Inits}[r.IntN(3)]
		if i == 0 {
			list = &m.Ports
		}
		for offset := range 1 + r.IntN(12) {
			switch r.IntN(8) {
			case 0: // a gap
			case 1:
				m.Inputs++ // an input that is nothing of the design
				fallthrough
			default:
				add(list, path, offset)
			}
		}
		if list == &m.Inits && r.IntN(2) == 0 {
			for _, address := range []int{10, 2, 9} {
				add(list, Path{`\mem`, fmt.Sprintf(`\[%d]`, address+20*i)}, 0)
			}
		}
	}
	if len(m.Ports) == 0 {
		add(&m.Ports, Path{`\clk`}, 0)
	}
	m.Clocks = append(m.Clocks, Clock{m.Ports[0], "posedge"})
	r.Shuffle(len(m.Inits), func(i, j int) { m.Inits[i], m.Inits[j] = m.Inits[j], m.Inits[i] })
	return m
}

// text is the map as write_aiger -ywmap writes it.
func (m *WitnessMap) text() []byte {
	bits := func(list []PathBit) (all []map[string]any) {
		all = []map[string]any{}
		for _, b := range list {
			all = append(all, map[string]any{"path": b.Path, "input": b.Input, "offset": b.Offset})
		}
		return all
	}
	clocks := []map[string]any{}
	for _, c := range m.Clocks {
		clocks = append(clocks, map[string]any{"path": c.Path, "input": c.Input, "offset": c.Offset, "edge": c.Edge})
	}
	data, _ := json.Marshal(map[string]any{"version": witnessMapVersion, "latch_count": m.Latches, "input_count": m.Inputs,
		"clocks": clocks, "inputs": bits(m.Ports), "seqs": bits(m.Seqs), "inits": bits(m.Inits)})
	return data
}

func randomRows(r *rand.Rand, m *WitnessMap) (rows []string) {
	for range 1 + r.IntN(4) {
		row := make([]byte, m.Inputs)
		for i := range row {
			row[i] = "01xx"[r.IntN(4)]
		}
		rows = append(rows, string(row))
	}
	return rows
}

// TestTraceKeepsValues writes random runs and reads them: each value that the format has a place for is there.
func TestTraceKeepsValues(t *testing.T) {
	lost := 0
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(7, seed))
		m := randomMap(r)
		rows := randomRows(r, m)
		written, left := m.TraceOf(rows)
		read, err := ReadTrace(written.Append(nil))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, written.Append(nil))
		}
		got, unknown, err := m.InputsOf(read)
		if err != nil || len(unknown) > 0 {
			t.Fatalf("seed %d: %v, unknown %v", seed, err, unknown)
		}
		mapped, later := map[int]bool{}, map[int]bool{}
		for b, initOnly := range m.bits() {
			mapped[b.Input], later[b.Input] = true, !initOnly
		}
		var want []string
		for step, row := range rows {
			kept := []byte(row)
			for i := range kept {
				if !mapped[i] || step > 0 && !later[i] {
					lost++
					kept[i] = 'x'
				}
				if !mapped[i] && row[i] != 'x' && !slices.Contains(left, i) {
					t.Errorf("seed %d: input %d is lost", seed, i)
				}
			}
			want = append(want, string(kept))
		}
		if !slices.Equal(got, want) {
			t.Errorf("seed %d:\n%q\n%q\n%s", seed, got, want, written.Append(nil))
		}
	}
	if lost < 100 {
		t.Errorf("only %d values have no place", lost)
	}
}

// TestTraceOfYosys holds traces against those that yosys-witness makes of the same run.
func TestTraceOfYosys(t *testing.T) {
	witness := peers.Program(t, "yosys-witness")
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	ask := func(args ...string) {
		t.Helper()
		if out, err := exec.Command(witness, args...).CombinedOutput(); err != nil {
			t.Fatalf("yosys-witness %v: %v\n%s", args, err, out)
		}
	}
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(in(name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(8, seed))
		m := randomMap(r)
		rows := randomRows(r, m)
		for i, row := range rows { // version 0.23 breaks off where an input that is in no list has a value
			kept := []byte(strings.Repeat("x", len(row)))
			for b := range m.bits() {
				kept[b.Input] = row[b.Input]
			}
			rows[i] = string(kept)
		}
		trace, left := m.TraceOf(rows)
		if len(left) > 0 {
			t.Errorf("seed %d: left %v", seed, left)
		}
		write("map.ywa", m.text())
		write("ours.yw", trace.Append(nil))
		write("run.aiw", []byte("1\nb0\n\n"+strings.Join(rows, "\n")+"\n.\n"))
		ask("display", in("ours.yw"))
		ask("aiw2yw", in("run.aiw"), in("map.ywa"), in("theirs.yw"))
		ask("yw2yw", in("ours.yw"), in("copy.yw"))
		for _, name := range []string{"theirs.yw", "copy.yw"} {
			data, err := os.ReadFile(in(name))
			if err != nil {
				t.Fatal(err)
			}
			theirs, fault := ReadTrace(data)
			if fault != nil {
				t.Fatalf("seed %d: %v\n%s", seed, fault, data)
			}
			for i := range theirs.Signals {
				theirs.Signals[i].Line = 0
			}
			for i := range theirs.Steps {
				theirs.Steps[i].Line = 0
			}
			if !reflect.DeepEqual(theirs, trace) {
				t.Errorf("seed %d: %s is\n%s\nours is\n%s", seed, name, data, trace.Append(nil))
			}
		}
		// Back: version 0.23 writes b0 and the latches as 0.
		ask("yw2aiw", in("ours.yw"), in("map.ywa"), in("back.aiw"))
		back, err := os.ReadFile(in("back.aiw"))
		if err != nil {
			t.Fatal(err)
		}
		read, _ := ReadTrace(trace.Append(nil))
		got, _, fault := m.InputsOf(read)
		if want := strings.Split(string(back), "\n"); fault != nil || !slices.Equal(got, want[3:len(want)-2]) {
			t.Errorf("seed %d: %v, %q, and yosys-witness has\n%s", seed, fault, got, back)
		}
	}
}

const smallTrace = `{
  "format": "Yosys Witness Trace",
  "generator": "smtbmc",
  "clocks": [{"path": ["\\clk"], "edge": "posedge", "offset": 0}],
  "signals": [
    {"path": ["\\d"], "width": 4, "offset": 0, "init_only": false},
    {"path": ["\\q"], "width": 2, "offset": 2, "init_only": true}
  ],
  "steps": [
    {"bits": "1001x0"},
    {"bits": "10"}
  ]
}
`

// TestReadTrace reads a trace that was written by hand: steps are filled up on the left, and what x
// and ? stand for is not given.
func TestReadTrace(t *testing.T) {
	m, err := ReadWitnessMap(file(t, "uninit.ywa"))
	if err != nil {
		t.Fatal(err)
	}
	check := func(text string, want ...string) {
		t.Helper()
		trace, err := ReadTrace([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		rows, unknown, err := m.InputsOf(trace)
		got := rows
		if len(unknown) > 0 {
			got = append(got, "unknown: "+strings.Join(unknown, " "))
		}
		if err != nil {
			got = []string{err.Error()}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, expected %q of\n%s", got, want, text)
		}
		if !IsTrace([]byte(text)) {
			t.Error("it does not look like a trace")
		}
	}
	// Inputs: clk rst d0 d1 d2 d3 q0 q1 q2 q3 seen.
	check(smallTrace, "xx0x10xx01x", "xx01xxxxxxx")
	check(strings.Replace(smallTrace, `"1001x0"`, `"??0110"`, 1), "xx0110xxxxx", "xx01xxxxxxx")
	check(strings.Replace(smallTrace, `\\d"`, `\\e"`, 1), "xxxxxxxx01x", "xxxxxxxxxxx", "unknown: e")
	check(strings.Replace(smallTrace, `\\q"`, `\\d"`, 1),
		"line 7, column 1: d and another signal of the same input differ in step 0")
	check(strings.NewReplacer(`\\d`, `\\e`, `\\q`, `\\r`).Replace(smallTrace),
		"line 6, column 1: no signal of the trace is in the map, not even e: is it of another design?")
	check(`{"format": "Yosys Witness Trace", "signals": [], "steps": [{"bits": ""}]}`, "xxxxxxxxxxx")
	check(`{"format": "Yosys Witness Trace", "signals": [], "steps": []}`)
}

// TestReadTraceFaults says where a trace is damaged.
func TestReadTraceFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":   "line 1, column 1: the file ends before the object does: it is not complete",
		"{}": "line 1, column 1: format is missing",
		strings.Replace(smallTrace, "Witness Trace", "Witness", 1):            `line 2, column 13: expected the format "Yosys Witness Trace", found "Yosys Witness"`,
		strings.Replace(smallTrace, `"steps"`, `"later"`, 1):                  "line 1, column 1: steps is missing",
		strings.Replace(smallTrace, "1001x0", "1001x00", 1):                   "line 10, column 1: step 0 has 7 bits, and the signals have 6",
		strings.Replace(smallTrace, "1001x0", "1002x0", 1):                    `line 10, column 5: the values of a step are 0, 1, x and ?, found "2"`,
		strings.Replace(smallTrace, `{"bits": "10"}`, `{}`, 1):                "line 11, column 5: the step has no bits",
		strings.Replace(smallTrace, `"width": 2,`, ``, 1):                     "line 7, column 5: the signal q has no width",
		strings.Replace(smallTrace, `"width": 2,`, `"width": 2147483647,`, 1): "line 7, column 5: the signal q has no width",
		strings.Replace(smallTrace, `"offset": 2,`, `"offset": -2,`, 1):       "line 7, column 5: the signal q has no offset",
		strings.Replace(smallTrace, `["\\q"]`, `[]`, 1):                       "line 7, column 5: path is missing",
		strings.Replace(smallTrace, `posedge`, `edge`, 1):                     "line 4, column 14: the clock clk has no edge: expected posedge or negedge",
		strings.Replace(smallTrace, `"signals": [`, `"signals": 1, [`, 1):     "line 5, column 14: expected a list",
		smallTrace[:len(smallTrace)-6]:                                        "line 12, column 1: the file ends before the object does: it is not complete",
	} {
		if _, err := ReadTrace([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%v, want %s of\n%.300s", err, want, text)
		}
	}
}

// TestTraceThatPromisesMuch reads short texts that stand for many values.
func TestTraceThatPromisesMuch(t *testing.T) {
	before := shared.CPUTime(t)
	m := &WitnessMap{Inputs: 1_000_000, Ports: []PathBit{{Path: Path{`\a`}}}}
	const head = `{"format": "Yosys Witness Trace", "signals": [{"path": ["\\a"], "width": 2000000000, "offset": 0}], "steps": [`
	trace, err := ReadTrace([]byte(head + strings.Repeat(`{"bits":"0"},`, 50_000) + `{"bits":""}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.InputsOf(trace); err == nil || err.Reason != "50,001 steps are too many for 1,000,000 inputs" {
		t.Error(err)
	}
	trace, err = ReadTrace([]byte(head + `{"bits":"` + strings.Repeat("?", 1_000_000) + `0"}` + strings.Repeat(`,{"bits":"1"}`, 200) + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	if rows, _, err := m.InputsOf(trace); err != nil || len(rows) != 201 || rows[0][:2] != "0x" || rows[200][:2] != "1x" {
		t.Error(err)
	}
	if took := shared.CPUTime(t) - before; took > 5*time.Second {
		t.Errorf("took %s", took)
	}
}

// TestMutatedTraces damages traces: each is refused at a place that it has, or read as a naive reader does.
func TestMutatedTraces(t *testing.T) {
	m, err := ReadWitnessMap(file(t, "uninit.ywa"))
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for seed := range uint64(900) {
		r := rand.New(rand.NewPCG(seed, 32))
		data := []byte(smallTrace)
		if seed%3 > 0 {
			trace, _ := m.TraceOf(randomRows(r, m))
			data = trace.Append(nil)
		}
		if seed%2 == 0 {
			data = mutated(r, data)
		} else {
			for range 1 + r.IntN(3) {
				if at := r.IntN(len(data)); strings.IndexByte("01x?23456789rdq", data[at]) >= 0 {
					data[at] = "01x?27dq"[r.IntN(8)]
				}
			}
		}
		refused += checkTrace(t, m, data)
	}
	if refused < 300 || refused > 700 {
		t.Errorf("%d of 900 refused", refused)
	}
}

// checkTrace reads a trace and holds what is accepted against a naive reader.
func checkTrace(t *testing.T, m *WitnessMap, data []byte) (refused int) {
	t.Helper()
	trace, err := ReadTrace(data)
	if err != nil {
		inText(t, data, err)
		return 1
	}
	rows, _, err := m.InputsOf(trace)
	if err != nil {
		inText(t, data, err)
		return 1
	}
	var naive struct {
		Signals []struct {
			Path          []string
			Offset, Width int
		}
		Steps []struct{ Bits string }
	}
	if err := json.Unmarshal(data, &naive); err != nil || len(naive.Steps) != len(rows) {
		t.Fatalf("%v: %d steps of\n%s", err, len(rows), data)
	}
	for step, s := range naive.Steps {
		want := map[string]byte{}
		left := s.Bits
		for _, signal := range naive.Signals {
			for i := 0; i < signal.Width && left != ""; i++ {
				value := left[len(left)-1]
				left = left[:len(left)-1]
				if value == '0' || value == '1' {
					want[fmt.Sprint(signal.Path, signal.Offset+i)] = value
				}
			}
		}
		for b, initOnly := range m.bits() {
			value, ok := want[fmt.Sprint([]string(b.Path), b.Offset)]
			if !ok || initOnly && step > 0 {
				value = 'x'
			}
			if rows[step][b.Input] != value {
				t.Errorf("%s bit %d is %c in step %d, expected %c of\n%s", b.Path, b.Offset, rows[step][b.Input], step, value, data)
			}
		}
	}
	return 0
}

func FuzzTrace(f *testing.F) {
	f.Add([]byte(smallTrace))
	m, err := ReadWitnessMap(file(f, "uninit.ywa"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkTrace(t, m, data) })
}

// manyInputs are inputs outside of any map, with their values in many steps.
func manyInputs() (m *WitnessMap, rows []string) {
	const inputs, steps = 40_000, 200
	return &WitnessMap{Inputs: inputs}, slices.Repeat([]string{strings.Repeat("1", inputs)}, steps)
}

// TestManyInputsLeft: inputs outside of the map are each named once, in order.
func TestManyInputsLeft(t *testing.T) {
	m, rows := manyInputs()
	if _, left := m.TraceOf(rows); len(left) != m.Inputs || !slices.IsSorted(left) {
		t.Errorf("%d inputs are left", len(left))
	}
}

// BenchmarkManyInputsLeft: to look each up in a list of the others took a minute.
func BenchmarkManyInputsLeft(b *testing.B) {
	m, rows := manyInputs()
	for b.Loop() {
		m.TraceOf(rows)
	}
}
