package lsp

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"aiglens/design"
	"aiglens/design/blifdesign"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/settings"
	"aiglens/lsp/wire"
	"aiglens/lsp/workspace"
)

// family is a set of BLIF files that instantiate models of each other: top finds
// mid by a .search line and leaf through it, back comes back to a model of top,
// and pick is whichever file of the folder defines it. Each text is one of many.
var family = map[string]func(*rand.Rand) string{
	"top.blif": func(r *rand.Rand) string {
		search := oneOf(r, ".search mid.blif\n", ".search mid.blif\n", "", ".search none.blif\n.search mid.blif\n")
		return search + ".model top\n.inputs x y\n.outputs o\n# prop: bad one\n# prop: assert two\n" +
			".subckt mid a=x b=y q=p\n" + oneOf(r, ".subckt pick a=p b=y q=o\n", ".names p y o\n11 1\n") +
			".names p o one\n" + oneOf(r, "11 1\n", "10 1\n", "1 1\n") + ".names o p two\n" + oneOf(r, "01 1\n", "11 0\n") + ".end\n" +
			".model helper\n.inputs a\n.outputs q\n.latch a q " + oneOf(r, "0", "1", "2") + "\n.end\n"
	},
	"mid.blif": func(r *rand.Rand) string {
		return ".search leaf.blif\n.model mid\n.inputs a b\n.outputs q\n# prop: bad q\n" +
			".subckt leaf a=a q=u\n.subckt " + oneOf(r, "leaf", "leaf", "leaf", "leaf", "missing") + " a=b q=v\n.names u v q\n" + oneOf(r, "11 1\n", "10 1\n", "00 1\n") + ".end\n"
	},
	"leaf.blif": func(r *rand.Rand) string {
		leaf := ".model leaf\n.inputs a\n.outputs q\n# prop: bad q\n" + oneOf(r, ".names a n\n1 1\n", ".names n\n", ".names a n\n0 1\n") +
			".latch n q " + oneOf(r, "0", "0", "1", "2") + "\n.end\n"
		return strings.Repeat("#\n", r.Intn(3)) + leaf + oneOf(r, "", "", "", "", pick("01 1\n"))
	},
	"back.blif": func(r *rand.Rand) string {
		return ".search top.blif\n.model back\n.inputs x\n.outputs o\n# prop: bad o\n.subckt helper a=x q=u\n.subckt " +
			oneOf(r, "leaf", "pick b=x") + " a=u q=o\n.end\n"
	},
	"pick.blif": func(r *rand.Rand) string {
		return oneOf(r, pick("11 1\n"), pick("1- 1\n"), pick("00 0\n"), pick("10 1\n"), "", pick("1\n"))
	},
}

func pick(cover string) string {
	return ".model pick\n.inputs a b\n.outputs q\n# prop: bad q\n.names a b q\n" + cover + ".end\n"
}

func oneOf(r *rand.Rand, texts ...string) string { return texts[r.Intn(len(texts))] }

// editedFile is one file of the family, in the editor and on disk. One goroutine
// works on it, so that the messages about it are in order.
type editedFile struct {
	modelBench
	name    string
	text    string // in the editor
	isOpen  bool
	version int
	random  *rand.Rand
}

// step does one thing that a user, or another program, does to a file.
func (f *editedFile) step() {
	text := family[f.name](f.random)
	at := map[string]any{"textDocument": map[string]any{"uri": f.address(f.name)}, "position": lsptest.Position{Line: f.random.Intn(9), Character: 9}}
	switch action := f.random.Intn(10); {
	case action == 0:
		f.writeOutside(text)
	case action == 1:
		_ = os.Remove(filepath.Join(f.folder, f.name)) // it may be gone already
		f.changedOnDisk(f.name)
	case !f.isOpen:
		f.open(text)
	case action == 2:
		f.isOpen = false
		f.close(f.address(f.name))
	case action <= 4:
		f.saveFile()
	case action == 5:
		f.Send([]string{"textDocument/hover", "textDocument/definition", "textDocument/documentLink"}[f.random.Intn(3)], at)
	case action == 6:
		f.Send("textDocument/codeLens", map[string]any{"textDocument": at["textDocument"]})
	default:
		f.edit(text)
	}
}

func (f *editedFile) open(text string) {
	f.isOpen, f.text, f.version = true, text, f.version+1
	f.openAs("blif", f.address(f.name), text)
}

// edit replaces what differs.
func (f *editedFile) edit(text string) {
	head, tail := source.Common(source.NewText(f.text), source.NewText(text))
	buffer := lsptest.Buffer{Text: f.text, Encoding: "utf-16"}
	f.version++
	f.change(f.address(f.name), f.version, map[string]any{
		"range": lsptest.Range{Start: buffer.PositionOf(head), End: buffer.PositionOf(len(f.text) - tail)}, "text": text[head : len(text)-tail]})
	f.text = text
}

func (f *editedFile) saveFile() {
	f.writeOutside(f.text)
	f.save(f.address(f.name))
}

func (f *editedFile) writeOutside(text string) {
	if err := os.WriteFile(filepath.Join(f.folder, f.name), []byte(text), 0o600); err != nil {
		f.t.Error(err)
	}
	f.changedOnDisk(f.name)
}

// TestHierarchyUnderWay has several files that depend on each other edited, saved,
// closed and written by others, all at once. In the end every lens says what a
// check from scratch says: first of the files as they are in the editor, then, when
// all are saved, of the files on disk.
func TestHierarchyUnderWay(t *testing.T) {
	for seed := range int64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { hierarchyUnderWay(t, seed) })
	}
}

func hierarchyUnderWay(t *testing.T, seed int64) {
	h := modelBench{newBench(t, explicit), t.TempDir(), ""}
	h.Initialize(capable, nil)
	var files []*editedFile
	for _, name := range slices.Sorted(slices.Values([]string{"top.blif", "mid.blif", "leaf.blif", "back.blif", "pick.blif"})) {
		files = append(files, &editedFile{modelBench: h, name: name, random: rand.New(rand.NewSource(seed*100 + int64(len(files))))})
	}
	var workers sync.WaitGroup
	for _, f := range files {
		f.writeOutside(family[f.name](f.random))
		workers.Go(func() {
			for range everyDay(60, 240) {
				f.step()
			}
		})
	}
	workers.Wait()
	for _, f := range files { // what is open counts, what is not is read from the disk
		if f.isOpen {
			h.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, map[string]any{"uri": f.address(f.name)}), nil)
		}
	}
	expectVerdicts(t, files)
	for _, f := range files {
		if !f.isOpen {
			f.open(family[f.name](f.random))
		}
		f.saveFile()
	}
	for _, f := range files { // a save checks one file, after which another may have changed
		f.save(f.address(f.name))
	}
	expectVerdicts(t, files)
}

// expectVerdicts waits until the lenses of the open files say what they must.
func expectVerdicts(t *testing.T, files []*editedFile) {
	t.Helper()
	fresh, open := newModels(workspace.OS{}), map[string]source.Text{}
	for _, f := range files {
		if f.isOpen {
			open[filepath.Join(f.folder, f.name)] = source.NewText(f.text)
		}
	}
	fresh.library.Store(blifdesign.NewLibrary(openFiles{fresh.disk, open, true, nil}, blifdesign.Option{}, nil))
	for _, f := range files {
		if !f.isOpen {
			continue
		}
		want := verdictsFromScratch(t, f, fresh)
		f.awaitTitles(f.address(f.name), fmt.Sprintf("%s: %q", f.name, want), func(titles []string) bool {
			for i, title := range titles {
				if strings.HasPrefix(title, "proved") {
					titles[i] = "proved" // the rest may be of another proof
				}
			}
			return slices.Equal(titles, want)
		})
	}
}

// verdictsFromScratch checks a file in the words of the lenses.
func verdictsFromScratch(t *testing.T, f *editedFile, fresh *models) []string {
	t.Helper()
	options := settings.Default().Document.With(blifdesign.Format, blifdesign.Option{Models: fresh})
	d := design.New(f.address(f.name), blifdesign.Format, 1, source.NewText(f.text), options)
	var all []string
	for _, p := range d.Properties() {
		if fault := d.Fault(p.ID); fault != nil {
			all = append(all, ide.Status{FaultLine: d.Text.LineAt(fault.Span.Start) + 1, Fault: fault.Brief()}.String())
			continue
		}
		r := verify.Run(context.Background(), verify.Job{Circuit: d.Circuit(), Property: p.ID, Engine: engines.IC3{}.Engine()}, func(verify.Progress) {})
		if !r.Checked.Certified() {
			t.Fatalf("%s: no certificate for %s", f.name, p.Name)
		}
		status := ide.Status{Result: &r, Freshness: ide.Fresh, LeftOpen: d.LeftOpen(p.ID)}.String()
		if strings.HasPrefix(status, "proved") {
			status = "proved"
		}
		all = append(all, status)
	}
	return all
}
