package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/design"
	"aiglens/design/formats"
)

// folderWith makes a folder with files.
func folderWith(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestFindCircuits finds the circuits of any format in folders that are not hidden.
func TestFindFiles(t *testing.T) {
	folder := folderWith(t, map[string]string{
		"a.aag": "", "b.AIG": "", "sub/c.blif": "", "sub/d.eblif": "", "e.aig.gz": "", "f.txt": "", ".git/g.aag": "",
		"node_modules/h.aag": "", ".hidden.aag": "",
	})
	found, err := FindFiles(context.Background(), OS{}, formats.All(), []string{folder, filepath.Join(folder, "none")})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range found {
		rel, _ := filepath.Rel(folder, path)
		names = append(names, filepath.ToSlash(rel))
	}
	slices.Sort(names)
	if got, want := strings.Join(names, " "), ".hidden.aag a.aag b.AIG e.aig.gz sub/c.blif sub/d.eblif"; got != want {
		t.Errorf("found %s, expected %s", got, want)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := FindFiles(ended, OS{}, formats.All(), []string{folder}); err == nil {
		t.Error("it goes on after the end of its context")
	}
}

// TestReadCircuit reads text and binary files, and notices when they change.
func TestReadCircuit(t *testing.T) {
	folder := folderWith(t, map[string]string{
		"a.aag": "aag 1 0 1 0 0 1\n2 3\n2\n", "b.aig": "aig 1 0 1 0 0 1\n3\n2\n", "broken.aig.gz": "nothing of that kind",
	})
	for name, ok := range map[string]bool{"a.aag": true, "b.aig": true, "broken.aig.gz": false, "none.aag": false} {
		path := filepath.Join(folder, name)
		d, stamp, err := ReadCircuit(NewLimited(OS{}), formats.All(), path, design.Options{})
		if (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
		if !ok {
			continue
		}
		if n := len(d.Properties()); n != 1 {
			t.Errorf("%s: %d properties", name, n)
		}
		c := Closed{Path: path, Stamp: stamp}
		if c.Reread(OS{}) != Same {
			t.Errorf("%s has changed", name)
		}
		if err := os.WriteFile(path, []byte("longer than before, and more than that"), 0o644); err != nil {
			t.Fatal(err)
		}
		if c.Reread(OS{}) != Changed {
			t.Errorf("%s has not changed", name)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if c.Reread(OS{}) != Gone {
			t.Errorf("%s is still there", name)
		}
	}
}

// TestCheck follows a check of files through what may become of them. The letters of a
// script are files: "+a" is due, "." takes the next one, "o" and "f" say that the one
// that was taken is open or could not be read, "ca" closes a file, "da" drops it.
func TestCheck(t *testing.T) {
	for _, test := range []struct{ script, want string }{
		{"", "0 of 0, done"},
		{"+a +b", "0 of 2"},
		{"+a . f", "1 of 1, done"},
		{"+a +b . o . o ca cb", "2 of 2, done"},
		{"+a +a . o +a", "0 of 1"},
		{"+a +b . o db", "1 of 2"},
		{"+a +b da db", "2 of 2, done"},
		{"+a . o cb ca ca", "1 of 1, done"},
		{"+a +b +c . o . o . o", "0 of 3"},
		{"+a . o ra+A cA", "1 of 1, done"},
		{"+a +b . da . o cb", "2 of 2, done"},
		{"+a . o da", "0 of 1"},
		{"+a -a . -a o -a", "0 of 1"},
		{"+a . o ca -a +a", "0 of 1"},
		{"+a +b . o ca -a +a . o . o ca cb", "2 of 2, done"},
	} {
		c := NewCheck[string]()
		last := ""
		for _, step := range strings.Fields(test.script) {
			switch name := step[1:]; step[0] {
			case '+':
				c.Add([]string{"/" + name})
			case '.':
				path, ok := c.Next(2)
				if !ok {
					t.Fatalf("%q: nothing is next", test.script)
				}
				last = strings.TrimPrefix(path, "/")
			case 'o':
				c.Opened("/"+last, last)
			case 'f':
				c.Failed("/" + last)
			case 'c':
				c.Close(name)
			case 'd':
				c.Drop("/" + name)
			case '-':
				c.Forget("/" + name)
			case 'r':
				old, next, _ := strings.Cut(name, "+")
				c.Replace(old, next)
			}
		}
		done, all := c.Done()
		got := fmt.Sprintf("%d of %d", done, all)
		if c.IsDone() {
			got += ", done"
		}
		if got != test.want {
			t.Errorf("%q: %s, expected %s", test.script, got, test.want)
		}
	}
	c := NewCheck[string]()
	c.Add([]string{"/a", "/b", "/c", "/d"})
	for n := range 4 {
		if _, ok := c.Next(2); ok != (n < 3) {
			t.Errorf("%d files are under way, one more: %v", n, ok)
		}
	}
}

// TestSearch ranks a beginning before a part before letters in order.
func TestSearch(t *testing.T) {
	at := func(name, file string, line uint32) Name {
		return Name{Name: name, Location: protocol.Location{URI: uri.URI("file:///" + file), Range: protocol.Range{Start: protocol.Position{Line: line}}}}
	}
	s := NewSearch("Gr")
	s.Add([]Name{at("agree", "a", 1), at("grant", "b", 2), at("grant", "b", 1), at("gear", "a", 3), at("none", "a", 4)})
	s.Add([]Name{at("GRANT", "c", 1), at("grant", "a", 9)})
	var got []string
	for _, n := range s.Best(5) {
		got = append(got, fmt.Sprintf("%s %s:%d", n.Name, strings.TrimPrefix(string(n.Location.URI), "file:///"), n.Location.Range.Start.Line))
	}
	if want := "GRANT c:1, grant a:9, grant b:1, grant b:2, agree a:1"; strings.Join(got, ", ") != want {
		t.Errorf("found %s, expected %s", strings.Join(got, ", "), want)
	}
}

// gate is a file system that answers one question at a time, when it is let.
type gate struct {
	OS
	asked, let chan struct{}
}

func (g gate) ReadFile(path string) ([]byte, error) {
	g.asked <- struct{}{}
	<-g.let
	return g.OS.ReadFile(path)
}

// TestDisk keeps what it has read: what was asked for once is at hand while the file
// system is asked again, and Look says whether that made a difference.
func TestDisk(t *testing.T) {
	folder := folderWith(t, map[string]string{"a.blif": "one", "b.txt": ""})
	path := filepath.Join(folder, "a.blif")
	g := gate{asked: make(chan struct{}, 100), let: make(chan struct{}, 100)}
	d := NewDisk(g)
	if !d.IsEmpty() || d.Has(path) {
		t.Error("nothing has been asked for")
	}
	var readers sync.WaitGroup
	for range 3 { // one of which asks the file system
		readers.Go(func() {
			if text, ok := d.Text(path); !ok || text.Content() != "one" {
				t.Errorf("read %q", text.Content())
			}
		})
	}
	<-g.asked
	g.let <- struct{}{}
	readers.Wait()
	if len(g.asked) != 0 {
		t.Error("the file has been read several times")
	}
	if got := d.Folder(folder); !slices.Equal(got, []string{path}) {
		t.Errorf("in the folder %q", got)
	}
	if !d.Has(path) || !d.Has(filepath.Join(folder, "new.blif")) || d.Has(filepath.Join(folder, "sub", "a.blif")) {
		t.Error("what depends on which paths is wrong")
	}

	changed := make(chan bool)
	look := func(paths []string, all bool) { go func() { changed <- d.Reread(paths, all) }() }
	expect := func(what string, want bool) {
		t.Helper()
		if got := <-changed; got != want {
			t.Errorf("%s: changed %v", what, got)
		}
	}
	look(nil, true)
	expect("nothing has changed", false)
	look([]string{path, path}, false)
	<-g.asked
	if text, ok := d.Text(path); !ok || text.Content() != "one" {
		t.Errorf("what is kept is not at hand: %q", text.Content())
	}
	g.let <- struct{}{}
	expect("read again, and the same", false)

	if err := os.WriteFile(path, []byte("two"), 0o644); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	g.let <- struct{}{}
	look(nil, true)
	expect("the file has changed", true)
	if text, _ := d.Text(path); text.Content() != "two" {
		t.Errorf("kept %q", text.Content())
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	look([]string{path}, false)
	expect("the file is gone", true)
	if _, ok := d.Text(path); ok || len(d.Folder(folder)) != 0 {
		t.Error("the file is still there")
	}
}
