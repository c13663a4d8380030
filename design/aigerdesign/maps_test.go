package aigerdesign_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/formats"
	"aiglens/internal/files"
)

// open opens a file of the test data, or of a folder, with what lies beside it.
func open(t *testing.T, path string, option aigerdesign.Option) *design.Design {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	read := func(ctx context.Context, path string) ([]byte, error) { return files.Read(ctx, path, 1<<20) }
	d, err := formats.All().Open(t.Context(), path, data, design.Opening{
		Options: design.Options{}.With(aigerdesign.Format, option), Disk: design.Disk{Read: read, Limit: 1 << 20},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Elaborate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

// beside copies files of the test data to a folder, each under another name.
func beside(t *testing.T, names map[string]string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for to, from := range names {
		data, err := os.ReadFile(filepath.Join("testdata", from))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(folder, to), string(data))
	}
	return folder
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func faults(d *design.Design) (all []string) {
	for _, f := range d.TextDiagnostics() {
		if f.Code == "map-not-used" {
			all = append(all, f.Message)
		}
	}
	return all
}

// TestMap names the elements of a circuit that Yosys 0.23 has written with -zinit: inverted
// latches, a flip-flop without a start, a word that begins at bit 2. The map stands beside text
// and binary file, and so do maps of all wires.
func TestMap(t *testing.T) {
	check := func(circuitFile, mapFile string) {
		t.Helper()
		ext := filepath.Ext(circuitFile)
		folder := beside(t, map[string]string{"x" + ext: circuitFile, "x.aim": mapFile, "x.ywa": "inv.ywa"})
		d := open(t, filepath.Join(folder, "x"+ext), aigerdesign.Option{})
		if f := faults(d); len(f) > 0 {
			t.Errorf("%q", f)
		}
		names := d.Names().Elements()
		if want := []string{"clk", "d[0]", "d[1]"}; !slices.Equal(names.Inputs[:3], want) || names.Inputs[10] != "init:t" {
			t.Errorf("inputs %q", names.Inputs)
		}
		// t is what a gate chooses, which is the latch from step 1 on.
		if want := []string{"s[2]", "!s[3]", "t", "!cnt[0]", "cnt[1]", "!cnt[2]", ""}; !slices.Equal(names.Latches, want) {
			t.Errorf("latches %q", names.Latches)
		}
		if want := []string{"y[2]", "y[3]"}; !slices.Equal(names.Outputs, want) {
			t.Errorf("outputs %q", names.Outputs)
		}
		var shown []string
		for i := range d.Circuit().Latches() {
			l, found, ok := design.FlipFlop(d, i)
			if !ok || found.Negated {
				t.Errorf("latch %d: %+v", i, found)
			}
			shown = append(shown, found.Name)
			if found.Name == "t" {
				continue
			}
			if want := strings.HasPrefix(names.Latches[i], "!"); l != d.Circuit().Latches()[i].Lit.NotIf(want) {
				t.Errorf("latch %d is shown by %v", i, l)
			}
		}
		if want := []string{"s[2]", "s[3]", "t", "cnt[0]", "cnt[1]", "cnt[2]", "36"}; !slices.Equal(shown, want) {
			t.Errorf("shown %q", shown)
		}
		lit, _, _ := design.FlipFlop(d, 2)
		if found := d.Names().Find("t"); len(found) != 1 || found[0] != lit || lit == d.Circuit().Latches()[2].Lit {
			t.Errorf("t is %v, shown by %v", found, lit)
		}
		if m, ok := d.SourceOf(lit); !ok || m.Name != "t" || m.Negated != lit.IsNegated() {
			t.Errorf("the gate of t is %+v", m)
		}
		checkWords(t, d)
	}
	check("inv.aig", "inv.aim")
	check("inv.aag", "inv.aim")
	check("inv.aag", "inv.vmap")
	check("nosym.aig", "inv.aim")
}

func checkWords(t *testing.T, d *design.Design) {
	t.Helper()
	all := map[string]design.Word{}
	for _, w := range d.Names().Words() {
		all[w.Name] = w
	}
	if names := slices.Sorted(maps.Keys(all)); !slices.Equal(names, []string{"cnt", "d", "s", "y"}) {
		t.Errorf("words %q", names)
	}
	c := d.Circuit()
	cnt, y := all["cnt"], all["y"]
	if cnt.Low != 0 || len(cnt.Bits) != 3 || cnt.Bits[0].Lit != c.Latches()[3].Lit.Not() || cnt.Bits[1].Lit != c.Latches()[4].Lit || cnt.Origin != design.FromMap {
		t.Errorf("cnt is %+v", cnt)
	}
	if y.Low != 2 || len(y.Bits) != 2 || y.Bits[1].Lit != c.Latches()[1].Lit.Not() {
		t.Errorf("y is %+v", y)
	}
}

// TestChosenStart: the value of a flip-flop without a start is that of its input in the first step,
// and that of its latch later.
func TestChosenStart(t *testing.T) {
	d := open(t, filepath.Join(beside(t, map[string]string{"x.aag": "inv.aag"}), "x.aag"), aigerdesign.Option{})
	q, _, _ := design.FlipFlop(d, 2)
	c := d.Circuit()
	sim := circuit.NewTernary(c)
	for bits := range 8 {
		start, stored, begun := circuit.Value(bits&1), circuit.Value(bits>>1&1), circuit.Value(bits>>2)
		inputs := make([]circuit.Value, len(c.Inputs()))
		for i := range inputs {
			inputs[i] = circuit.X
		}
		for i := range c.Latches() {
			sim.SetLatch(i, circuit.X)
		}
		inputs[10] = start
		sim.SetLatch(2, stored)
		sim.SetLatch(6, begun)
		sim.Eval(inputs)
		want := start
		if begun == circuit.One {
			want = stored
		}
		if got := sim.Value(q); got != want {
			t.Errorf("start %v, latch %v, begun %v: %v", start, stored, begun, got)
		}
	}
}

// TestSymbolsOfYosys: without a map the symbols say the same, where the comment says that Yosys has
// written them. By another program the same symbols are names.
func TestSymbolsOfYosys(t *testing.T) {
	d := open(t, filepath.Join(beside(t, map[string]string{"x.aag": "inv.aag"}), "x.aag"), aigerdesign.Option{})
	if names := d.Names().Elements().Latches; !slices.Equal(names, []string{"s[0]", "!s[1]", "t", "!cnt[0]", "cnt[1]", "!cnt[2]", ""}) {
		t.Errorf("latches %q", names)
	}
	if found := d.Names().Find("y[1]"); len(found) != 1 || found[0] != d.Circuit().Latches()[1].Lit.Not() {
		t.Errorf("y[1] is %v", found)
	}
	data, err := os.ReadFile(filepath.Join("testdata", "inv.aag"))
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.aag")
	write(t, other, strings.ReplaceAll(string(data), "Generated by Yosys", "Made by hand:"))
	d = open(t, other, aigerdesign.Option{})
	if names := d.Names().Elements().Latches; names[0] != "s[0] y[0]" || names[1] != "!s[1] !y[1]" {
		t.Errorf("latches %q", names)
	}
	if l, found, _ := design.FlipFlop(d, 1); l != d.Circuit().Latches()[1].Lit || found.Name != "!s[1] !y[1]" {
		t.Errorf("flip-flop %v, %+v", l, found)
	}
}

// TestNamesOfAsserts: the properties and constraints have the names of their cells.
func TestNamesOfAsserts(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "x.aag"), "aag 1 0 1 0 0 2 1\n2 3\n2\n3\n3\n")
	write(t, filepath.Join(folder, "x.ywa"), `{"version":"Yosys Witness Aiger map","latch_count":1,"input_count":0,
"asserts":[["\\u1","\\a_cnt"],["\\_witness_","\\assert_x_sv_5"]],"assumes":[["\\m_ready"]]}
`)
	d := open(t, filepath.Join(folder, "x.aag"), aigerdesign.Option{})
	var names []string
	for _, p := range d.Properties() {
		names = append(names, p.Name, p.Given)
	}
	if !slices.Equal(names, []string{"u1.a_cnt", "u1.a_cnt", "assert_x_sv_5", "assert_x_sv_5"}) || d.Names().Elements().Constraints[0] != "m_ready" {
		t.Errorf("properties %q", names)
	}
}

// TestForeignMaps: a map of another circuit names nothing, and says why. It changes no fingerprint.
func TestForeignMaps(t *testing.T) {
	plain := open(t, filepath.Join(beside(t, map[string]string{"x.aig": "nosym.aig"}), "x.aig"), aigerdesign.Option{})
	check := func(circuitFile, name, content, want string) {
		t.Helper()
		ext := filepath.Ext(circuitFile)
		folder := beside(t, map[string]string{"x" + ext: circuitFile})
		write(t, filepath.Join(folder, name), content)
		d := open(t, filepath.Join(folder, "x"+ext), aigerdesign.Option{})
		if got := faults(d); !slices.Equal(got, []string{name + " is not used: " + want}) {
			t.Errorf("%.60q: %q", content, got)
		}
		for _, p := range d.Properties() {
			a, _ := d.Fingerprint(p.ID)
			if b, _ := plain.Fingerprint(p.ID); a != b {
				t.Errorf("%v has another fingerprint", p.ID)
			}
		}
		if circuitFile == "nosym.aig" {
			if l, _, _ := design.FlipFlop(d, 3); l != d.Circuit().Latches()[3].Lit || d.Names().Elements().Inputs[0] != "" {
				t.Errorf("%q names %q", want, d.Names().Elements().Inputs)
			}
		}
	}
	counts := func(members string) string {
		return `{"version":"Yosys Witness Aiger map",` + members + "}\n"
	}
	check("nosym.aig", "x.aim", "input 0 0 clk\nlatch 7 0 q\n", "line 2 names latch 7, which this circuit does not have")
	check("nosym.aig", "x.aim", "input 0 0 clk", "line 1, column 1: the last line has no line break: the map is not complete")
	check("nosym.aig", "x.aim", "wire 900 0 a\n", "line 1 names literal 900, which this circuit does not have")
	check("nosym.aig", "x.aim", "ninitff 2\n", "ninitff names latch 2, which is not 0 in the first step and 1 after it")
	check("nosym.aig", "x.aim", "ninitff 9\n", "ninitff names latch 9, which this circuit does not have")
	check("nosym.aig", "x.aim", "latch 0 0 q\ninvlatch 0 0 p\n", "line 2 says of latch 0 whether it is inverted, and another line says the contrary")
	check("nosym.aig", "x.aim", "input 1 0 d\nwire 6 0 d\n", "line 2 gives d bit 0 the literal 6, where this circuit has 4")
	check("nosym.aig", "x.ywa", counts(`"latch_count":7,"input_count":10`), "it is of a circuit with 10 inputs; this one has 11")
	check("nosym.aig", "x.ywa", counts(`"latch_count":1,"input_count":11`), "it is of a circuit with 1 latch; this one has 7")
	check("nosym.aig", "x.ywa", counts(`"latch_count":7,"input_count":11,"asserts":[["\\a"]]`), "it is of a circuit with 1 assert; this one has 2")
	check("nosym.aig", "x.ywa", counts(`"latch_count":7,"input_count":11,"assumes":[["\\a"]]`), "it is of a circuit with 1 assume; this one has 0")
	check("inv.aag", "x.aim", "input 0 0 clk\ninput 1 0 e\n", "line 2 calls input 1 e, and this circuit d[0]")
	check("inv.aag", "x.aim", "output 0 0 y\noutput 1 5 y\n", "line 2 calls output 1 y, and this circuit y[1]")
}

// TestMapWithoutZinit: the map of the same circuit that Yosys writes without -zinit knows neither
// starts nor inverted latches. It is refused as long as anything shows that: the symbols, the map of
// witnesses, the gates that choose a start, an output, a wire.
func TestMapWithoutZinit(t *testing.T) {
	const inputs, latches, none = "input 0 0 clk\ninput 1 0 d\ninput 2 1 d\n", "latch 0 2 s\nlatch 1 3 s\n", "the map is of a circuit written without -zinit"
	check := func(circuitFile, witnessFile, content, want string) {
		t.Helper()
		copied := map[string]string{"x" + filepath.Ext(circuitFile): circuitFile}
		if witnessFile != "" {
			copied["x.ywa"] = witnessFile
		}
		folder := beside(t, copied)
		write(t, filepath.Join(folder, "x.aim"), content)
		d := open(t, filepath.Join(folder, "x"+filepath.Ext(circuitFile)), aigerdesign.Option{})
		if got := faults(d); !slices.Equal(got, []string{"x.aim is not used: " + want}) {
			t.Errorf("%s, %q: %q", circuitFile, content, got)
		}
		if circuitFile == "nosym.aig" && len(d.Names().Find("s[2]"))+len(d.Names().Find("t")) > 0 {
			t.Errorf("%q names flip-flops", content)
		}
	}
	check("nosym.aig", "", inputs+"latch 2 0 t\n", "line 4 calls latch 2 t, and no line names input 10, which is its start: "+none)
	check("nosym.aig", "inv.ywa", inputs+"latch 2 0 t\n", "line 4 calls latch 2 t, and no line names input 10, its start in x.ywa: "+none)
	check("nosym.aig", "", inputs+"output 1 3 s\n"+latches, "line 4 calls output 1 s bit 3, which is the literal 27 here, and other lines give s bit 3 the literal 26")
	check("nosym.aig", "", inputs+latches+"wire 27 3 s\n", "line 6 gives s bit 3 the literal 27, where this circuit has 26")
	check("inv.aag", "", inputs+latches, "line 5 calls latch 1 s, and this circuit !s[1] !y[1]")
	check("inv.aag", "", inputs+"input 10 0 t\n", "line 4 calls input 10 t, and this circuit init:t")
}

// TestChoiceOfSource: gates of the source itself that choose between an input and a latch are no start.
func TestChoiceOfSource(t *testing.T) {
	const circuitOf = "aag 7 1 2 1 4\n2\n4 4\n6 1\n14\n8 4 6\n10 2 7\n12 9 11\n14 13 1\n"
	const mapOf = "output 0 0 y\nlatch 0 0 q\n"
	for _, content := range []string{
		"input 0 0 a\n" + mapOf,       // the input has a name
		mapOf + "latch 1 0 started\n", // the latch that chooses has one
	} {
		folder := t.TempDir()
		write(t, filepath.Join(folder, "x.aag"), strings.Replace(circuitOf, "14\n8", "13\n8", 1))
		write(t, filepath.Join(folder, "x.aim"), content)
		d := open(t, filepath.Join(folder, "x.aag"), aigerdesign.Option{})
		if got := faults(d); len(got) > 0 || len(d.Names().Find("q")) != 1 {
			t.Errorf("%q: %q", content, got)
		}
	}
}

// TestNotDense: after an edit the positions of a map may be those of other elements.
func TestNotDense(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "x.aag"), "aag 3 2 0 0 0\n2\n6\n")
	write(t, filepath.Join(folder, "x.aim"), "input 0 0 a\ninput 1 0 b\n")
	d := open(t, filepath.Join(folder, "x.aag"), aigerdesign.Option{})
	if got := faults(d); len(got) != 1 || !strings.Contains(got[0], "not numbered in their order") || d.Names().Elements().Inputs[0] != "" {
		t.Errorf("%q", got)
	}
}

// TestGivenMap: a map that is named is used in the place of those beside the file.
func TestGivenMap(t *testing.T) {
	folder := beside(t, map[string]string{"x.aig": "nosym.aig", "x.aim": "inv.aim"})
	write(t, filepath.Join(folder, "other-x.map"), "input 0 0 clock\n")
	for _, given := range []string{filepath.Join(folder, "other-x.map"), filepath.Join(folder, "other-*.map")} {
		d := open(t, filepath.Join(folder, "x.aig"), aigerdesign.Option{Map: given})
		if names := d.Names().Elements(); names.Inputs[0] != "clock" || names.Latches[0] != "" {
			t.Errorf("%q", names.Inputs)
		}
	}
	_, err := formats.All().Open(t.Context(), filepath.Join(folder, "x.aig"), nil, design.Opening{
		Options: design.Options{}.With(aigerdesign.Format, aigerdesign.Option{Map: filepath.Join(folder, "none.aim")}),
		Disk:    design.Disk{Read: func(ctx context.Context, path string) ([]byte, error) { return files.Read(ctx, path, 1<<20) }},
	})
	if err == nil {
		t.Error("a map that is not there is taken")
	}
}

// TestValuesOfSource simulates the circuit beside its Verilog, which is
//
//	reg [3:2] s = 2; reg t; reg [2:0] cnt = 5;
//	always @(posedge clk) begin s <= s ^ d; t <= ^s; cnt <= cnt + 1; end
//
// What maps name has the values of the source in every step, the first included.
func TestValuesOfSource(t *testing.T) {
	for _, mapFile := range []string{"inv.aim", "inv.vmap"} {
		d := open(t, filepath.Join(beside(t, map[string]string{"x.aig": "nosym.aig", "x.aim": mapFile, "x.ywa": "inv.ywa"}), "x.aig"), aigerdesign.Option{})
		found := map[string]design.Word{}
		for _, w := range d.Names().Words() {
			found[w.Name] = w
		}
		c := d.Circuit()
		for seed := range uint64(100) {
			random := rand.New(rand.NewPCG(seed, 31))
			sim := circuit.NewTernary(c)
			sim.Reset()
			s, cnt, flag := 2, 5, random.IntN(2)
			for step := range 20 {
				in := random.IntN(4)
				inputs := make([]circuit.Value, len(c.Inputs()))
				for i := range inputs {
					inputs[i] = circuit.Value(random.IntN(2)) // what the source does not have counts for nothing
				}
				inputs[1], inputs[2] = circuit.Value(in&1), circuit.Value(in>>1)
				if step == 0 {
					inputs[10] = circuit.Value(flag)
				}
				sim.Eval(inputs)
				value := func(name string) (n int) {
					for i, b := range found[name].Bits {
						if sim.Value(b.Lit) == circuit.One {
							n |= 1 << i
						}
					}
					return n
				}
				got := [...]int{value("s"), value("cnt"), int(sim.Value(d.Names().Find("t")[0]))}
				if want := [...]int{s, cnt, flag}; got != want {
					t.Fatalf("%s, seed %d, step %d: s, cnt, t are %v, expected %v", mapFile, seed, step, got, want)
				}
				sim.Advance()
				s, cnt, flag = s^in, (cnt+1)%8, s&1^s>>1
			}
		}
	}
}

// TestMutatedMaps damages the maps of a circuit: nothing crashes, the circuit stays what it is, and
// what is named inverted is what a line of the map says.
func TestMutatedMaps(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "inv.vmap"))
	if err != nil {
		t.Fatal(err)
	}
	circuitFile, err := os.ReadFile(filepath.Join("testdata", "nosym.aig"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	write(t, filepath.Join(folder, "x.aig"), string(circuitFile))
	refused := 0
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 7))
		damaged := slices.Clone(data)
		for range 1 + random.IntN(3) {
			switch at := random.IntN(len(damaged)); random.IntN(3) {
			case 0:
				damaged[at] ^= 1 << random.IntN(7)
			case 1:
				damaged = slices.Delete(damaged, at, min(len(damaged), at+1+random.IntN(20)))
			default:
				damaged = slices.Insert(damaged, at, damaged[random.IntN(len(damaged))])
			}
		}
		write(t, filepath.Join(folder, "x.aim"), string(damaged))
		d := open(t, filepath.Join(folder, "x.aig"), aigerdesign.Option{})
		if len(faults(d)) > 0 {
			refused++
			if found := d.Names().Words(); len(found) > 0 || d.Names().Elements().Latches[0] != "" {
				t.Errorf("seed %d: a map that is not used names %v", seed, found)
			}
			continue
		}
		lines := strings.Split(string(damaged), "\n")
		for i := range d.Circuit().Latches() {
			l, found, _ := design.FlipFlop(d, i)
			base, _, _ := strings.Cut(found.Name, "[")
			isNamed := slices.ContainsFunc(lines, func(line string) bool {
				f := strings.Fields(line)
				isInverted := len(f) > 3 && f[0] == "invlatch"
				return len(f) > 3 && (isInverted || f[0] == "latch") && f[1] == strconv.Itoa(i) && strings.HasPrefix(strings.TrimPrefix(found.Name, "latch:"), base) &&
					strings.HasPrefix(f[3], strings.TrimPrefix(base, "latch:")) && (isInverted == (l == d.Circuit().Latches()[i].Lit.Not()) || l.Var() != d.Circuit().Latches()[i].Lit.Var())
			})
			if found.Name != strconv.Itoa(int(found.Lit)) && !isNamed {
				t.Errorf("seed %d: latch %d is %s, which no line of the map says", seed, i, found.Name)
			}
		}
	}
	if refused < 100 {
		t.Errorf("only %d maps refused", refused)
	}
}
