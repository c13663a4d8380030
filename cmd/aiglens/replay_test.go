package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/internal/shared"
	"aiglens/internal/wave"
	"aiglens/internal/wave/wavetest"
)

// runCommand runs a command in this process.
func runCommand(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), env{stdin: strings.NewReader(""), stdout: &out, stderr: &errs}, args)
	return code, out.String(), errs.String()
}

func isLong() bool { return os.Getenv("AIGLENS_LONG") != "" }

// smallBytes is the size of files up to which tests take them without AIGLENS_LONG.
const smallBytes = 12_000

// TestWitnessesReplay replays the witnesses that come with the benchmarks and writes
// each in every format. What is written as AIGER, minimal too, replays and passes the
// referee; VCD reads back in GTKWave's converters with the values of the JSON.
func TestWitnessesReplay(t *testing.T) {
	dir := filepath.Join(shared.Dir(t), "benchmarks")
	witnesses, err := filepath.Glob(filepath.Join(dir, "witnesses", "*.wit"))
	if err != nil || len(witnesses) < 90 {
		t.Fatalf("%d witnesses, %v", len(witnesses), err)
	}
	done := 0
	for _, witness := range witnesses {
		file := modelOf(t, dir, witness)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !isLong() && (len(data) > smallBytes || bytesOf(t, witness) > smallBytes) {
			continue
		}
		done++
		t.Run(filepath.Base(witness), func(t *testing.T) {
			if code, out, errs := runCommand(t, "replay", "--witness", witness, file); code != exitOK {
				t.Fatalf("exit %d\n%s%s", code, out, errs)
			}
			for _, minimize := range []string{"--minimize=false", "--minimize"} {
				again := exportAs(t, witness, file, "aiger", minimize)
				if err := refereeOf(t, data).accept(again); err != nil {
					t.Errorf("%s: the referee says: %v", minimize, err)
				}
				written := filepath.Join(t.TempDir(), "again.wit")
				if err := os.WriteFile(written, []byte(again), 0o666); err != nil {
					t.Fatal(err)
				}
				if code, out, errs := runCommand(t, "replay", "--witness", written, file); code != exitOK {
					t.Errorf("%s: what was written does not replay: exit %d\n%s%s", minimize, code, out, errs)
				}
			}
			checkWaves(t, witness, file)
		})
	}
	if done < 15 {
		t.Errorf("%d witnesses only", done)
	}
}

func bytesOf(t *testing.T, file string) int64 {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// modelOf returns the file that a witness is named after.
func modelOf(t *testing.T, dir, witness string) string {
	t.Helper()
	base := strings.TrimSuffix(filepath.Base(witness), ".wit")
	for _, ending := range []string{".aig", ".aag"} {
		if found, _ := filepath.Glob(filepath.Join(dir, "hwmcc*", base+ending)); len(found) > 0 {
			return found[0]
		}
	}
	t.Fatalf("no model of %s", witness)
	return ""
}

func refereeOf(t *testing.T, data []byte) *refereeModel {
	t.Helper()
	m, err := readReferee(data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func exportAs(t *testing.T, witness, file, format string, more ...string) string {
	t.Helper()
	code, out, errs := runCommand(t, append([]string{"replay", "--witness", witness, "--to", format, file}, more...)...)
	if code != exitOK || out == "" {
		t.Fatalf("as %s: exit %d\n%s", format, code, errs)
	}
	return out
}

// checkWaves writes a run in the formats of waves and compares VCD with JSON.
func checkWaves(t *testing.T, witness, file string) {
	t.Helper()
	for _, format := range []wave.Format{wave.WaveDrom, wave.Markdown} {
		exportAs(t, witness, file, string(format))
	}
	var w waveJSON
	if err := json.Unmarshal([]byte(exportAs(t, witness, file, string(wave.JSON))), &w); err != nil {
		t.Fatal(err)
	}
	vcd := exportAs(t, witness, file, string(wave.VCD))
	got, err := wavetest.ReadVCD(wavetest.ThroughGTKWave(t, []byte(vcd)), w.Steps)
	if err != nil {
		t.Fatal(err)
	}
	want := w.bits()
	if len(got) != len(want) {
		t.Errorf("%d signals in the VCD, %d in the JSON", len(got), len(want))
	}
	for name, values := range want {
		if got[name] != values {
			t.Errorf("%s is %s in the VCD, %s in the JSON", name, got[name], values)
		}
	}
}

// waveJSON is the form of waves as docs/traces.md describes it.
type waveJSON struct {
	Steps   int
	Signals []struct {
		Path                []string
		Name, Group, Values string
		Word, Bit           *int
	}
	Words []struct {
		Path           []string
		Name           string
		MSB, LSB       int
		Digits, Values []string
	}
}

// bits returns the values of the bits of words, and of signals in none, by their names in VCD.
func (w *waveJSON) bits() map[string]string {
	bits := map[string]string{}
	full := func(path []string, name string) string {
		return strings.Join(slices.Concat([]string{"run"}, path, []string{name}), ".")
	}
	for _, s := range w.Signals {
		switch {
		case s.Word != nil:
		case wave.Group(s.Group) == wave.Property:
			bits[full(append([]string{"properties"}, s.Path...), s.Name)] = s.Values
		case wave.Group(s.Group) == wave.Constraint:
			bits[full(append([]string{"constraints"}, s.Path...), s.Name)] = s.Values
		default:
			bits[full(s.Path, s.Name)] = s.Values
		}
	}
	for _, word := range w.Words {
		for _, digits := range word.Digits {
			for i := range digits {
				index := word.MSB - i
				if word.MSB < word.LSB {
					index = word.MSB + i
				}
				bits[full(word.Path, fmt.Sprintf("%s[%d]", word.Name, index))] += strings.ReplaceAll(digits[i:i+1], "-", "x")
			}
		}
	}
	return bits
}

// TestRefereeAcceptsWitnesses checks the violated benchmarks of the tiers smoke and
// small, without AIGLENS_LONG the small files of tier smoke, and has the referee judge
// the witnesses that are written.
func TestRefereeAcceptsWitnesses(t *testing.T) {
	dir := filepath.Join(shared.Dir(t), "benchmarks")
	tiers := []string{"smoke"}
	if isLong() {
		tiers = append(tiers, "small")
	}
	done := 0
	for _, b := range readBenchmarks(t, filepath.Join(dir, "peers.csv"), tiers) {
		file := filepath.Join(dir, b.file)
		if b.expected != "refuted" || !isLong() && bytesOf(t, file) > smallBytes {
			continue
		}
		done++
		out := t.TempDir()
		index := "output:0"
		if b.property == "b0" {
			index = "bad:0"
		}
		if code, said, errs := runCommand(t, "check", "--no-cache", "--index", index, "--witness", out, file); code != exitRefuted {
			t.Errorf("%s: exit %d\n%s%s", b.file, code, said, errs)
			continue
		}
		written, err := filepath.Glob(filepath.Join(out, "*.wit"))
		if err != nil || len(written) != 1 {
			t.Fatalf("%s: %v, %v", b.file, written, err)
		}
		witness, err := os.ReadFile(written[0])
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := refereeOf(t, data)
		if err := m.accept(string(witness)); err != nil {
			t.Errorf("%s: the referee says: %v", b.file, err)
		}
		if code, said, errs := runCommand(t, "replay", "--witness", written[0], file); code != exitOK {
			t.Errorf("%s: exit %d\n%s%s", b.file, code, said, errs)
		}
		checkRefereeRefuses(t, b.file, m, string(witness))
	}
	t.Logf("%d witnesses", done)
	if done < 30 {
		t.Errorf("%d benchmarks only", done)
	}
}

// checkRefereeRefuses: a minimal witness with one value less is none for a referee
// that tries several values, most of the time; without its last step it never is
// when no step before is bad.
func checkRefereeRefuses(t *testing.T, file string, m *refereeModel, witness string) {
	t.Helper()
	lines := strings.Split(witness, "\n")
	if len(lines) < 7 {
		return // one step
	}
	shorter := strings.Join(append(lines[:len(lines)-3:len(lines)-3], ".", ""), "\n")
	if m.accept(shorter) == nil {
		t.Errorf("%s: the referee takes the witness without its last step", file)
	}
}
