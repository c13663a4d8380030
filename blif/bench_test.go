package blif_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/diagnose"
	"aiglens/blif/flat"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// texts are a divider of 115,000 lines, a generated file of a million, and one
// with thousands of instances of cells without model.
func texts(b *testing.B) map[string]string {
	return map[string]string{
		"epfl-div":      bliftest.Read(b, filepath.Join(shared.Dir(b), "corpus", "blif", "epfl-div.blif")),
		"million":       bliftest.Generated(1_000_000),
		"vtr-eblif-sha": bliftest.Read(b, filepath.Join(shared.Dir(b), "corpus", "blif", "vtr-eblif-sha.blif")),
	}
}

var benchFiles = []string{"epfl-div", "million"}

// BenchmarkParse reads a file with its line index and diagnostics.
func BenchmarkParse(b *testing.B) {
	contents := texts(b)
	for _, name := range benchFiles {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(contents[name])))
			b.ReportAllocs()
			for b.Loop() {
				if ds := diagnose.Diagnostics(blif.Options{}.Parse(source.NewText(contents[name]))); len(ds) > 0 {
					b.Fatal(ds[0].Message)
				}
			}
		})
	}
}

// BenchmarkKeystroke types a character somewhere, or takes it back, and asks
// for the diagnostics.
func BenchmarkKeystroke(b *testing.B) {
	contents := texts(b)
	for name := range contents {
		b.Run(name, func(b *testing.B) {
			f := blif.Options{}.Parse(source.NewText(contents[name]))
			diagnose.Diagnostics(f)
			random := rand.New(rand.NewPCG(1, 2))
			var ms []float64
			b.ReportAllocs()
			for b.Loop() {
				at := random.IntN(f.Text().Len())
				for _, e := range []source.Edit{
					{Span: source.Span{Start: at}, NewText: strconv.Itoa(random.IntN(2))}, {Span: source.Span{Start: at, Length: 1}},
				} {
					start := time.Now()
					f = f.Reparse(f.Text().Replace(e.Span, e.NewText))
					diagnose.Diagnostics(f)
					ms = append(ms, 1e3*time.Since(start).Seconds())
				}
			}
			slices.Sort(ms)
			b.ReportMetric(ms[len(ms)/2], "ms-p50")
			b.ReportMetric(ms[len(ms)*99/100], "ms-p99")
		})
	}
}

// BenchmarkElaborate builds the circuit of a parsed file. The log says what
// ABC takes to read and strash the same file, its start included.
func BenchmarkElaborate(b *testing.B) {
	path := filepath.Join(shared.Dir(b), "corpus", "blif", "epfl-div.blif")
	content := bliftest.Read(b, path)
	if abc, err := exec.LookPath("berkeley-abc"); err == nil {
		start := time.Now()
		if out, err := exec.Command(abc, "-q", "read_blif "+path+"; strash").CombinedOutput(); err != nil {
			b.Fatal(string(out))
		}
		b.Logf("berkeley-abc: %.0f ms", 1e3*time.Since(start).Seconds())
	}
	for _, whole := range []bool{false, true} {
		b.Run(fmt.Sprintf("parse=%t", whole), func(b *testing.B) {
			f := blif.Options{}.Parse(source.NewText(content))
			for b.Loop() {
				if whole {
					f = blif.Options{}.Parse(source.NewText(content))
				}
				if c := flat.Elaborate(f).Circuit; c.NumGates() < 50_000 {
					b.Fatal(c.NumGates())
				}
			}
		})
	}
}

// BenchmarkLint looks for the warnings of a whole file.
func BenchmarkLint(b *testing.B) {
	contents := texts(b)
	for _, name := range benchFiles {
		b.Run(name, func(b *testing.B) {
			f := blif.Options{}.Parse(source.NewText(contents[name]))
			for b.Loop() {
				if _, err := diagnose.Lint(context.Background(), f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
