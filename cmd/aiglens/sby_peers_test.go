package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"aiglens/internal/peers"
	"aiglens/internal/shared"
)

// TestYosysWitness gives what sby answers about the designs that Yosys has written to yosys-witness, and
// the traces that this makes back to replay; and the traces that replay writes to yosys-witness.
func TestYosysWitness(t *testing.T) {
	witness := peers.Program(t, "yosys-witness")
	maps, err := filepath.Glob(filepath.Join(shared.Dir(t), "corpus", "yosys", "*.ywa"))
	if err != nil {
		t.Fatal(err)
	}
	converted := 0
	for _, from := range maps {
		dir := t.TempDir()
		name := strings.TrimSuffix(filepath.Base(from), ".ywa")
		at := func(ext string) string { return filepath.Join(dir, name+ext) }
		for _, ext := range []string{".ywa", ".aig"} {
			data, err := os.ReadFile(strings.TrimSuffix(from, ".ywa") + ext)
			if err == nil {
				err = os.WriteFile(at(ext), data, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		h := answerInProcess(t, "sby", at(".aig"))
		if h.status != "1" {
			continue
		}
		converted++
		if err := os.WriteFile(at(".aiw"), []byte("1\n"+strings.Join(h.witness, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		ask := func(args ...string) string {
			t.Helper()
			said, err := exec.Command(witness, args...).CombinedOutput()
			if err != nil {
				t.Fatalf("yosys-witness %s: %v\n%s", strings.Join(args, " "), err, said)
			}
			return string(said)
		}
		property := "bad:" + strings.TrimPrefix(h.witness[0], "b")
		replayed := func(args ...string) string {
			t.Helper()
			var out, said strings.Builder
			e := env{stdin: strings.NewReader(""), stdout: &out, stderr: &said}
			if code := run(context.Background(), e, append([]string{"replay"}, args...)); code != exitOK || !strings.Contains(out.String()+said.String(), property+": violated in step ") {
				t.Fatalf("replay %s: exit code %d\n%s%s", strings.Join(args, " "), code, out.String(), said.String())
			}
			return out.String()
		}
		ask("aiw2yw", at(".aiw"), at(".ywa"), at(".yw"))
		replayed(at(".aig"), at(".yw"))
		back := replayed("--to", "aiger", "--index", property, at(".aig"), at(".yw"))
		if want := "1\n" + strings.Join(h.witness, "\n") + "\n"; canonical(back) != canonical(want) {
			t.Errorf("%s: back is\n%s\nwas\n%s", name, back, want)
		}
		replayed("--to", "yw", "-o", at(".ours.yw"), "--witness", at(".aiw"), at(".aig"))
		if said := ask("display", at(".ours.yw")); !strings.Contains(said, "Step ") {
			t.Errorf("%s: display says\n%s", name, said)
		}
		ask("yw2aiw", at(".ours.yw"), at(".ywa"), at(".back.aiw"))
		data, err := os.ReadFile(at(".back.aiw"))
		if err != nil {
			t.Fatal(err)
		}
		rows := strings.Split(strings.TrimSpace(string(data)), "\n")
		if canonical(strings.Join(rows[3:], "\n")) != canonical(strings.Join(h.witness[2:], "\n")) {
			t.Errorf("%s: yw2aiw has\n%s\nof\n%q", name, data, h.witness)
		}
	}
	if converted == 0 {
		t.Error("no design was refuted")
	}
}

// canonical takes x as 0: start values have none after step 0.
func canonical(text string) string { return regexp.MustCompile(`[x0]`).ReplaceAllString(text, "0") }
