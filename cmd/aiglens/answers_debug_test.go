package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/google/go-dap"
	"go.lsp.dev/uri"

	"aiglens/lsp/wire"
)

// debugger is a session of the debug adapter, one request after the other.
type debugger struct {
	in  io.WriteCloser
	out *bufio.Reader
	seq int
	at  string // why the run has stopped; "" while it moves
}

// debugged starts a session, which ends with the returned function.
func (s *surfaces) debugged() (d *debugger, end func()) {
	fromClient, in := io.Pipe()
	out, fromServer := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		run(s.t.Context(), env{stdin: fromClient, stdout: fromServer, stderr: io.Discard}, []string{"debug", "--cache", "off"})
		fromServer.Close()
	}()
	return &debugger{in: in, out: bufio.NewReader(out)}, func() {
		in.Close()
		out.Close()
		<-ended
	}
}

// ask sends a request and reads its answer into body, where that is not nil. Events before it are
// passed over. The error is that of the adapter.
func (d *debugger) ask(command string, arguments, body any) error {
	d.seq++
	request, err := json.Marshal(map[string]any{"seq": d.seq, "type": "request", "command": command, "arguments": arguments})
	if err != nil {
		return err
	}
	if err := dap.WriteBaseMessage(d.in, request); err != nil {
		return err
	}
	for {
		answer, err := d.read()
		switch {
		case err != nil:
			return err
		case answer.Type != "response" || answer.RequestSeq != d.seq:
			continue
		case !answer.Success:
			return fmt.Errorf("%s: %s", command, answer.Body)
		case body == nil:
			return nil
		}
		return json.Unmarshal(answer.Body, body)
	}
}

// debugMessage is a message of the adapter.
type debugMessage struct {
	Type, Event string
	RequestSeq  int `json:"request_seq"`
	Success     bool
	Body        json.RawMessage
}

// read returns the next message, and takes note of a stop.
func (d *debugger) read() (m debugMessage, err error) {
	data, err := dap.ReadBaseMessage(d.out)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if m.Event == "stopped" {
		var stop dap.StoppedEventBody
		err = json.Unmarshal(m.Body, &stop)
		d.at = stop.Reason
	}
	return m, err
}

// move makes a request that moves the run, and waits until it stops.
func (d *debugger) move(command string) error {
	d.at = ""
	err := d.ask(command, map[string]any{"threadId": 1}, nil)
	for err == nil && d.at == "" {
		_, err = d.read()
	}
	return err
}

// says evaluates a line of the console.
func (d *debugger) says(line string) (string, error) {
	var answer dap.EvaluateResponseBody
	err := d.ask("evaluate", map[string]any{"expression": line, "context": "repl"}, &answer)
	return answer.Result, err
}

// shown returns the variables of a step by group and name, each with its value.
func (d *debugger) shown(step int) (map[string]string, error) {
	var scopes dap.ScopesResponseBody
	if err := d.ask("scopes", map[string]any{"frameId": step + 1}, &scopes); err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, scope := range scopes.Scopes {
		if err := d.list(scope.VariablesReference, func(v dap.Variable) {
			all[scope.Name+" "+v.Name] = v.Value[:1]
			all[scope.Name+" "+strings.Trim(v.EvaluateName, "`\"")] = v.Value[:1] // a bit of a word has its index for a name
		}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// list visits the variables of a reference that are signals, and those of the words and
// instances in it.
func (d *debugger) list(reference int, visit func(dap.Variable)) error {
	var found dap.VariablesResponseBody
	if err := d.ask("variables", map[string]any{"variablesReference": reference}, &found); err != nil {
		return err
	}
	for _, v := range found.Variables {
		if v.VariablesReference == 0 {
			visit(v)
		} else if err := d.list(v.VariablesReference, visit); err != nil {
			return err
		}
	}
	return nil
}

// askDebugger walks through the counterexample of a witness, and compares values of steps, names,
// and why the property fails with what the server says.
func (s *surfaces) askDebugger(file string, of wire.PropertyParams, witness string) {
	d, end := s.debugged()
	defer end()
	if there := s.walk(d, file, of, witness); there != nil {
		s.compareWhy(file, of, d, there.Loop > 0)
	}
}

// walk is askDebugger without why. It returns the counterexample that the server has; nil after a failure.
func (s *surfaces) walk(d *debugger, file string, of wire.PropertyParams, witness string) *wire.Trace {
	program, _ := filepath.Abs(file)
	d.ask("initialize", map[string]any{"adapterID": "aiglens"}, nil)
	if err := d.ask("launch", map[string]any{"program": program, "property": of.Property, "witnessText": witness}, nil); err != nil {
		s.t.Errorf("%s, %s: debug: %v", file, of.Property, err)
		return nil
	}
	var there wire.Trace
	if err := s.execute(wire.CommandTrace.Name, of, &there); err != nil {
		s.t.Errorf("%s, %s: trace: %v", file, of.Property, err)
		return nil
	}
	s.asked["walk"]++
	for i, command := range []string{"configurationDone", "continue"} {
		if err := d.move(command); err != nil {
			s.t.Errorf("%s, %s: debug, %s: %v", file, of.Property, command, err)
			return nil
		}
		s.compareStep(file, d, &there, i*(there.Steps-1))
		if there.Steps == 1 {
			break
		}
	}
	return &there
}

// groupsOfDebugger are those of the server, as the debugger calls them.
var groupsOfDebugger = map[wire.SignalGroup]string{"property": "Property", "constraints": "Property", "latches": "Latches", "inputs": "Inputs"}

// compareStep compares the signals of a step: each of the server is a variable.
func (s *surfaces) compareStep(file string, d *debugger, there *wire.Trace, step int) {
	here, err := d.shown(step)
	if err != nil {
		s.t.Errorf("%s, %s: debug, step %d: %v", file, there.Property, step, err)
		return
	}
	for _, x := range there.Signals {
		if x.Group == "property" && there.Loop > 0 {
			continue // the debugger lists the literals under their own names
		}
		value, ok := here[groupsOfDebugger[x.Group]+" "+x.Name]
		if !ok || !isRefined(x.Values[step:step+1], value) {
			s.t.Errorf("%s, %s: debug has %s %q in step %d, the server %s", file, there.Property, x.Name, value, step, x.Values[step:step+1])
		}
	}
}

// isRefined reports whether values are others with 0 or 1 for some x: a witness of a justice
// property is replayed with each x as 0.
func isRefined(values, other string) bool {
	same := len(values) == len(other)
	for i := 0; same && i < len(values); i++ {
		same = values[i] == other[i] || values[i] == 'x'
	}
	return same
}

// compareWhy compares why the property fails: its value and what forces it at once.
func (s *surfaces) compareWhy(file string, of wire.PropertyParams, d *debugger, isLasso bool) {
	here, err := d.says("why")
	var there wire.Cause
	if refusal := s.execute(wire.CommandWhy.Name, of, &there); err != nil || refusal != nil {
		s.t.Errorf("%s, %s: why: %v, of the server %v", file, of.Property, err, refusal)
		return
	}
	s.asked["why"]++
	said := func(c *wire.Cause) string { return fmt.Sprintf("%s = %s at %s", c.Name, c.Value, c.At) }
	if !isLasso && !strings.Contains(here, said(&there)) {
		s.t.Errorf("%s, %s: why says\n%s\nand the server %s", file, of.Property, here, said(&there))
	}
	for i := range there.Causes {
		if says := "\n- " + said(&there.Causes[i]); !strings.Contains(here, says) {
			s.t.Errorf("%s, %s: why says\n%s\nand the server %s", file, of.Property, here, says)
		}
	}
}

// maxReduced bounds the bytes of the files that are made smaller.
const maxReduced = 600

// askReduce compares what is left of a circuit while a property of it stays refuted.
func (s *surfaces) askReduce(file, text string, u uri.URI) {
	for _, p := range s.properties(u) {
		kind, _, _ := strings.Cut(string(p.Property), ":")
		if p.Verdict != "refuted" || kind == "cover" || kind == "lemma" || len(text) > maxReduced {
			continue
		}
		var there wire.Reduced
		err := s.execute(wire.CommandReduce.Name, wire.PropertyParams{URI: u, Property: p.Property}, &there)
		out, said := s.cli("reduce", "--while-verdict", "refuted", "--same-steps", "--index", string(p.Property), file)
		if err != nil && out == "" {
			return
		}
		s.asked["reduce"]++
		left, _, _ := strings.Cut(there.Message, " are left of ")
		if err != nil || out != there.Text || !strings.Contains(said, left) {
			s.t.Errorf("%s, %s: reduce leaves\n%s%s\nand the server, which says %q and %v,\n%s", file, p.Property, out, said, there.Message, err, there.Text)
		}
		return
	}
}
