package wave_test

import (
	"encoding/json"
	"flag"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aiglens/internal/wave"
	"aiglens/internal/wave/wavetest"
)

var update = flag.Bool("update", false, "write the golden files")

// example has a name of every kind that a format has trouble with.
func example() wave.Wave {
	a := &wave.Word{Name: "a", Group: wave.Input, High: 1, Bits: []string{"0101", "0x11"}}
	c := &wave.Word{Path: []string{"u1"}, Name: "c", Group: wave.Latch, High: 0, Low: 2, Bits: []string{"0010", "", "0001"}, Names: []string{"1 = idle|", "4 = $end"}}
	n := &wave.Word{Path: []string{"u1"}, Name: "n", Group: wave.Gate, High: 7, Low: 7, Bits: []string{"0100"}, IsSigned: true}
	w := wave.Wave{
		Title: "bad:0 of counter.blif, *refuted* at step 3 $end",
		Steps: 4,
		Signals: []wave.Signal{
			{Name: "a[0]", Group: wave.Input, Values: "0101", Word: a},
			{Name: "in put", Group: wave.Input, Values: "xxxx"},
			{Name: "a[1]", Group: wave.Input, Values: "0x11", Word: a, Bit: 1},
			{Name: "$end", Group: wave.Input, Values: "0000"},
			{Name: "100%|`x`", Group: wave.Input, Values: "1111"},
			{Path: []string{"u1", "core 2"}, Name: "q", Group: wave.Latch, Values: "0011"},
			{Path: []string{"u1", "core 2"}, Name: "q", Group: wave.Latch, Values: "1100"},
			{Path: []string{"u1"}, Name: "c[0]", Group: wave.Latch, Values: "0001", Word: c},
			{Path: []string{"u1"}, Name: "c[2]", Group: wave.Latch, Values: "0010", Word: c, Bit: 2},
			{Path: []string{"u1"}, Name: "c", Group: wave.Latch, Values: "1111"},
			{Name: "d[0]", Group: wave.Latch, Values: "0000"},
			{Path: []string{"u1"}, Name: "n[7]", Group: wave.Gate, Values: "0100", Word: n, Bit: 7},
			{Name: "é", Group: wave.Constraint, Values: "1111"},
			{Name: "q", Group: wave.Property, Values: "0001"},
		},
	}
	withTexts(w)
	return w
}

// withTexts lets the words of a wave write their values as the digits of their bits, and of two of
// them as names that have to be escaped.
func withTexts(w wave.Wave) {
	for _, s := range w.Signals {
		if s.Word != nil {
			s.Word.Text = func(step int) string {
				text := ""
				for _, values := range slices.Backward(s.Word.Bits) {
					if values == "" {
						values = strings.Repeat("-", w.Steps)
					}
					text += values[step : step+1]
				}
				return map[string]string{"0-1": "idle|", "1-0": "$end"}[text] + text
			}
		}
	}
}

// lasso repeats its last two steps for ever; two rounds of them are shown.
func lasso() wave.Wave {
	return wave.Wave{
		Title: "justice:0 of arbiter.aag",
		Steps: 5,
		Loop:  wave.Loop{Length: 2, Rounds: 2},
		Signals: []wave.Signal{
			{Name: "request", Group: wave.Input, Values: "01010"},
			{Name: "wait", Group: wave.Latch, Values: "00111"},
		},
	}
}

func TestGolden(t *testing.T) {
	for _, format := range wave.Formats() {
		checkGolden(t, "example", example(), format)
		checkGolden(t, "lasso", lasso(), format)
		empty, err := wave.Wave{Steps: 1}.Append(nil, format)
		if err != nil || len(empty) == 0 {
			t.Errorf("a wave without signals as %s: %q, %v", format, empty, err)
		}
	}
}

func checkGolden(t *testing.T, name string, w wave.Wave, format wave.Format) {
	t.Helper()
	got, err := w.Append(nil, format)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", name+"."+string(format))
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s:\n%s\nwant:\n%s", format, got, want)
	}
	if (format == wave.JSON || format == wave.WaveDrom) && !json.Valid(got) {
		t.Errorf("%s is not JSON", format)
	}
}

func TestRefusesOddLoops(t *testing.T) {
	for _, loop := range []wave.Loop{{Length: 2}, {Length: 2, Rounds: 2}, {Length: 4, Rounds: 1}, {Length: 1, Rounds: -1}} {
		if _, err := (wave.Wave{Steps: 3, Loop: loop}).Append(nil, wave.JSON); err == nil {
			t.Errorf("%+v in 3 steps is accepted", loop)
		}
	}
}

func TestRefusesOddWords(t *testing.T) {
	for _, bits := range [][]string{{"01", "011"}, {"01z"}} {
		w := wave.Wave{Steps: 3, Signals: []wave.Signal{{Name: "a[0]", Values: "010", Word: &wave.Word{Name: "a", Bits: bits}}}}
		if _, err := w.Append(nil, wave.VCD); err == nil {
			t.Errorf("bits %q for 3 steps are accepted", bits)
		}
	}
}

func TestRefusesOddValues(t *testing.T) {
	for _, values := range []string{"01", "0101", "01z"} {
		w := wave.Wave{Steps: 3, Signals: []wave.Signal{{Name: "a", Values: values}}}
		if _, err := w.Append(nil, wave.VCD); err == nil {
			t.Errorf("values %s for 3 steps are accepted", values)
		}
	}
	if _, err := (wave.Wave{}).Append(nil, "svg"); err == nil {
		t.Error("an unknown format is accepted")
	}
}

// TestMarkdownColumns checks which steps a table of a long run shows.
func TestMarkdownColumns(t *testing.T) {
	flat := strings.Repeat("0", 50)
	busy := strings.Repeat("01", 25)
	late := strings.Repeat("0", 30) + strings.Repeat("1", 20)
	for _, test := range []struct {
		values  string
		columns int
		header  string
		note    string
	}{
		{flat, 10, "| signal | 0 | 49 |", "2 of 50 steps shown. In 48 of the others nothing changes."},
		{late, 10, "| signal | 0 | 30 | 49 |", "3 of 50 steps shown. In 47 of the others nothing changes."},
		{busy, 5, "| signal | 0 | 1 | 2 | 48 | 49 |", "5 of 50 steps shown. Left out for space: 45 steps with changes."},
		{"0110", 10, "| signal | 0 | 1 | 2 | 3 |", ""},
	} {
		w := wave.Wave{Steps: len(test.values), Signals: []wave.Signal{{Name: "a", Values: test.values}}}
		lines := strings.Split(string(w.AppendMarkdown(nil, test.columns)), "\n")
		note := ""
		if len(lines) > 4 {
			note = lines[4]
		}
		if lines[0] != test.header || note != test.note {
			t.Errorf("%q: %q and %q, want %q and %q", test.values, lines[0], note, test.header, test.note)
		}
	}
}

// TestGTKWaveReadsVCD has GTKWave's converters read the VCD and write it again, and
// compares each value at each step.
func TestGTKWaveReadsVCD(t *testing.T) {
	waves := []wave.Wave{example()}
	r := rand.New(rand.NewPCG(3, 4))
	for range 10 {
		waves = append(waves, random(r))
	}
	for _, w := range waves {
		ours, err := w.Append(nil, wave.VCD)
		if err != nil {
			t.Fatal(err)
		}
		want := read(t, string(ours), w.Steps)
		if got := read(t, wavetest.ThroughGTKWave(t, ours), w.Steps); !maps.Equal(got, want) {
			t.Errorf("GTKWave reads\n%v\nfrom\n%v", got, want)
		}
	}
}

// TestVCDHasAllValues compares the bits of the VCD with the signals, names aside.
func TestVCDHasAllValues(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		w := random(r)
		ours, err := w.Append(nil, wave.VCD)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.Sorted(maps.Values(read(t, string(ours), w.Steps)))
		var want []string
		words := map[*wave.Word]bool{}
		for _, s := range w.Signals {
			switch {
			case s.Word == nil:
				want = append(want, s.Values)
			case !words[s.Word]:
				words[s.Word] = true
				for _, values := range s.Word.Bits {
					if values == "" {
						values = strings.Repeat("x", w.Steps)
					}
					want = append(want, values)
				}
			}
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("values of the bits\n%v\nwant\n%v", got, want)
		}
	}
}

func read(t *testing.T, vcd string, steps int) map[string]string {
	t.Helper()
	values, err := wavetest.ReadVCD(vcd, steps)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func random(r *rand.Rand) wave.Wave {
	w := wave.Wave{Title: "random", Steps: 1 + r.IntN(20)}
	groups := []wave.Group{wave.Input, wave.Latch, wave.Gate, wave.Constraint, wave.Property}
	values := func() string {
		var b strings.Builder
		for range w.Steps {
			b.WriteByte("01x"[r.IntN(3)])
		}
		return b.String()
	}
	path := func() (path []string) {
		for range r.IntN(3) {
			path = append(path, string(rune('a'+r.IntN(3))))
		}
		return path
	}
	for i := range 1 + r.IntN(100) {
		w.Signals = append(w.Signals, wave.Signal{Path: path(), Name: "n" + strconv.Itoa(i), Group: groups[r.IntN(len(groups))], Values: values()})
	}
	for i := range r.IntN(20) {
		word := &wave.Word{Path: path(), Name: "v" + strconv.Itoa(i), Group: groups[r.IntN(3)], Low: r.IntN(5)}
		width := 1 + r.IntN(9)
		word.High = word.Low + width - 1
		if r.IntN(3) == 0 {
			word.High, word.Low = word.Low, word.High
		}
		for position := range width {
			if r.IntN(4) == 0 {
				word.Bits = append(word.Bits, "")
				continue
			}
			word.Bits = append(word.Bits, values())
			if r.IntN(3) > 0 || position == width-1 {
				w.Signals = append(w.Signals, wave.Signal{Path: word.Path, Name: word.Name, Group: word.Group, Values: word.Bits[position], Word: word})
			}
		}
	}
	r.Shuffle(len(w.Signals), func(i, j int) { w.Signals[i], w.Signals[j] = w.Signals[j], w.Signals[i] })
	return w
}
