package life

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// folderWith makes a folder with files.
func folderWith(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// binary is quick's first property as binary AIGER: two latches that keep a 1.
const binary = "aig 2 0 2 0 0 1\n2 1\n2 0\n4\n"

const broken = "aag 2 0 1 0 0 2\n2 2 1\n2\n9\n"

func (e *editor) at(path string) *file {
	if f := e.files[fileURI(path)]; f != nil {
		return f
	}
	return &file{uri: fileURI(path)}
}

// TestSurvey checks a folder with files of all kinds, none of which is open.
func TestSurvey(t *testing.T) {
	dir := folderWith(t, map[string]string{
		"good.aag": quick(), "sub/broken.aag": broken, "binary.aig": binary, "other.txt": "no circuit",
		"counts.blif": example(t, "crossing.blif"), "empty.aag": "", "node_modules/skipped.aag": quick(),
	})
	e := start(t, options{folders: []string{dir}, watches: true})
	var answer struct{ Files int }
	e.execute("checkWorkspace", map[string]any{}, &answer)
	if answer.Files != 5 {
		t.Errorf("%d files", answer.Files)
	}
	good, bad := filepath.Join(dir, "good.aag"), filepath.Join(dir, "sub", "broken.aag")
	e.until("all verdicts", func() bool {
		return e.at(good).hasTexts("refuted at step 2", "proved…") && len(e.tokens) == 1 && len(e.openTokens()) == 0 &&
			e.at(bad).hasTexts("refuted at step 0", "unknown: error on line 4: bad 9 exceeds 2M+1 = 5") &&
			e.at(filepath.Join(dir, "counts.blif")).hasVerdicts() && e.at(filepath.Join(dir, "binary.aig")).hasVerdicts()
	})
	for _, f := range e.files {
		if strings.Contains(f.uri, "skipped") {
			t.Errorf("told of %s", f.uri)
		}
		e.until("the diagnostics of "+f.uri, func() bool { // which may come after the status
			return slices.Equal(f.verdictDiagnostics(), e.expectedDiagnostics(f.statuses))
		})
	}
	if !slices.ContainsFunc(e.at(bad).diagnostics, func(d diagnostic) bool { return d.Severity == 1 && d.Range.Start.Line == 3 }) {
		t.Errorf("the error is not published: %+v", e.at(bad).diagnostics)
	}

	// One changes, one goes away; the others stay as they are.
	write(t, good, replaced(quick(), 2, "2 2 0"))
	if err := os.Remove(bad); err != nil {
		t.Fatal(err)
	}
	e.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{
		map[string]any{"uri": fileURI(good), "type": 2}, map[string]any{"uri": fileURI(bad), "type": 3},
	}})
	e.until("the end of verdicts on the old text", func() bool { // a file that the survey still holds is checked again at once
		return e.at(good).hasTexts("stale · refuted at step 2", "stale · proved…") || e.at(good).hasTexts("proved…", "proved…")
	})
	e.until("the end of the broken file", func() bool { return len(e.at(bad).statuses) == 0 && len(e.at(bad).diagnostics) == 0 })
	if f := e.at(filepath.Join(dir, "binary.aig")); !f.hasVerdicts() {
		t.Errorf("%+v", f.statuses)
	}
	e.execute("checkWorkspace", map[string]any{}, &answer)
	e.awaitTexts(e.at(good), "proved…", "proved…")
	e.until("the end", func() bool { return len(e.openTokens()) == 0 })
}

// TestSurveyWithoutWatching: where the client does not tell of changes, the server
// looks by itself.
func TestSurveyWithoutWatching(t *testing.T) {
	t.Parallel()
	dir := folderWith(t, map[string]string{"good.aag": quick()})
	e := start(t, options{folders: []string{dir}})
	e.execute("checkWorkspace", map[string]any{}, nil)
	good := filepath.Join(dir, "good.aag")
	e.until("verdicts", func() bool { return e.at(good).hasTexts("refuted at step 2", "proved…") && len(e.openTokens()) == 0 })
	time.Sleep(20 * time.Millisecond) // for another time of change
	write(t, good, replaced(quick(), 2, "2 2 0"))
	begin := time.Now()
	e.awaitTexts(e.at(good), "stale · refuted at step 2", "stale · proved…")
	t.Logf("noticed after %s", time.Since(begin).Round(time.Millisecond))
	e.until("no diagnostic of an old text", func() bool { return len(e.at(good).verdictDiagnostics()) == 0 })
}

// TestSurveyStops: by the command and by its progress; and a file that is opened while
// it is surveyed goes on as an open one.
func TestSurveyStops(t *testing.T) {
	files := map[string]string{"a.aag": hard(), "z.aag": hardFrom(5)}
	for _, name := range []string{"b", "c", "d", "e"} {
		files[name+".aag"] = hardFrom(len(name) + int(name[0]))
	}
	dir := folderWith(t, files)
	for name, stop := range map[string]func(e *editor){
		"command": func(e *editor) { e.execute("stop", map[string]any{}, nil) },
		"progress": func(e *editor) {
			for _, id := range e.openTokens() {
				e.Notify("window/workDoneProgress/cancel", map[string]any{"token": id})
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := start(t, options{folders: []string{dir}})
			e.execute("checkWorkspace", map[string]any{}, nil)
			var uri string
			e.until("a check and its progress", func() bool {
				for _, f := range e.files {
					if f.hasTexts("checking…") {
						uri = f.uri
					}
				}
				return uri != "" && len(e.openTokens()) == 1
			})
			f := e.open(uri, files[path.Base(uri)])
			e.until("its check as that of an open file", func() bool { // others may be before it
				return f.toldVersion == f.version && len(f.statuses) == 1 && f.statuses[0].isActive()
			})
			e.agree(f)
			begin := time.Now()
			stop(e)
			e.until("the end", func() bool {
				for _, f := range e.files {
					for _, s := range f.statuses {
						if s.Freshness != "stale" {
							return false
						}
					}
				}
				return len(e.openTokens()) == 0
			})
			e.awaitIdle(begin)
			if f.isOpen {
				e.awaitTexts(f, "check")
			}
			e.agree(f)
		})
	}
}

// TestFolders: a survey covers all folders of the workspace, and those that have come
// and gone since the start.
func TestFolders(t *testing.T) {
	a, b, c := folderWith(t, map[string]string{"a.aag": quick()}), folderWith(t, map[string]string{"b.aag": quick()}), folderWith(t, map[string]string{"c.aag": quick()})
	e := start(t, options{folders: []string{a, b}})
	var answer struct{ Files int }
	e.execute("checkWorkspace", map[string]any{}, &answer)
	if answer.Files != 2 {
		t.Errorf("%d files of two folders", answer.Files)
	}
	for _, path := range []string{filepath.Join(a, "a.aag"), filepath.Join(b, "b.aag")} {
		e.until("verdicts of "+path, func() bool { return e.at(path).hasTexts("refuted at step 2", "proved…") })
	}
	folder := func(path string) any { return map[string]any{"uri": fileURI(path), "name": filepath.Base(path)} }
	e.Notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{
		"added": []any{folder(c)}, "removed": []any{folder(a), folder(b)},
	}})
	e.execute("checkWorkspace", map[string]any{}, &answer)
	if answer.Files != 1 {
		t.Errorf("%d files of one folder", answer.Files)
	}
	path := filepath.Join(c, "c.aag")
	e.until("verdicts of "+path, func() bool { return e.at(path).hasTexts("refuted at step 2", "proved…") })
}

// TestDocuments: a text without a file, one that must not be written, and one of a
// scheme of the editor's own live like any other.
func TestDocuments(t *testing.T) {
	dir := folderWith(t, map[string]string{"readonly.aag": quick()})
	path := filepath.Join(dir, "readonly.aag")
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	e := start(t, options{folders: []string{dir}})
	for _, uri := range []string{"untitled:Untitled-1", fileURI(path), "git:/w/old.aag?%7B%22ref%22%3A%22HEAD%22%7D"} {
		f := e.open(uri, quick())
		e.agree(f)
		e.execute("check", f.about(""), nil)
		e.awaitTexts(f, "refuted at step 2", "proved…")
		e.agree(f)
		e.edit(f, replaced(quick(), 2, "2 2 0"))
		e.awaitTexts(f, "stale · refuted at step 2", "proved…")
		e.agree(f)
		e.edit(f, quick())
		e.awaitTexts(f, "refuted at step 2", "proved…")
		e.agree(f)
		e.close(f)
		e.until("the close", func() bool { return len(f.statuses) == 0 && len(f.diagnostics) == 0 })
	}
}
