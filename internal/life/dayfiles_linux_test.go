package life

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/blif/bliftest"
	"aiglens/internal/explicit"
)

// page is a file that the user edits.
type page struct {
	path  string
	text  string // with which it begins, and to which it comes back now and then
	dies  bool   // there is no file now and then
	blurs bool   // what it means depends on other files
	tires bool   // no check of it comes to an end

	file   *file // nil until it is opened
	before []string
}

func (p *page) uri() string { return fileURI(p.path) }

// decidable returns a text of which every property is decided soon.
func (p *page) decidable() string {
	if p.tires {
		return quick()
	}
	return p.text
}

func (p *page) isOpen() bool { return p.file != nil && p.file.isOpen }

// A stage that other files use, and the files that use one.
const (
	stageText = ".model %s\n.inputs in\n.outputs q\n.latch in q 0\n.end\n"
	userText  = "%s.model %s_top\n.inputs x\n.outputs bad\n.names x y\n1 1\n.subckt %s in=y q=z\n.latch z w 0\n.names y w bad\n11 1\n.end\n"
)

// pages are the files of a day, in a folder.
func pages(t testing.TB, r *rand.Rand, folder string) (all []*page) {
	t.Helper()
	add := func(name, text string) *page {
		p := &page{path: filepath.Join(folder, name), text: text}
		all = append(all, p)
		return p
	}
	for _, name := range examples(t) {
		p := add(name, example(t, name))
		p.blurs = strings.Contains(p.text, ".subckt")
	}
	add("quick.aag", quick())
	add("shifts.aag", shifts())
	shape := explicit.Shape{Inputs: 4, Latches: 5, Gates: 30, Constraints: 1, FreeLatches: true, OneResets: true}
	for i := range 4 {
		add(fmt.Sprintf("random%d.aag", i), string(aiger.FromCircuit(explicit.RandomCircuit(r, shape)).AppendASCII(nil)))
	}
	add("random.blif", bliftest.Random(r.Uint64(), bliftest.Dialect(0), true))
	add("hard.aag", hard()).tires = true
	add("large.aag", large())

	// Models of other files: of a .search line, of the folder, nowhere, and coming and going.
	add("there_stage.blif", fmt.Sprintf(stageText, "there"))
	add("beside.blif", fmt.Sprintf(stageText, "beside"))
	add("late.blif", fmt.Sprintf(stageText, "late")).dies = true
	add("found.blif", fmt.Sprintf(userText, ".search there_stage.blif\n", "found", "there"))
	add("folder.blif", fmt.Sprintf(userText, "", "folder", "beside"))
	add("missing.blif", fmt.Sprintf(userText, ".search nowhere.blif\n", "missing", "nowhere"))
	add("waiting.blif", fmt.Sprintf(userText, ".search late.blif\n", "waiting", "late"))
	add("wide.blif", fmt.Sprintf(userText, "", "wide", "beside")+wideModel(2000))
	for _, p := range all[len(all)-8:] {
		p.blurs = true
	}
	return all
}

// large is quick among ten thousand gates on which no property depends.
func large() string {
	n := &netlist{}
	n.bad(n.shift(3, 1), "reached")
	n.bad(n.shift(4, 0), "never")
	for last := n.last; n.last < last+10_000; {
		n.and(2*n.last, 2*(1+n.last/2)+1)
	}
	return n.String()
}

// wideModel is an unused model of many covers.
func wideModel(covers int) string {
	var b strings.Builder
	b.WriteString(".model wide_unused\n.inputs a b\n.outputs n0\n")
	for i := range covers {
		fmt.Fprintf(&b, ".names a b n%d\n11 1\n", i)
	}
	b.WriteString(".end\n")
	return b.String()
}

// writePacked writes a binary AIGER file, and the same packed, beside the pages.
func writePacked(t testing.TB, r *rand.Rand, folder string) (paths []string) {
	t.Helper()
	data, err := aiger.FromCircuit(explicit.RandomCircuit(r, explicit.Shape{Inputs: 4, Latches: 5, Gates: 40})).AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"binary.aig": data, "packed.aig.gz": packed.Bytes()} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// edited returns a text after an edit as typing makes it: mostly a digit or a
// row, sometimes nonsense.
func edited(r *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	i := r.IntN(len(lines))
	switch r.IntN(8) {
	case 0, 1, 2: // a digit for another one
		for range 20 {
			if at := r.IntN(len(text) + 1); at < len(text) && text[at] >= '0' && text[at] <= '9' {
				return text[:at] + fmt.Sprint(r.IntN(10)) + text[at+1:]
			}
		}
		return text
	case 3: // a row twice
		lines[i] += lines[i]
	case 4: // a row less
		lines[i] = ""
	case 5: // rows change places
		j := r.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
	case 6: // something typed
		word := []string{" ", "\n", "c\n", "#", "x", "2 ", ".end\n", ".names a b\n1 1\n", "é", "\\\n", "i0 name\n", "1"}[r.IntN(12)]
		at := r.IntN(len(lines[i]) + 1)
		for at > 0 && at < len(lines[i]) && lines[i][at]&0xC0 == 0x80 {
			at-- // not within a character
		}
		lines[i] = lines[i][:at] + word + lines[i][at:]
	case 7: // a word less
		words := strings.SplitAfter(lines[i], " ")
		words[r.IntN(len(words))] = ""
		lines[i] = strings.Join(words, "")
	}
	return strings.Join(lines, "")
}
