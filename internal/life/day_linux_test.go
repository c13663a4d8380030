package life

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"aiglens/lsp/lsptest"
)

// day is a user who works with an editor for hours: types, mostly sense, undoes edits,
// looks around, saves, checks, thinks again, while other programs write the same
// files.
type day struct {
	*editor
	r      *rand.Rand
	folder string
	pages  []*page
	packed []string
	counts map[string]int
}

func newDay(e *editor, r *rand.Rand, folder string, all []*page, packed []string) *day {
	e.killsWorkers = true
	return &day{editor: e, r: r, folder: folder, pages: all, packed: packed, counts: map[string]int{}}
}

// actions are what the user does, and how often.
var actions = []struct {
	share int
	name  string
	do    func(*day)
}{
	{300, "edits", (*day).edits},
	{40, "bursts of edits", (*day).burst},
	{30, "undone", (*day).undo},
	{60, "saves", (*day).saves},
	{250, "requests about text", (*day).looks},
	{80, "commands", (*day).commands},
	{20, "checks awaited", (*day).settles},
	{15, "checks stopped", (*day).stops},
	{40, "opened", (*day).opens},
	{30, "closed", (*day).closes},
	{30, "files changed on disk", (*day).disk},
	{12, "settings changed", (*day).settings},
	{4, "checks of the workspace", (*day).survey},
	{10, "packed files shown", (*day).decodes},
	{3, "workers killed", (*day).kills},
}

// daySettings are those with which a day begins: no check takes longer than a test waits.
var daySettings = map[string]any{"trusted": true, "check": map[string]any{"timeout": 2}}

// work does one thing.
func (d *day) work() {
	total := 0
	for _, a := range actions {
		total += a.share
	}
	for n, i := d.r.IntN(total), 0; ; i++ {
		if n -= actions[i].share; n < 0 {
			d.counts[actions[i].name]++
			actions[i].do(d)
			d.forget()
			return
		}
	}
}

// some returns an open page, nil when there is none.
func (d *day) some() *page {
	var open []*page
	for _, p := range d.pages {
		if p.isOpen() {
			open = append(open, p)
		}
	}
	if len(open) == 0 {
		return nil
	}
	return open[d.r.IntN(len(open))]
}

// about does something with an open page, if there is one.
func (d *day) about(do func(*page)) {
	if p := d.some(); p != nil {
		do(p)
	}
}

func (d *day) opens() { d.openPage(d.pages[d.r.IntN(len(d.pages))]) }

func (d *day) openPage(p *page) {
	if p.isOpen() {
		return
	}
	text := p.text
	if onDisk, err := os.ReadFile(p.path); err == nil {
		text = string(onDisk)
	}
	if p.file == nil {
		// Its flags must stand before the first text does.
		p.file = &file{uri: p.uri(), dependsOnOthers: p.blurs, texts: map[int]*oracle{}}
		if known := d.files[p.uri()]; known != nil { // from a check of the workspace
			p.file.statuses = known.statuses
		}
		d.files[p.uri()] = p.file
	}
	d.open(p.uri(), text)
}

func (d *day) closes() { d.about(d.closePage) }

func (d *day) closePage(p *page) {
	p.before = nil
	d.close(p.file)
}

const maxUndo = 50

func (d *day) change(p *page, text string) {
	if text == p.file.buffer.Text {
		return
	}
	p.before = append(p.before, p.file.buffer.Text)
	if len(p.before) > maxUndo {
		p.before = slices.Delete(p.before, 0, 1)
	}
	d.counts["edits in all"]++
	d.edit(p.file, text)
}

func (d *day) edits() {
	d.about(func(p *page) {
		d.change(p, edited(d.r, p.file.buffer.Text))
		if len(p.before) > 8 && d.r.IntN(10) == 0 { // enough nonsense
			d.change(p, p.text)
		}
	})
}

// burst types without looking up.
func (d *day) burst() {
	d.about(func(p *page) {
		for range 5 + d.r.IntN(20) {
			d.change(p, edited(d.r, p.file.buffer.Text))
		}
		d.change(p, p.text)
	})
}

func (d *day) undo() {
	d.about(func(p *page) {
		for range min(len(p.before), 1+d.r.IntN(6)) {
			text := p.before[len(p.before)-1]
			p.before = p.before[:len(p.before)-1]
			d.counts["edits in all"]++
			d.edit(p.file, text)
		}
	})
}

func (d *day) saves() { d.about(d.savePage) }

func (d *day) savePage(p *page) {
	d.write(p.path, p.file.buffer.Text)
	d.save(p.file)
}

func (d *day) write(path, text string) {
	d.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// disk has another program write or remove a file. Not every editor tells.
func (d *day) disk() {
	p := d.pages[d.r.IntN(len(d.pages))]
	if p.isOpen() && d.r.IntN(2) == 0 {
		return
	}
	change := 2
	if p.dies && d.r.IntN(2) == 0 {
		if os.Remove(p.path) != nil {
			return
		}
		change = 3
	} else {
		text := p.text
		if d.r.IntN(3) == 0 {
			text = edited(d.r, text)
		}
		d.write(p.path, text)
	}
	if d.r.IntN(4) > 0 {
		d.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": p.uri(), "type": change}}})
	}
}

// settled reports whether no check is under way.
func (d *day) settled() bool {
	for _, f := range d.files {
		if f.isOpen && slices.ContainsFunc(f.statuses, status.isActive) {
			return false
		}
	}
	return len(d.openTokens()) == 0
}

func (d *day) settles() { d.until("the end of all checks", d.settled) }

func (d *day) stops() {
	d.about(func(p *page) {
		switch d.r.IntN(3) {
		case 0:
			d.execute("stop", map[string]any{}, nil)
		case 1:
			d.execute("stop", p.file.about(""), nil)
		case 2:
			for _, id := range d.openTokens() {
				d.Notify("window/workDoneProgress/cancel", map[string]any{"token": id})
			}
		}
	})
}

// settings changes some that do not change what a text means.
func (d *day) settings() {
	some := check(map[string]any{
		"workers": 1 + d.r.IntN(3), "timeout": 0.2 + float64(d.r.IntN(3)), "cache": d.r.IntN(3) > 0,
		"trigger": []string{"onSave", "onSave", "onType", "manual"}[d.r.IntN(4)], "delay": d.r.IntN(100),
		"engine": []string{"auto", "ic3"}[d.r.IntN(2)], "solver": []string{"core", "core", "gini"}[d.r.IntN(3)],
	})
	some["hover"] = map[string]any{"depth": 1 + d.r.IntN(10)}
	some["inlayHints"] = map[string]any{"enabled": d.r.IntN(3) > 0}
	some["blif"] = map[string]any{ // all files are read again
		"badOutputs": []string{"bad", "bad_*", "bad[*]", "fail*", fmt.Sprintf("nothing%d", d.r.IntN(5))},
		"genlib":     filepath.Join(d.folder, []string{"cells.genlib", "none.genlib"}[d.r.IntN(2)]),
	}
	some["trusted"] = d.r.IntN(6) > 0
	d.configure(some)
}

func (d *day) survey() {
	d.run("checkWorkspace", map[string]any{})
	if d.r.IntN(2) == 0 {
		d.execute("stop", map[string]any{}, nil)
	}
}

func (d *day) decodes() {
	var answer struct{ Text string }
	d.MustCall("aiglens/decoded", map[string]any{"uri": fileURI(d.packed[d.r.IntN(len(d.packed))])}, &answer)
	if !strings.HasPrefix(answer.Text, "aag ") {
		d.t.Errorf("a packed file is shown as %.40q", answer.Text)
	}
}

// kills ends a worker from outside, which may be at work.
func (d *day) kills() {
	if all := d.workers(); len(all) > 0 {
		_ = syscall.Kill(all[d.r.IntN(len(all))].id, syscall.SIGKILL)
	}
}

// place returns a position in a text or a little outside of it.
func (d *day) place(f *file) lsptest.Position {
	lines := strings.Count(f.buffer.Text, "\n") + 1
	return lsptest.Position{Line: d.r.IntN(lines + 1), Character: d.r.IntN(20)}
}

func (d *day) span(f *file) lsptest.Range {
	a, b := d.place(f), d.place(f)
	if a.Line > b.Line || a.Line == b.Line && a.Character > b.Character {
		a, b = b, a
	}
	return lsptest.Range{Start: a, End: b}
}

// looks asks one or several questions about a text, and sometimes takes one back, or types
// meanwhile.
func (d *day) looks() {
	d.about(func(p *page) {
		var asked []int
		for range 1 + d.r.IntN(4) {
			method, params := d.question(p.file)
			asked = append(asked, d.Send(method, params))
			d.counts["requests in all"]++
			switch d.r.IntN(12) {
			case 0:
				d.Notify("$/cancelRequest", map[string]any{"id": asked[len(asked)-1]})
			case 1:
				d.change(p, edited(d.r, p.file.buffer.Text))
			}
		}
		for _, id := range asked {
			d.follow(d.answer(id))
		}
	})
}

// answer waits for an answer. The server may refuse, but not fail.
func (d *day) answer(id int) lsptest.Message {
	m := d.Answer(id)
	if m.Error != nil && (m.Error.Code == -32603 || m.Error.Code == -32601) {
		d.t.Errorf("answered %v", m.Error)
	}
	return m
}

// run runs a command, which the server may refuse.
func (d *day) run(name string, argument map[string]any) lsptest.Message {
	return d.answer(d.Send("workspace/executeCommand", map[string]any{"command": "aiglens." + name, "arguments": []any{argument}}))
}

// question returns a request about a text.
func (d *day) question(f *file) (method string, params map[string]any) {
	params = f.item()
	at, span := d.place(f), d.span(f)
	positioned := []string{"hover", "definition", "references", "documentHighlight", "prepareCallHierarchy", "prepareRename", "completion"}
	whole := []string{"documentSymbol", "codeLens", "semanticTokens/full", "foldingRange", "documentLink"}
	switch n := d.r.IntN(22); {
	case n < 10:
		method, params["position"] = positioned[n%len(positioned)], at
		params["context"] = map[string]any{"includeDeclaration": true}
		if method == "completion" {
			delete(params, "context")
		}
	case n < 15:
		method = whole[n%len(whole)]
	case n == 15:
		method, params["range"] = "inlayHint", span
	case n == 16:
		method, params["range"] = "semanticTokens/range", span
	case n == 17:
		method, params["positions"] = "selectionRange", []any{at}
	case n == 18:
		method, params["range"], params["context"] = "codeAction", span, map[string]any{"diagnostics": []any{}}
	case n == 19:
		method, params["position"], params["newName"] = "rename", at, fmt.Sprintf("name%d", d.r.IntN(9))
	case n == 20:
		method, params["options"] = "formatting", map[string]any{"tabSize": 4, "insertSpaces": true}
	default:
		return "workspace/symbol", map[string]any{"query": []string{"", "q", "bad", "stage"}[d.r.IntN(4)]}
	}
	return "textDocument/" + method, params
}

// follow asks what an editor asks with what it has just been told.
func (d *day) follow(m lsptest.Message) {
	var items []map[string]json.RawMessage
	if json.Unmarshal(m.Result, &items) != nil || len(items) == 0 {
		return
	}
	item := items[d.r.IntN(len(items))]
	switch {
	case item["data"] != nil && item["title"] != nil:
		d.answer(d.Send("codeAction/resolve", item))
	case item["selectionRange"] != nil && item["uri"] != nil:
		d.answer(d.Send("callHierarchy/incomingCalls", map[string]any{"item": item}))
		d.answer(d.Send("callHierarchy/outgoingCalls", map[string]any{"item": item}))
	}
}

// commands runs a command about a page, whose property may not have what it is about.
func (d *day) commands() {
	d.about(func(p *page) {
		about := p.file.about("")
		if n := len(p.file.statuses); n > 0 && d.r.IntN(2) == 0 {
			about = p.file.about(p.file.statuses[d.r.IntN(n)].Property)
		}
		names := []string{"check", "check", "recheckFailed", "properties", "history", "step", "trace", "why", "latches", "exportTrace", "importWitness", "goToLatch", "goToCause"}
		name := names[d.r.IntN(len(names))]
		switch name {
		case "step":
			about["to"] = []string{"first", "last", "next", "previous", "nextChange", "hide", "1"}[d.r.IntN(7)]
			about["position"] = d.place(p.file)
		case "exportTrace":
			about["format"] = []string{"aiger", "vcd", "json", "wavedrom", "markdown"}[d.r.IntN(5)]
		case "importWitness":
			about["text"] = d.witness(p)
		case "goToCause":
			about["signal"], about["step"] = d.r.IntN(20), d.r.IntN(3)
		}
		d.counts["commands in all"]++
		d.run(name, about)
		d.Notify("aiglens/cursor", map[string]any{"uri": p.uri(), "position": d.place(p.file)})
	})
}

// witness returns that of a counterexample, or of none.
func (d *day) witness(p *page) string {
	about := p.file.about("")
	about["format"] = "aiger"
	var exported struct{ Text string }
	m := d.run("exportTrace", about)
	if m.Error != nil || json.Unmarshal(m.Result, &exported) != nil {
		return "1\nb0\n0\n0\n.\n"
	}
	return exported.Text
}

// fillHistories checks every page until the server remembers no more verdicts of it, so that
// what has a bound does not look like something that grows.
func (d *day) fillHistories() {
	for _, p := range d.pages {
		d.openPage(p)
		d.change(p, p.decidable())
		for known := -1; len(d.history(p.file)) > known; {
			known = len(d.history(p.file))
			for range 50 {
				d.run("check", p.file.about(""))
				d.until("the end of the checks of "+p.path, func() bool {
					return !slices.ContainsFunc(d.properties(p.file), status.isActive)
				})
			}
			d.forget()
		}
		d.closePage(p)
	}
}

// rest closes everything and ends the workers, so that nothing is left to be done. The
// settings are the same in each rest: there is a goroutine for each check at a time.
func (d *day) rest() {
	d.configure(daySettings)
	d.execute("stop", map[string]any{}, nil)
	var closed []*page
	for _, p := range d.pages {
		if p.isOpen() {
			d.closePage(p)
			closed = append(closed, p)
		}
	}
	d.until("the end of everything", func() bool {
		return len(d.openTokens()) == 0 && !slices.ContainsFunc(closed, func(p *page) bool { return len(p.file.statuses) > 0 })
	})
	d.until("the end of the workers", func() bool {
		for _, w := range d.workers() {
			_ = syscall.Kill(w.id, syscall.SIGKILL)
		}
		return len(d.workers()) == 0
	})
	last, same := usageOf(d.pid()), 0
	d.until("the same usage for a while", func() bool {
		time.Sleep(20 * time.Millisecond)
		now := usageOf(d.pid())
		same++
		if now != last {
			last, same = now, 0
		}
		return same == 20
	})
	d.forget()
	for _, p := range closed { // what this client remembers is not the server's
		p.file.texts, p.file.buffer.Text = map[int]*oracle{}, ""
	}
}

// finish opens all pages with some texts and saves them, under settings that leave
// nothing undecided.
func (d *day) finish(texts map[string]string) {
	d.t.Helper()
	settings := check(map[string]any{"timeout": patience.Seconds()})
	settings["trusted"] = true
	d.configure(settings)
	for _, p := range d.pages {
		d.openPage(p)
		d.change(p, texts[p.path])
	}
	for _, p := range d.pages {
		d.savePage(p)
	}
}

// verdicts returns what the server says of all pages, verdicts and what it makes of the
// text besides; ok is false while it does not know. What depends on time is left out.
func (d *day) verdicts() (all []string, ok bool) {
	d.t.Helper()
	for _, p := range d.pages {
		for _, method := range []string{"semanticTokens/full", "documentSymbol", "foldingRange", "documentLink"} {
			m := d.answer(d.Send("textDocument/"+method, p.file.item()))
			all = append(all, fmt.Sprintf("%s: %s %08x", filepath.Base(p.path), method, crc32.ChecksumIEEE(m.Result)))
		}
		for _, s := range d.properties(p.file) {
			if s.isActive() || s.Freshness != "fresh" && !s.isFaulty() {
				return []string{fmt.Sprintf("%s: %+v", p.path, s)}, false
			}
			verdict := s.Verdict
			if verdict == "unknown" {
				verdict, _, _ = strings.Cut(s.Message, ", depth ")
			}
			all = append(all, fmt.Sprintf("%s: %s %s %s %s", filepath.Base(p.path), s.Property, s.Name, s.Freshness, verdict))
		}
	}
	d.forget()
	return all, true
}

// writeCells writes a cell library beside the pages.
func writeCells(t testing.TB, folder string) {
	t.Helper()
	cells := "GATE inv 1 O=!a; PIN * INV 1 999 1 0 1 0\n"
	if err := os.WriteFile(filepath.Join(folder, "cells.genlib"), []byte(cells), 0o600); err != nil {
		t.Fatal(err)
	}
}

// actsInThird is how much is done in a third of a day that is not told how long it lasts.
const actsInThird = 200

// workFor does things for thirds of a day, which is as long as span, or a short one when span
// is 0; between them now is called.
func (d *day) workFor(thirds int, span time.Duration, now func()) {
	begin := time.Now()
	isOver := func(acts int) bool {
		if span > 0 {
			return time.Since(begin) >= span*time.Duration(thirds)/3
		}
		return acts >= thirds*actsInThird
	}
	for acts := 0; !isOver(acts) && !d.t.Failed(); acts++ {
		d.work()
		now()
	}
}
