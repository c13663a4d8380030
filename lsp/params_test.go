package lsp

import (
	"encoding/json"
	"errors"
	"testing"

	"aiglens/lsp/lsptest"
)

// TestWrongParameters: what is wrong with the argument of a command is told by the name
// of the member; undeclared members do no harm.
func TestWrongParameters(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.open(doc, counting)
	for _, test := range []struct{ command, argument, want string }{
		{"aiglens.check", `{}`, "aiglens.check takes one argument {uri, property?, position?, properties?, timeout?}: uri is missing"},
		{"aiglens.check", `{"uri": null}`, "aiglens.check takes one argument {uri, property?, position?, properties?, timeout?}: uri is missing"},
		{"aiglens.check", `"` + doc + `"`, `aiglens.check takes one argument {uri, property?, position?, properties?, timeout?}: "` + doc + `" is not an object`},
		{"aiglens.check", `{"uri": "` + doc + `", "property": 0}`, "aiglens.check takes one argument {uri, property?, position?, properties?, timeout?}: property is 0, expected a string"},
		{"aiglens.check", `{"uri": "` + doc + `", "position": 7}`, "aiglens.check takes one argument {uri, property?, position?, properties?, timeout?}: position is 7, expected a Position"},
		{"aiglens.step", `{"uri": "` + doc + `"}`, "aiglens.step takes one argument {uri, property?, position?, to, instance?}: to is missing"},
		{"aiglens.step", `{"uri": "` + doc + `", "to": 1}`, "aiglens.step takes one argument {uri, property?, position?, to, instance?}: to is 1, expected a string"},
		{"aiglens.why", `{"uri": "` + doc + `", "signal": -1}`, "aiglens.why takes one argument {uri, property?, position?, signal?, step?, depth?}: signal is -1, expected a number from 0"},
		{"aiglens.goToCause", `{"uri": "` + doc + `", "signal": 2}`, "aiglens.goToCause takes one argument {uri, property?, position?, signal, step}: step is missing"},
		{"aiglens.trace", `{"uri": "` + doc + `", "positions": {}}`, "aiglens.trace takes one argument {uri, property?, position?, rounds?, positions?, expressions?}: positions is {}, expected a list of Positions"},
		{"aiglens.exportTrace", `{"uri": "` + doc + `", "format": "vcd", "overwrite": "yes"}`, `aiglens.exportTrace takes one argument {uri, property?, position?, format, rounds?, path?, overwrite?}: overwrite is "yes", expected true or false`},
		{"aiglens.properties", `{"uri": "` + doc + `", "property": 7, "more": {}}`, ""},
		{"aiglens.check", `{"uri": "` + doc + `", "property": null, "position": []}`, ""},
		{"aiglens.check", `{"uri": "` + doc + `", "position": {"line": 3.0, "character": 0}}`, ""},
		{"aiglens.checkWorkspace", `{"uri": 7}`, ""},
		{"aiglens.stop", `{}`, ""},
	} {
		err := b.Call("workspace/executeCommand", command(test.command, json.RawMessage(test.argument)), nil)
		var refusal *lsptest.Error
		if test.want == "" && err != nil || test.want != "" && (!errors.As(err, &refusal) || refusal.Code != -32602 || refusal.Message != test.want) {
			t.Errorf("%s %s: %v", test.command, test.argument, err)
		}
	}
	if err := b.Call("workspace/executeCommand", map[string]any{"command": "aiglens.stop"}, nil); err == nil {
		t.Error("a command without its argument")
	}
}
