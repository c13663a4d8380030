package lsptest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// The types of the protocol that the server sends, member by member. "?" marks
// an optional member, "[]" a list. A member that is not listed is an error, and
// so is null anywhere but as the whole result.
var types = map[string]map[string]string{
	"Position":           {"line": "number", "character": "number"},
	"Range":              {"start": "Position", "end": "Position"},
	"Location":           {"uri": "string", "range": "Range"},
	"Related":            {"location": "Location", "message": "string"},
	"Diagnostic":         {"range": "Range", "severity": "?number", "code": "?scalar", "source": "?string", "message": "string", "tags": "?[]number", "relatedInformation": "?[]Related"},
	"PublishDiagnostics": {"uri": "string", "version": "?number", "diagnostics": "[]Diagnostic"},
	"LogMessage":         {"type": "number", "message": "string"},
	"Progress":           {"token": "scalar", "value": "ProgressValue"},
	"ProgressValue":      {"kind": "string", "title": "?string", "cancellable": "?boolean", "message": "?string", "percentage": "?number"},
	"ProgressCreate":     {"token": "scalar"},
	"Configuration":      {"items": "[]ConfigurationItem"},
	"ConfigurationItem":  {"section": "?string", "scopeUri": "?string"},
	"Registrations":      {"registrations": "[]Registration"},
	"Registration":       {"id": "string", "method": "string", "registerOptions": "?any"},
	"ShowDocument":       {"uri": "string", "external": "?boolean", "takeFocus": "?boolean", "selection": "?Range"},
	"Cancel":             {"id": "scalar"},
	"Markup":             {"kind": "string", "value": "string"},
	"Hover":              {"contents": "Markup", "range": "?Range"},
	"Highlight":          {"range": "Range", "kind": "?number"},
	"Command":            {"title": "string", "command": "string", "arguments": "?[]any"},
	"CodeLens":           {"range": "Range", "command": "?Command"},
	"TextEdit":           {"range": "Range", "newText": "text"},
	"WorkspaceEdit":      {"changes": "map[]TextEdit"},
	"CodeAction":         {"title": "string", "kind": "text", "command": "?Command", "edit": "?WorkspaceEdit", "diagnostics": "?[]Diagnostic", "isPreferred": "?boolean"},
	"Symbol":             {"name": "string", "detail": "?text", "kind": "number", "range": "Range", "selectionRange": "Range", "children": "?[]Symbol"},
	"InitializeResult":   {"capabilities": "any", "serverInfo": "?any"},
	"Latch":              {"name": "string", "literal": "number", "values": "string", "location": "Location"},
}

var messageTypes = map[string]string{
	"textDocument/publishDiagnostics": "PublishDiagnostics",
	"window/logMessage":               "LogMessage",
	"window/showDocument":             "ShowDocument",
	"window/workDoneProgress/create":  "ProgressCreate",
	"workspace/codeLens/refresh":      "nothing",
	"workspace/configuration":         "Configuration",
	"client/registerCapability":       "Registrations",
	"$/progress":                      "Progress",
	"$/cancelRequest":                 "Cancel",
}

var resultTypes = map[string]string{
	"initialize":                     "InitializeResult",
	"textDocument/hover":             "Hover",
	"textDocument/definition":        "Location",
	"textDocument/references":        "[]Location",
	"textDocument/documentHighlight": "[]Highlight",
	"textDocument/documentSymbol":    "[]Symbol",
	"textDocument/codeLens":          "[]CodeLens",
	"textDocument/codeAction":        "[]CodeAction",
}

func checkMessage(method string, body []byte) error {
	var m map[string]any
	if err := json.Unmarshal(body, &m); err != nil {
		return err
	}
	typ, known := messageTypes[method]
	if !known {
		return fmt.Errorf("the client knows no such message")
	}
	if typ == "nothing" {
		return nil
	}
	return check("params", m["params"], typ)
}

func checkAnswer(method string, body []byte) error {
	var m map[string]any
	if err := json.Unmarshal(body, &m); err != nil {
		return err
	}
	if e, failed := m["error"]; failed {
		return check("error", e, "any")
	}
	result, present := m["result"]
	if !present {
		return fmt.Errorf("neither result nor error")
	}
	if typ := resultTypes[method]; typ != "" && result != nil {
		return check("result", result, typ)
	}
	return nil
}

// check compares a decoded value with a type.
func check(path string, v any, typ string) error {
	switch {
	case v == nil:
		return fmt.Errorf("%s is null", path)
	case strings.HasPrefix(typ, "map"):
		m, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("%s is no object", path)
		}
		for key, e := range m {
			if err := check(path+"."+key, e, typ[3:]); err != nil {
				return err
			}
		}
		return nil
	case strings.HasPrefix(typ, "[]"):
		list, ok := v.([]any)
		if !ok {
			return fmt.Errorf("%s is no list", path)
		}
		for i, e := range list {
			if err := check(fmt.Sprintf("%s[%d]", path, i), e, typ[2:]); err != nil {
				return err
			}
		}
		return nil
	}
	ok := true
	switch typ {
	case "any":
	case "string":
		s, isString := v.(string)
		ok = isString && strings.TrimSpace(s) != ""
	case "text":
		_, ok = v.(string)
	case "number":
		n, isNumber := v.(float64)
		ok = isNumber && n >= 0 && n == float64(int64(n))
	case "boolean":
		_, ok = v.(bool)
	case "scalar":
		_, isString := v.(string)
		_, isNumber := v.(float64)
		ok = isString || isNumber
	default:
		return checkObject(path, v, typ)
	}
	if !ok {
		return fmt.Errorf("%s is %v, expected %s", path, v, typ)
	}
	return nil
}

func checkObject(path string, v any, typ string) error {
	object, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%s is %v, expected %s", path, v, typ)
	}
	members, known := types[typ]
	if !known {
		return fmt.Errorf("%s: unknown type %s", path, typ)
	}
	for name := range object {
		if members[name] == "" {
			return fmt.Errorf("%s.%s is no member of %s", path, name, typ)
		}
	}
	for name, t := range members {
		member, present := object[name]
		optional := strings.HasPrefix(t, "?")
		if !present && optional {
			continue
		}
		if err := check(path+"."+name, member, strings.TrimPrefix(t, "?")); err != nil {
			return err
		}
	}
	switch typ {
	case "Range":
		if !ordered(object["start"], object["end"]) {
			return fmt.Errorf("%s ends before it starts", path)
		}
	case "Symbol":
		all, focus := object["range"].(map[string]any), object["selectionRange"].(map[string]any)
		if !ordered(all["start"], focus["start"]) || !ordered(focus["end"], all["end"]) {
			return fmt.Errorf("%s: selectionRange lies outside range", path)
		}
	}
	return nil
}

func ordered(a, b any) bool {
	x, y := a.(map[string]any), b.(map[string]any)
	if x["line"] != y["line"] {
		return x["line"].(float64) < y["line"].(float64)
	}
	return x["character"].(float64) <= y["character"].(float64)
}
