package life

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/textproto"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/internal/source"
)

// BenchmarkOutside measures what a client sees that is another program than the server:
// from the first byte of what it writes to the answer decoded. Nothing is checked on the
// way, unlike in the tests.
//
//	go test ./internal/life -run '^$' -bench Outside -benchtime 1x -timeout 0 -v
func BenchmarkOutside(b *testing.B) {
	for _, format := range []string{"aag", "blif"} {
		for _, lines := range []int{1_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/%d", format, lines), func(b *testing.B) {
				for b.Loop() {
					measureOutside(b, format, lines)
				}
			})
		}
	}
}

// BenchmarkAlone measures what of the same the parser takes, in this process and without a
// protocol: a text to its diagnostics, and a keystroke to those of the next version.
func BenchmarkAlone(b *testing.B) {
	for _, format := range []string{"aag", "blif"} {
		for _, lines := range []int{1_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/%d", format, lines), func(b *testing.B) {
				for b.Loop() {
					measureAlone(b, format, lines)
				}
			})
		}
	}
}

func measureAlone(b *testing.B, format string, lines int) {
	text := generated(format, lines)
	kind := formats.All().Recognise("", "generated."+format, text)
	var doc *design.Design
	report(b, format, lines, "open", 10, func(int) time.Duration {
		begin := time.Now()
		doc = design.New("file:///w/generated."+format, kind, 0, source.NewText(text), design.Options{})
		doc.Diagnostics()
		return time.Since(begin)
	})
	at := doc.Text.LineStart(lines / 2 / 2 * 2)
	report(b, format, lines, "keystroke", 100, func(i int) time.Duration {
		begin := time.Now()
		typed, instead := source.Span{Start: at}, "x"
		if i%2 == 1 {
			typed.Length, instead = 1, ""
		}
		doc = doc.Successor(int32(i+1), doc.Text.Replace(typed, instead))
		doc.Diagnostics()
		return time.Since(begin)
	})
}

// report measures something some times and tells the median and the 99th percentile.
func report(b *testing.B, format string, lines int, name string, times int, once func(i int) time.Duration) {
	b.Helper()
	var all []time.Duration
	for i := range times {
		all = append(all, once(i))
	}
	slices.Sort(all)
	median, last := ms(all[len(all)/2]), ms(all[(len(all)-1)*99/100])
	unit := strings.ReplaceAll(name, " ", "-")
	b.ReportMetric(median, unit+"-p50-ms")
	b.ReportMetric(last, unit+"-p99-ms")
	b.Logf("%s of %d lines, %s: median %.2g, 99th percentile %.2g ms of %d", format, lines, name, median, last, times)
}

func measureOutside(b *testing.B, format string, lines int) {
	o := startOutsider(b)
	text := generated(format, lines)
	uri := "file:///w/generated." + format
	const samples, opened = 100, 10
	version := 0
	take := func(name string, times int, once func(i int) time.Duration) {
		report(b, format, lines, name, times, once)
	}
	open := func() (begun time.Time) {
		version++
		return o.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
			"uri": uri, "languageId": map[string]string{"aag": "aiger", "blif": "blif"}[format], "version": version, "text": text,
		}})
	}
	take("open", opened, func(i int) time.Duration {
		if i > 0 {
			o.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": uri}})
			o.call("workspace/symbol", map[string]any{"query": "no such name"})
		}
		begun := open()
		o.await(func(m outMessage) bool { return m.isPublication(version) })
		return time.Since(begun)
	})
	o.awaitFreshness("stale") // the properties are known

	item := func() map[string]any { return map[string]any{"textDocument": map[string]any{"uri": uri}} }
	r := rand.New(rand.NewPCG(1, 2))
	row := func() int { // of a gate
		at := lines/2 + r.IntN(lines/2-100)
		if format == "blif" {
			at = at/2*2 + 1 // the names, not the cover
		}
		return at
	}
	ask := func(name, method string, params func() map[string]any) {
		take(name, samples, func(int) time.Duration {
			begun := o.call("textDocument/"+method, params())
			return time.Since(begun)
		})
	}
	at := func() map[string]any {
		p := item()
		p["position"] = place{row(), 8}
		p["context"] = map[string]any{"includeDeclaration": true}
		return p
	}
	screen := func() map[string]any {
		p, first := item(), row()
		p["range"] = map[string]any{"start": place{first, 0}, "end": place{first + 50, 0}}
		return p
	}
	ask("hover", "hover", at)
	ask("definition", "definition", at)
	ask("references", "references", at)
	ask("completion", "completion", func() map[string]any {
		p := at()
		delete(p, "context")
		return p
	})
	ask("hints of a screen", "inlayHint", screen)
	ask("colours of a screen", "semanticTokens/range", screen)
	ask("code action", "codeAction", func() map[string]any {
		p, first := item(), row()
		p["range"] = map[string]any{"start": place{first, 0}, "end": place{first, 0}}
		p["context"] = map[string]any{"diagnostics": []any{}}
		return p
	})
	ask("lenses", "codeLens", item)
	ask("outline", "documentSymbol", item)
	ask("folding", "foldingRange", item)

	change := func(line, from, to int, text string) (begun time.Time) {
		version++
		return o.notify("textDocument/didChange", map[string]any{
			"textDocument": map[string]any{"uri": uri, "version": version},
			"contentChanges": []any{map[string]any{"text": text, "range": map[string]any{
				"start": place{line, from}, "end": place{line, to}}}},
		})
	}
	typed := row()
	take("keystroke", samples, func(i int) time.Duration {
		time.Sleep(50 * time.Millisecond) // people are slower
		length, letter := i%2, [...]string{"x", ""}[i%2]
		begun := change(typed, 0, length, letter)
		o.await(func(m outMessage) bool { return m.isPublication(version) })
		return time.Since(begun)
	})
	// Each save is about a circuit that was not seen before: the resets are a Gray code.
	resets := make([]bool, tinyLatches)
	first := firstLatch(format, lines)
	take("save", samples/4, func(i int) time.Duration {
		bit := 0
		for (i+1)>>bit&1 == 0 {
			bit++
		}
		resets[bit] = !resets[bit]
		digit := map[bool]string{false: "0", true: "1"}[resets[bit]]
		column := len(latchRow(format, lines, bit)) - 1
		change(first+bit, column, column+1, digit)
		o.awaitFreshness("stale")
		begun := o.notify("textDocument/didSave", item())
		o.awaitFreshness("fresh")
		return time.Since(begun)
	})
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// tinyLatches are those of the property of a generated text: all keep what they start
// with, and never are 1 together unless they do.
const tinyLatches = 12

// ends returns how many inputs, and how many outputs, a generated text has.
func ends(lines int) int { return lines / 100 }

// firstLatch returns the line, from 0, of the first latch.
func firstLatch(format string, lines int) int {
	if format == "aag" {
		return 1 + ends(lines)
	}
	return 3
}

// latchRow is the row of a latch, which ends with its reset.
func latchRow(format string, lines, i int) string {
	if format == "aag" {
		lit := 2 * (1 + ends(lines) + i)
		return fmt.Sprintf("%d %d 0", lit, lit)
	}
	return fmt.Sprintf(".latch l%d l%d 0", i, i)
}

// generated returns a text of gates each of which is used, with operands anywhere before
// them, and the latches of a property that depends on no other gate.
func generated(format string, lines int) string {
	r := rand.New(rand.NewPCG(7, 7))
	var b strings.Builder
	b.Grow(25 * lines)
	if format == "aag" {
		generateAIGER(&b, r, lines)
	} else {
		generateBLIF(&b, r, lines)
	}
	return b.String()
}

func generateAIGER(b *strings.Builder, r *rand.Rand, lines int) {
	n := ends(lines)
	conjunctions := tinyLatches - 1
	gates := lines - 2 - 2*n - tinyLatches - conjunctions
	last := n + tinyLatches + conjunctions + gates // variable
	fmt.Fprintf(b, "aag %d %d %d %d %d 1\n", last, n, tinyLatches, n, conjunctions+gates)
	for i := range n {
		fmt.Fprintln(b, 2*(i+1))
	}
	for i := range tinyLatches {
		fmt.Fprintln(b, latchRow("aag", lines, i))
	}
	for i := range n { // what no gate uses
		fmt.Fprintln(b, 2*(last-i))
	}
	latch, first := n+1, n+1+tinyLatches
	fmt.Fprintln(b, 2*(first+conjunctions-1))
	before := latch
	for i := range conjunctions {
		fmt.Fprintf(b, "%d %d %d\n", 2*(first+i), 2*max(before, latch+1+i), 2*min(before, latch+1+i))
		before = first + i
	}
	unused := make([]int, n)
	for i := range unused {
		unused[i] = i + 1
	}
	for v := first + conjunctions; v <= last; v++ {
		left, right := 2*unused[0]+r.IntN(2), 2+r.IntN(2*v-2)
		unused = append(unused[1:], v)
		fmt.Fprintf(b, "%d %d %d\n", 2*v, max(left, right), min(left, right))
	}
}

func generateBLIF(b *strings.Builder, r *rand.Rand, lines int) {
	n := ends(lines)
	gates := (lines - 6 - tinyLatches) / 2
	b.WriteString(".model generated\n.inputs")
	for i := range n {
		fmt.Fprintf(b, " n%d", i)
	}
	b.WriteString("\n.outputs bad")
	for i := range n { // what no gate uses
		fmt.Fprintf(b, " n%d", gates+i)
	}
	b.WriteByte('\n')
	for i := range tinyLatches {
		fmt.Fprintln(b, latchRow("blif", lines, i))
	}
	b.WriteString(".names")
	for i := range tinyLatches {
		fmt.Fprintf(b, " l%d", i)
	}
	fmt.Fprintf(b, " bad\n%s 1\n", strings.Repeat("1", tinyLatches))
	for i := range gates {
		fmt.Fprintf(b, ".names n%d n%d n%d\n1%d 1\n", i, r.IntN(n+i), n+i, r.IntN(2))
	}
	b.WriteString(".end\n")
}

// place is a position; its members are named as in the protocol.
type place struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// outsider is a plain client of a server in a process of its own.
type outsider struct {
	b        *testing.B
	in       io.Writer
	messages chan outMessage
	last     int    // request
	told     string // how fresh the verdict of the property is
}

// outMessage is a message of the server, decoded.
type outMessage struct {
	ID     any
	Method string
	Params struct {
		Version     int
		Diagnostics []any
		Properties  []struct{ Freshness string }
	}
	Result any
	Error  any
}

func (m outMessage) isPublication(version int) bool {
	return m.Method == "textDocument/publishDiagnostics" && m.Params.Version == version
}

func startOutsider(b *testing.B) *outsider {
	server := exec.Command(program, "serve")
	server.Env = append(os.Environ(), "AIGLENS_CACHE=off")
	in, err := server.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	o := &outsider{b: b, in: in, messages: make(chan outMessage, 1000)}
	go o.read(out)
	b.Cleanup(func() {
		_ = in.Close()
		_ = server.Wait()
	})
	o.call("initialize", map[string]any{
		"processId": nil, "rootUri": nil, "capabilities": map[string]any{
			"textDocument": map[string]any{
				"codeLens":       map[string]any{},
				"documentSymbol": map[string]any{"hierarchicalDocumentSymbolSupport": true},
				"codeAction":     map[string]any{"dataSupport": true, "resolveSupport": map[string]any{"properties": []string{"edit"}}},
			},
			"experimental": map[string]any{"aiglens": map[string]any{"status": true}},
		},
	})
	o.notify("initialized", map[string]any{})
	return o
}

func (o *outsider) read(out io.Reader) {
	r := textproto.NewReader(bufio.NewReader(out))
	defer close(o.messages)
	for {
		header, err := r.ReadMIMEHeader()
		if err != nil {
			return
		}
		length, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			return
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(r.R, body); err != nil {
			return
		}
		var m outMessage
		if json.Unmarshal(body, &m) == nil {
			o.messages <- m
		}
	}
}

// write sends a message and returns when it has begun to, with the message encoded.
func (o *outsider) write(message map[string]any) (begun time.Time) {
	o.b.Helper()
	message["jsonrpc"] = "2.0"
	body, err := json.Marshal(message)
	if err != nil {
		o.b.Fatal(err)
	}
	begun = time.Now()
	if _, err := fmt.Fprintf(o.in, "Content-Length: %d\r\n\r\n", len(body)); err != nil {
		o.b.Fatal(err)
	}
	if _, err := o.in.Write(body); err != nil {
		o.b.Fatal(err)
	}
	return begun
}

func (o *outsider) notify(method string, params any) (begun time.Time) {
	o.b.Helper()
	return o.write(map[string]any{"method": method, "params": params})
}

// call sends a request and waits for its answer.
func (o *outsider) call(method string, params any) (begun time.Time) {
	o.b.Helper()
	o.last++
	id := float64(o.last)
	begun = o.write(map[string]any{"method": method, "params": params, "id": o.last})
	o.await(func(m outMessage) bool {
		if m.Method == "" && m.ID == id && m.Error != nil {
			o.b.Fatalf("%s: %v", method, m.Error)
		}
		return m.Method == "" && m.ID == id
	})
	return begun
}

// awaitFreshness waits until the verdict of the only property is so fresh.
func (o *outsider) awaitFreshness(freshness string) {
	o.b.Helper()
	if o.told != freshness {
		o.await(func(outMessage) bool { return o.told == freshness })
	}
}

// await waits for a message; those before it are dropped.
func (o *outsider) await(fits func(outMessage) bool) {
	o.b.Helper()
	late := time.After(patience)
	for {
		select {
		case m, ok := <-o.messages:
			if !ok {
				o.b.Fatal("the server has ended")
			}
			if m.Method == "aiglens/status" && len(m.Params.Properties) > 0 {
				o.told = m.Params.Properties[0].Freshness
			}
			if fits(m) {
				return
			}
		case <-late:
			o.b.Fatal("waited in vain")
		}
	}
}
