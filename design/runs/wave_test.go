package runs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/design/runs"
	"aiglens/internal/wave"
	"aiglens/internal/wave/wavetest"
)

// vectors is a random circuit whose latches are those of words, with a run and the values that each
// latch has in it.
type vectors struct {
	steps   int
	scopes  []string         // of each word
	names   []string         // of each word
	bits    []map[int]string // of each word, by index: the values over the steps
	singles map[string]string
	text    string
	inputs  [][]circuit.Value
}

// newVectors gives each latch the value that an input has had in the step before; its first one is
// open.
func newVectors(r *rand.Rand) *vectors {
	v := &vectors{steps: 1 + r.Intn(8), singles: map[string]string{}}
	forms := []string{"[%d]", "<%d>", "(%d)", "_%d_", ".%d", "%d"}
	latches := map[string]string{}
	values := func() string {
		b := []byte{'x'}
		for range v.steps - 1 {
			b = append(b, "01x"[min(2, r.Intn(9)/4)])
		}
		return string(b)
	}
	for k := range 1 + r.Intn(4) {
		scope, name, form := []string{"", "u1.", "top.u1."}[r.Intn(3)], string(rune('p'+k)), forms[r.Intn(len(forms))]
		low, bits := r.Intn(4), map[int]string{}
		for i := range 3 + r.Intn(7) {
			if i >= 3 && r.Intn(4) == 0 {
				continue // a gap
			}
			bits[low+i] = values()
			latches[scope+name+fmt.Sprintf(form, low+i)] = bits[low+i]
		}
		v.scopes, v.names, v.bits = append(v.scopes, scope), append(v.names, name), append(v.bits, bits)
	}
	for i := range r.Intn(3) {
		name := fmt.Sprintf("u1.single%c", 'a'+i)
		v.singles[name] = values()
		latches[name] = v.singles[name]
	}
	order := slices.Sorted(maps.Keys(latches))
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	n := len(order)
	var b strings.Builder
	fmt.Fprintf(&b, "aag %d %d %d 0 0\n", 2*n, n, n)
	for i := range n {
		fmt.Fprintf(&b, "%d\n", 2*i+2)
	}
	for i := range n {
		l := 2*n + 2*i + 2
		fmt.Fprintf(&b, "%d %d %d\n", l, 2*i+2, l)
	}
	for i, name := range order {
		fmt.Fprintf(&b, "l%d %s\n", i, name)
	}
	v.text = b.String()
	for step := range v.steps {
		row := make([]circuit.Value, n)
		for i, name := range order {
			row[i] = circuit.X
			if step+1 < v.steps {
				row[i] = map[byte]circuit.Value{'0': circuit.Zero, '1': circuit.One, 'x': circuit.X}[latches[name][step+1]]
			}
		}
		v.inputs = append(v.inputs, row)
	}
	return v
}

// number writes the value of a word in a step: a decimal number, binary digits where one is open or
// missing, and x where all are.
func (v *vectors) number(word, step int) string {
	low, high := slices.Min(slices.Collect(maps.Keys(v.bits[word]))), slices.Max(slices.Collect(maps.Keys(v.bits[word])))
	n, digits, isKnown := 0, "", true
	for i := high; i >= low; i-- {
		values, has := v.bits[word][i]
		digit := byte('-')
		if has {
			digit = values[step]
		}
		isKnown = isKnown && (digit == '0' || digit == '1')
		n = 2*n + int(digit&1)
		digits += string(digit)
	}
	if isKnown {
		return fmt.Sprint(n)
	}
	if !strings.ContainsAny(digits, "01") {
		return "x"
	}
	return "0b" + digits
}

// TestWordsOfWaves makes words at random, and compares what the formats show of each in each step with
// a number worked out from its bits.
func TestWordsOfWaves(t *testing.T) {
	for seed := range int64(2000) {
		v := newVectors(rand.New(rand.NewSource(seed)))
		d, err := formats.All().Open(t.Context(), "x.aag", []byte(v.text), design.Opening{})
		if err != nil {
			t.Fatal(err)
		}
		run := cert.Trace{Initial: slices.Repeat([]circuit.Value{circuit.X}, len(d.Circuit().Latches())), Inputs: v.inputs}
		w, err := runs.PlayedWave(t.Context(), d, run, nil, runs.WaveOptions{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, v.text)
		}
		written := map[wave.Format][]byte{}
		for _, f := range wave.Formats() {
			if written[f], err = w.Append(nil, f); err != nil {
				t.Fatal(err)
			}
		}
		for name, check := range map[string]func([]byte) error{
			string(wave.VCD): v.checkVCD, string(wave.JSON): v.checkJSON, string(wave.WaveDrom): v.checkWaveDrom, string(wave.Markdown): v.checkMarkdown,
		} {
			if err := check(written[wave.Format(name)]); err != nil {
				t.Fatalf("seed %d, %s: %v\n%s\n%s", seed, name, err, v.text, written[wave.Format(name)])
			}
		}
	}
}

func (v *vectors) checkVCD(data []byte) error {
	got, err := wavetest.ReadVCD(string(data), v.steps)
	if err != nil {
		return err
	}
	want := map[string]string{}
	for name, values := range v.singles {
		want["run."+name] = values
	}
	for k, bits := range v.bits {
		indices := slices.Sorted(maps.Keys(bits))
		for i := indices[0]; i <= indices[len(indices)-1]; i++ {
			values, has := bits[i]
			if !has {
				values = strings.Repeat("x", v.steps)
			}
			want[fmt.Sprintf("run.%s%s[%d]", v.scopes[k], v.names[k], i)] = values
		}
	}
	maps.DeleteFunc(got, func(name, _ string) bool { return strings.Trim(name, "0123456789") == "run." }) // an input
	if !maps.Equal(got, want) {
		return fmt.Errorf("%v instead of %v", got, want)
	}
	if bytes.Count(data, []byte("$var reg ")) != len(v.bits)+len(v.singles) {
		return fmt.Errorf("a bit is a variable of its own")
	}
	return nil
}

func (v *vectors) checkJSON(data []byte) error {
	var w struct {
		Signals []struct {
			Path         []string
			Name, Values string
			Word, Bit    *int
		}
		Words []struct {
			Path   []string
			Name   string
			LSB    int
			Digits []string
			Values []string
		}
	}
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	of := map[string]int{}
	for k := range v.names {
		of[v.scopes[k]+v.names[k]] = k
	}
	for _, word := range w.Words {
		k, ok := of[strings.Join(append(word.Path, word.Name), ".")]
		if !ok {
			return fmt.Errorf("there is no word %s", word.Name)
		}
		for step := range v.steps {
			if want := v.number(k, step); word.Values[step] != want {
				return fmt.Errorf("%s is %s in step %d, not %s", word.Name, want, step, word.Values[step])
			}
		}
	}
	if len(w.Words) != len(v.names) {
		return fmt.Errorf("%d words of %d", len(w.Words), len(v.names))
	}
	for _, s := range w.Signals {
		if s.Word == nil {
			continue
		}
		word := w.Words[*s.Word]
		var values string
		for _, digits := range word.Digits {
			values += string(digits[len(digits)-1-(*s.Bit-word.LSB)])
		}
		if values != s.Values || v.bits[of[strings.Join(append(word.Path, word.Name), ".")]][*s.Bit] != values {
			return fmt.Errorf("%s is %s and %s", s.Name, s.Values, values)
		}
	}
	return nil
}

func (v *vectors) checkWaveDrom(data []byte) error {
	var w struct{ Signal []any }
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	found := map[string][]string{}
	var look func(scope string, items []any)
	look = func(scope string, items []any) {
		for _, item := range items {
			switch item := item.(type) {
			case []any:
				inner := item[0].(string)
				if inner == string(wave.Input) || inner == string(wave.Latch) {
					inner = ""
				} else {
					inner = scope + inner + "."
				}
				look(inner, item[1:])
			case map[string]any:
				data, _ := item["data"].([]any)
				var values []string
				for _, c := range item["wave"].(string) {
					if c == '=' {
						values, data = append(values, data[0].(string)), data[1:]
					} else if c == '.' && len(values) > 0 {
						values = append(values, values[len(values)-1])
					}
				}
				name, _, _ := strings.Cut(item["name"].(string), "[")
				found[scope+name] = values
			}
		}
	}
	look("", w.Signal)
	for k, name := range v.names {
		for step := range v.steps {
			if values := found[v.scopes[k]+name]; step >= len(values) || values[step] != v.number(k, step) {
				return fmt.Errorf("%s is %v", name, values)
			}
		}
	}
	return nil
}

func (v *vectors) checkMarkdown(data []byte) error {
	for k, name := range v.names {
		row := "| `" + v.scopes[k] + name + "` |"
		for step := range v.steps {
			row += " " + v.number(k, step) + " |"
		}
		if !strings.Contains(string(data), row+"\n") {
			return fmt.Errorf("there is no row %s", row)
		}
	}
	return nil
}

// TestNetsOfWaves: a word of nets is there with all nets, beside the word of the latches that drive
// it and a latch that has another name; an instance is a scope, and so is a point of a name.
func TestNetsOfWaves(t *testing.T) {
	const text = `.model top
.inputs a
.outputs y[0] y[1]
.subckt part x=a z[0]=y[0] z[1]=y[1]
.names y[0] u.w[0]
1 1
.names y[1] u.w[1]
0 1
.names y[0] y[1] bad
11 1
.latch a stage[0].token re clk 0
.names stage[0].token v[0]
1 1
.names y[1] v[1]
1 1
.end
.model part
.inputs x
.outputs z[0] z[1]
.latch x z[0] re clk 0
.latch z[0] z[1] re clk 0
.end
`
	d, err := formats.All().Open(t.Context(), "x.blif", []byte(text), design.Opening{})
	if err != nil {
		t.Fatal(err)
	}
	c := d.Circuit()
	run := cert.Trace{Initial: make([]circuit.Value, len(c.Latches()))}
	for range 3 {
		run.Inputs = append(run.Inputs, slices.Repeat([]circuit.Value{circuit.One}, len(c.Inputs())))
	}
	for nets, want := range map[bool]string{
		false: "a=1,1,1 stage[0]/token=0,1,1 y[0]/z=0,1,3",
		true:  "a=1,1,1 stage[0]/token=0,1,1 y[0]/z=0,1,3 y=0,1,3 u/w=2,3,1 bad=0,0,1 v=0,1,3 y[0]/x=1,1,1",
	} {
		w, err := runs.PlayedWave(t.Context(), d, run, nil, runs.WaveOptions{Nets: nets})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[*wave.Word]bool{}
		var got []string
		for _, s := range w.Signals {
			switch {
			case s.Word == nil:
				got = append(got, fmt.Sprintf("%s=%s", strings.Join(append(s.Path, s.Name), "/"), strings.Join(strings.Split(s.Values, ""), ",")))
			case !seen[s.Word]:
				seen[s.Word] = true
				got = append(got, fmt.Sprintf("%s=%s,%s,%s", strings.Join(append(s.Word.Path, s.Word.Name), "/"), s.Word.Text(0), s.Word.Text(1), s.Word.Text(2)))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("with nets %t: %s\nwant %s", nets, strings.Join(got, " "), want)
		}
	}
}

// TestListedWords: a word that the text lists stands in place of its bits, with the names of its values,
// also where these bits are gates.
func TestListedWords(t *testing.T) {
	const text = `aag 6 2 2 0 2
2
4
6 2
8 4
10 7 9
12 8 3
i0 a
i1 b
l0 low
l1 high
c
word: state = high low {idle = 0, wait_for = 1, work|er = 2}
word: none = 10 12
`
	d, err := formats.All().Open(t.Context(), "x.aag", []byte(text), design.Opening{})
	if err != nil {
		t.Fatal(err)
	}
	run := cert.Trace{Initial: []circuit.Value{circuit.Zero, circuit.Zero}}
	for _, step := range []string{"10", "01", "11", "00"} {
		run.Inputs = append(run.Inputs, []circuit.Value{circuit.ValueOf(step[0] == '1'), circuit.ValueOf(step[1] == '1')})
	}
	w, err := runs.PlayedWave(t.Context(), d, run, nil, runs.WaveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := w.Append(nil, wave.Markdown)
	if want := "| `state` | idle | wait_for | work\\|er | 3 |\n| `none` | 2 | 0 | 0 | 1 |\n"; err != nil || !strings.Contains(string(table), want) {
		t.Errorf("%v: there is no %s in\n%s", err, want, table)
	}
	vcd, err := w.Append(nil, wave.VCD)
	for _, want := range []string{"$comment state: 0 = idle, 1 = wait_for, 2 = work|er $end\n", "$var reg 2 # state [1:0] $end\n", "$var wire 2 $ none [1:0] $end\n"} {
		if err != nil || !strings.Contains(string(vcd), want) {
			t.Errorf("%v: there is no %s in\n%s", err, want, vcd)
		}
	}
}
