package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aiglens/aiger"
	aigerdiagnose "aiglens/aiger/diagnose"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/blifdesign"
	"aiglens/internal/peers"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// written is a file that we wrote, as we read it again.
type written struct {
	source string // the name of the file that it comes from
	way    string // fmt, or what convert writes: aag, aig or blif
	path   string
	in     *design.Design
	model  *aiger.Model // of an AIGER file
	circ   *circuit.Circuit
}

// encodings are the ways in which a file is written.
var encodings = []string{"aag", "aig", "blif", "fmt"}

// write writes a file in one way, or says why that way is refused.
func write(t *testing.T, in *design.Design, way, dir string) (*written, error) {
	t.Helper()
	var data []byte
	var err error
	switch {
	case way == "fmt" && in.IsBinary():
		return nil, errors.New("a binary file")
	case way == "fmt":
		edits, err := in.Format(context.Background())
		if err != nil {
			return nil, err
		}
		text, err := in.Text.Apply(edits)
		if err != nil {
			return nil, err
		}
		data = []byte(text.Content())
	default:
		data, err = encode(t.Context(), env{stderr: &strings.Builder{}}, in, way, nil)
	}
	if err != nil {
		return nil, err
	}
	extension := way
	if way == "fmt" {
		extension = "aag"
		if isBLIF(in) {
			extension = "blif"
		}
	}
	w := &written{source: in.URI, way: way, path: filepath.Join(dir, "written."+extension)}
	if err := os.WriteFile(w.path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	w.in, w.model, w.circ = readBack(t, w.path)
	return w, nil
}

// withCells reads BLIF with the cell library of the test material.
func withCells(t *testing.T) *readFlags {
	return &readFlags{blif: blifFlags{Option: blifdesign.Option{Genlib: filepath.Join(shared.Dir(t), "corpus", "blif", "mini.genlib")}}}
}

// readBack reads a written file.
func readBack(t *testing.T, path string) (*design.Design, *aiger.Model, *circuit.Circuit) {
	t.Helper()
	in, err := read(context.Background(), env{}, path, withCells(t))
	if err != nil {
		t.Fatal(err)
	}
	c, err := circuitOf(context.Background(), in)
	if err != nil {
		return in, nil, nil
	}
	m, _, _ := aigerdesign.ModelOf(in)
	return in, m, c
}

// names returns the symbols of a section of an AIGER file, and made-up names for
// elements without one.
func (w *written) names(kind syntax.SectionKind, n int, madeUp func(i int) string) []string {
	all := make([]string, n)
	for _, s := range w.model.Symbols {
		if s.Kind == kind {
			all[s.Index] = s.Name
		}
	}
	for i := range all {
		if all[i] == "" {
			all[i] = madeUp(i)
		}
	}
	return all
}

// circuit returns the circuit with its names. Outputs of an AIGER file are those and the
// bads, as other programs have it.
func (w *written) circuit() peers.Circuit {
	c := peers.Circuit{Circuit: w.circ}
	if isBLIF(w.in) {
		top, names := blifOf(w.in).Top(), w.in.Names().Elements()
		c.Inputs, c.Latches, c.Outputs, c.Lits = names.Inputs, names.Latches, names.Outputs, w.circ.Outputs()
		for _, in := range top.Inputs() {
			if !slices.Contains(c.Inputs, in) {
				c.Clocks = append(c.Clocks, in)
			}
		}
		return c
	}
	m := w.model
	c.Inputs = w.names(syntax.SectionInputs, len(m.Inputs), func(i int) string { return fmt.Sprint("$i", m.Inputs[i]/2) })
	c.Latches = w.names(syntax.SectionLatches, len(m.Latches), func(i int) string { return fmt.Sprint("$l", m.Latches[i].Lit/2) })
	c.Outputs = slices.Concat(
		w.names(syntax.SectionOutputs, len(m.Outputs), func(i int) string { return fmt.Sprint("$o", i) }),
		w.names(syntax.SectionBads, len(m.Bads), func(i int) string { return fmt.Sprint("$lit", m.Bads[i]) }))
	c.Lits = slices.Concat(w.circ.Outputs(), w.circ.Bads())
	return c
}

// byPosition names the elements of two circuits by position.
func byPosition(c peers.Circuit) peers.Circuit {
	for _, list := range []struct {
		names *[]string
		kind  string
	}{{&c.Inputs, "i"}, {&c.Latches, "l"}, {&c.Outputs, "o"}} {
		n := len(*list.names)
		*list.names = nil
		for i := range n {
			*list.names = append(*list.names, list.kind+strconv.Itoa(i))
		}
	}
	return c
}

// otherReader is a program that reads what we write.
type otherReader struct {
	name string
	// read makes the program read a file and write what it understood, as binary AIGER
	// and as BLIF; what it said is returned.
	read func(t *testing.T, w *written, aig, blif string) (string, error)
	// sameOrder holds for a program that keeps the order of the elements of AIGER files.
	sameOrder bool
	// lacks lists what the program does not read.
	lacks []lack
}

// lack is something that a program does not read.
type lack struct {
	reason string
	// holds reports whether a file is such.
	holds func(*written) bool
	// seen is what the program says then, or how the circuits differ.
	seen *regexp.Regexp
}

func isASCII(w *written) bool { return w.model != nil && !w.in.IsBinary() }

func hasLiveness(w *written) bool {
	return w.model != nil && len(w.model.Justice)+len(w.model.Fairness) > 0
}

func hasConstraints(w *written) bool { return w.model != nil && len(w.model.Constraints) > 0 }

func resetsToSignals(w *written) bool { return w.model != nil && w.circ.HasResetFunctions() }

func namesModel(w *written) bool {
	return w.model != nil && slices.ContainsFunc(w.model.Symbols, func(s syntax.SymbolEntry) bool { return strings.HasPrefix(s.Name, "= ") })
}

// warnsAfterFormat holds for what fmt, which renames nothing, leaves and warns of.
func warnsAfterFormat(w *written) bool {
	left, err := w.in.LeftByFormat(context.Background())
	return w.model != nil && w.way == "fmt" && err == nil && len(left) > 0
}

var otherReaders = []otherReader{{
	name: "ABC", sameOrder: true,
	read: func(t *testing.T, w *written, aig, blif string) (string, error) {
		command := "read_aiger "
		if isBLIF(w.in) {
			command = "read_library " + filepath.Join(shared.Dir(t), "corpus", "blif", "mini.genlib") + "; read_blif "
		}
		return peers.ABC(t, command+w.path+"; strash; write_aiger -s "+aig+"; write_blif "+blif)
	},
	lacks: []lack{
		{"ABC reads AIGER in the binary encoding only", isASCII, regexp.MustCompile("Wrong input file format")},
		{"no justice and fairness", hasLiveness, regexp.MustCompile("liveness properties is currently not supported")},
		{"no reset to a signal", resetsToSignals, regexp.MustCompile("Io_ReadAiger: Assertion `Init ==")},
		{"no circuit without any element", func(w *written) bool {
			return w.model != nil && len(w.model.Inputs)+len(w.model.Outputs)+len(w.model.Latches) == 0
		}, regexp.MustCompile("Abc_NtkCheckNames: Assertion `pObj'")},
		{"strash ends where there is no output", func(w *written) bool { return isBLIF(w.in) && len(w.circ.Outputs()) == 0 }, regexp.MustCompile("segmentation fault")},
	},
}, {
	name: "Yosys",
	read: func(t *testing.T, w *written, aig, blif string) (string, error) {
		end := "; flatten; techmap; simplemap; dffunmap; aigmap; write_blif " + blif + "; write_aiger -symbols " + aig
		if !isBLIF(w.in) {
			return peers.Yosys(t, "read_aiger "+w.path+"; hierarchy -auto-top"+end)
		}
		top := blifOf(w.in).Top().Name
		said, err := "", error(nil)
		for _, covers := range []string{"", "-sop "} {
			if said, err = peers.Yosys(t, "read_blif "+covers+w.path+"; hierarchy -check -top "+top+end); !strings.Contains(said, "fewer than 13") {
				break
			}
		}
		return said, err
	},
	lacks: []lack{
		{"no constraints, justice and fairness: their rows are read as others", func(w *written) bool { return hasConstraints(w) || hasLiveness(w) }, regexp.MustCompile("cannot interpret|Assert|written back|invalid reset")},
		{"no binary file that has neither latch nor output", func(w *written) bool {
			return w.model != nil && !isASCII(w) && len(w.model.Outputs)+len(w.model.Latches) == 0
		}, regexp.MustCompile("cannot be interpreted as a bad state property|cannot interpret first character")},
		{"no reset to a signal", resetsToSignals, regexp.MustCompile("invalid reset literal")},
		{"the names of a certificate, which begin alike", namesModel, regexp.MustCompile("count_id|Assert")},
		{"names that fmt leaves and warns of", warnsAfterFormat, regexp.MustCompile("count_id|written back")},
		{"undefined values", func(w *written) bool {
			data, err := os.ReadFile(w.path)
			return err == nil && bytes.Contains(data, []byte("$undef"))
		}, regexp.MustCompile(`\$undef|undriven`)},
	},
}}

var (
	// autoName is what Yosys calls an element without a name: by its variable, or its
	// position with zeros in front.
	autoName = regexp.MustCompile(`^\$aiger\d+\$(\d+)(b?)$`)
	padded   = regexp.MustCompile(`^\$([ilo])0+(\d)`)
	// unwritable are characters that not every program writes in BLIF as they are.
	unwritable = regexp.MustCompile(`[ <>#=]`)
)

// fromYosys makes the names that Yosys gives to elements those of circuit.
func fromYosys(c peers.Circuit) peers.Circuit {
	for _, names := range [][]string{c.Inputs, c.Latches, c.Outputs} {
		for i, name := range names {
			names[i] = padded.ReplaceAllString(peers.NameFromYosys(name), "$$$1$2")
			if m := autoName.FindStringSubmatch(name); m != nil {
				v, _ := strconv.Atoi(m[1])
				names[i] = fmt.Sprint("$lit", 2*v+len(m[2]))
			}
		}
	}
	return c
}

// upToSpace cuts names as Yosys does.
func upToSpace(c peers.Circuit) peers.Circuit {
	for _, names := range []*[]string{&c.Inputs, &c.Latches, &c.Outputs} {
		*names = slices.Clone(*names)
		for i, name := range *names {
			(*names)[i] = aigerdiagnose.NameKey(name)
		}
	}
	return c
}

// difference makes a program read a file and returns what is different, or "". compared
// counts what the program has written back and we have compared.
func (r *otherReader) difference(t *testing.T, w *written, random *rand.Rand) (difference string, compared int) {
	dir := t.TempDir()
	aig, blif := filepath.Join(dir, "back.aig"), filepath.Join(dir, "back.blif")
	said, err := r.read(t, w, aig, blif)
	data, err := peers.Written(aig, said, err)
	if err != nil {
		return strings.Join(strings.Fields(err.Error()), " "), 0
	}
	want := w.circuit()
	compare := func(back peers.Circuit) string {
		compared++
		switch {
		case isBLIF(w.in) && r.sameOrder:
			return peers.Difference(want, back, random)
		case r.sameOrder:
			return peers.Difference(byPosition(want), byPosition(back), random)
		}
		return peers.Difference(upToSpace(want), fromYosys(back), random)
	}
	back := peers.FromAIGER(t, data)
	names := slices.Concat(want.Inputs, want.Latches, want.Outputs)
	isPrivate := func(name string) bool { return strings.HasPrefix(name, "$") }
	if r.sameOrder || !slices.ContainsFunc(names, isPrivate) { // Yosys leaves such names out
		if d := compare(back); d != "" {
			return "AIGER written back: " + d, compared
		}
	}
	if hasConstraints(w) || slices.ContainsFunc(names, unwritable.MatchString) {
		return "", compared // constraints are outputs then
	}
	again := &written{path: blif}
	if again.in, _, again.circ = readBack(t, blif); again.circ == nil {
		return "BLIF written back has no circuit", compared
	}
	d := compare(again.circuit())
	switch {
	case d == "":
		return "", compared
	case w.model != nil && !r.sameOrder && strings.HasSuffix(d, peers.NotComparable):
		return "", compared - 1 // Yosys calls a latch as the output that it is
	}
	return "BLIF written back: " + d, compared
}

// circuitsOfAll returns the circuits of all corpora; without AIGLENS_LONG a sample of the
// small ones.
func circuitsOfAll(t *testing.T) []string {
	var all []string
	err := filepath.WalkDir(filepath.Join(shared.Dir(t), "corpus"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".blif") && !strings.HasSuffix(path, ".aag") && !strings.HasSuffix(path, ".aig") {
			return err
		}
		if info, err := d.Info(); err != nil || !isLong() && info.Size() > 20_000 || info.Size() > largest {
			return err
		}
		all = append(all, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !isLong() {
		random := rand.New(rand.NewPCG(5, 6))
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:sampled]
	}
	return all
}

const (
	sampled = 20      // files of a short run
	largest = 300_000 // bytes; for larger ones Yosys takes minutes
)

// TestOthersReadWhatIsWritten has ABC and Yosys read what convert and fmt write of every
// circuit, write it in both formats, and compares that with what was written. What a
// program lacks is excused where the file has it and the program says so. A formatted
// BLIF file is read at least where the file itself is.
func TestOthersReadWhatIsWritten(t *testing.T) {
	for _, name := range []string{"berkeley-abc", "yosys"} {
		peers.Program(t, name)
	}
	counts, excused := map[string]int{}, map[string]int{}
	random := rand.New(rand.NewPCG(1, 2))
	for _, file := range circuitsOfAll(t) {
		in, err := read(context.Background(), env{}, file, withCells(t))
		if err != nil {
			t.Fatal(err)
		}
		found, err := in.Diagnose(context.Background(), true)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(found, func(d source.Diagnostic) bool {
			return d.Severity == source.Error
		}) {
			counts["files with errors"]++
			continue
		}
		counts["files"]++
		for _, way := range encodings {
			w, err := write(t, in, way, t.TempDir())
			if err != nil {
				counts["refused as "+way]++
				continue
			}
			for i := range otherReaders {
				r := &otherReaders[i]
				d, compared := r.difference(t, w, random)
				counts[r.name+" reads "+way]++
				counts["compared"] += compared
				if d == "" {
					continue
				}
				if reason := r.excuse(t, in, w, d, random); reason != "" {
					excused[r.name+": "+reason]++
					continue
				}
				t.Errorf("%s, %s of %s: %.400s", r.name, way, filepath.Base(file), d)
			}
		}
	}
	t.Logf("%v\nexcused: %v", counts, excused)
	for _, way := range encodings {
		for _, r := range otherReaders {
			if counts[r.name+" reads "+way] == 0 {
				t.Errorf("%s has read no %s", r.name, way)
			}
		}
	}
	if counts["compared"] == 0 {
		t.Error("nothing has been compared")
	}
}

// excuse returns why a program need not read a file, or "".
func (r *otherReader) excuse(t *testing.T, in *design.Design, w *written, difference string, random *rand.Rand) string {
	for _, l := range r.lacks {
		if l.holds(w) && l.seen.MatchString(difference) {
			return l.reason
		}
	}
	if w.way == "fmt" && isBLIF(in) {
		original := &written{source: in.URI, way: "as it is", path: in.URI}
		original.in, original.model, original.circ = readBack(t, in.URI)
		if d, _ := r.difference(t, original, random); d != "" {
			return "reads the file itself otherwise as well"
		}
	}
	return ""
}
