package lsptest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// The types of the protocol that the server sends, member by member. "?" marks
// an optional member, "[]" a list. A member that is not listed is an error, and
// so is null anywhere but as the whole result and where "|null" allows it.
var types = map[string]map[string]string{
	"Position":           {"line": "number", "character": "number"},
	"Range":              {"start": "Position", "end": "Position"},
	"Location":           {"uri": "string", "range": "Range"},
	"Related":            {"location": "Location", "message": "string"},
	"Diagnostic":         {"range": "Range", "severity": "?number", "code": "?scalar", "codeDescription": "?CodeDescription", "source": "?string", "message": "string", "tags": "?[]number", "relatedInformation": "?[]Related"},
	"PublishDiagnostics": {"uri": "string", "version": "?integer", "diagnostics": "[]Diagnostic"},
	"LogMessage":         {"type": "number", "message": "string"},
	"ShowMessage":        {"type": "number", "message": "string"},
	"Progress":           {"token": "scalar", "value": "ProgressValue"},
	"ProgressValue":      {"kind": "string", "title": "?string", "cancellable": "?boolean", "message": "?string", "percentage": "?number"},
	"ProgressCreate":     {"token": "scalar"},
	"Configuration":      {"items": "[]ConfigurationItem"},
	"ConfigurationItem":  {"section": "?string", "scopeUri": "?string"},
	"Registrations":      {"registrations": "[]Registration"},
	"Unregistrations":    {"unregisterations": "[]Registration"}, // so spelled in the protocol
	"Registration":       {"id": "string", "method": "string", "registerOptions": "?any"},
	"ShowDocument":       {"uri": "string", "external": "?boolean", "takeFocus": "?boolean", "selection": "?Range"},
	"Cancel":             {"id": "scalar"},
	"Markup":             {"kind": "string", "value": "string"},
	"Hover":              {"contents": "Markup", "range": "?Range"},
	"Highlight":          {"range": "Range", "kind": "?number"},
	"Command":            {"title": "string", "tooltip": "?string", "command": "string", "arguments": "?[]any"},
	"CodeLens":           {"range": "Range", "command": "?Command", "data": "?any"},
	"TextEdit":           {"range": "Range", "newText": "text"},
	"ShowMessageRequest": {"type": "number", "message": "text", "actions": "[]MessageAction"},
	"MessageAction":      {"title": "text"},
	"ApplyEdit":          {"label": "text", "edit": "WorkspaceEdit"},
	"WorkspaceEdit":      {"changes": "?map[]TextEdit", "documentChanges": "?[]DocumentEdit"},
	"DocumentEdit":       {"textDocument": "VersionedDocument", "edits": "[]TextEdit"},
	"VersionedDocument":  {"uri": "string", "version": "integer|null"},
	"CodeAction":         {"title": "string", "kind": "text", "command": "?Command", "edit": "?WorkspaceEdit", "diagnostics": "?[]Diagnostic", "isPreferred": "?boolean", "data": "?any"},
	"PrepareRename":      {"range": "Range", "placeholder": "text"},
	"CompletionList":     {"isIncomplete": "boolean", "items": "[]CompletionItem"},
	"CompletionItem":     {"label": "string", "labelDetails": "?any", "kind": "?number", "detail": "?text", "documentation": "?Markup", "sortText": "?string", "filterText": "?string", "textEdit": "?TextEdit", "insertTextFormat": "?number", "data": "?any"},
	"SignatureHelp":      {"signatures": "[]Signature", "activeSignature": "?number", "activeParameter": "?number"},
	"Signature":          {"label": "string", "documentation": "?text", "parameters": "?[]Parameter"},
	"Parameter":          {"label": "any"},
	"Decoded":            {"text": "text"},
	"Symbol":             {"name": "string", "detail": "?text", "kind": "number", "range": "Range", "selectionRange": "Range", "children": "?[]Symbol"},
	"InlayHint":          {"position": "Position", "label": "string", "kind": "?number", "paddingLeft": "?boolean", "paddingRight": "?boolean", "data": "?string"},
	"SemanticTokens":     {"data": "[]number"},
	"CallItem":           {"name": "string", "kind": "number", "detail": "?text", "uri": "string", "range": "Range", "selectionRange": "Range"},
	"IncomingCall":       {"from": "CallItem", "fromRanges": "[]Range"},
	"OutgoingCall":       {"to": "CallItem", "fromRanges": "[]Range"},
	"FoldingRange":       {"startLine": "number", "endLine": "number", "kind": "?string"},
	"SelectionRange":     {"range": "Range", "parent": "?SelectionRange"},
	"DocumentLink":       {"range": "Range", "target": "string"},
	"SymbolInformation":  {"name": "string", "kind": "number", "containerName": "?string", "location": "Location"},
	"CodeDescription":    {"href": "string"},
	"InitializeResult":   {"capabilities": "any", "serverInfo": "?any"},
	"Status":             {"uri": "string", "version": "integer|null", "whole": "boolean", "properties": "[]PropertyStatus", "without": "?NoProperties", "unwritten": "?string"},
	"NoProperties":       {"why": "text", "setting": "?string"},
	"Step":               {"uri": "string", "property": "?string", "name": "?string", "step": "number", "steps": "number", "first": "?number", "loop": "?number", "words": "?text", "instance": "?string"},
	"PropertyStatus":     {"property": "string", "name": "string", "range": "Range", "verdict": "verdict", "standing": "standing", "freshness": "freshness", "text": "string", "message": "text", "seconds": "?real", "depth": "?number", "cached": "?boolean", "nodes": "?number", "place": "?string", "steps": "?number", "loop": "?number", "circuit": "?string"},
	"File":               {"uri": "string"},
	"Cluster":            {"state": "string", "nodes": "?number", "problem": "?string"},
	"Latch":              {"name": "string", "literal": "number", "values": "string", "loop": "?number", "location": "Location"},
}

var messageTypes = map[string]string{
	"textDocument/publishDiagnostics":  "PublishDiagnostics",
	"window/logMessage":                "LogMessage",
	"window/showMessage":               "ShowMessage",
	"window/showDocument":              "ShowDocument",
	"window/showMessageRequest":        "ShowMessageRequest",
	"workspace/applyEdit":              "ApplyEdit",
	"window/workDoneProgress/create":   "ProgressCreate",
	"workspace/codeLens/refresh":       "nothing",
	"workspace/foldingRange/refresh":   "nothing",
	"workspace/semanticTokens/refresh": "nothing",
	"workspace/inlayHint/refresh":      "nothing",
	"workspace/configuration":          "Configuration",
	"client/registerCapability":        "Registrations",
	"client/unregisterCapability":      "Unregistrations",
	"$/progress":                       "Progress",
	"$/cancelRequest":                  "Cancel",
	"aiglens/status":                   "Status",
	"aiglens/step":                     "Step",
	"aiglens/decodedChanged":           "File",
	"aiglens/cluster":                  "Cluster",
}

var resultTypes = map[string]string{
	"initialize":                     "InitializeResult",
	"textDocument/hover":             "Hover",
	"textDocument/definition":        "Location",
	"textDocument/declaration":       "[]Location",
	"textDocument/implementation":    "[]Location",
	"textDocument/references":        "[]Location",
	"textDocument/documentHighlight": "[]Highlight",
	"textDocument/documentSymbol":    "[]Symbol",
	"textDocument/codeLens":          "[]CodeLens",
	"textDocument/codeAction":        "[]CodeAction",

	"textDocument/inlayHint":            "[]InlayHint",
	"textDocument/semanticTokens/full":  "SemanticTokens",
	"textDocument/semanticTokens/range": "SemanticTokens",
	"textDocument/prepareCallHierarchy": "[]CallItem",
	"callHierarchy/incomingCalls":       "[]IncomingCall",
	"callHierarchy/outgoingCalls":       "[]OutgoingCall",
	"textDocument/foldingRange":         "[]FoldingRange",
	"textDocument/selectionRange":       "[]SelectionRange",
	"textDocument/documentLink":         "[]DocumentLink",
	"workspace/symbol":                  "[]SymbolInformation",

	"codeAction/resolve":            "CodeAction",
	"textDocument/prepareRename":    "PrepareRename",
	"textDocument/rename":           "WorkspaceEdit",
	"textDocument/completion":       "CompletionList",
	"textDocument/signatureHelp":    "SignatureHelp",
	"completionItem/resolve":        "CompletionItem",
	"textDocument/formatting":       "[]TextEdit",
	"textDocument/onTypeFormatting": "[]TextEdit",
	"aiglens/decoded":               "Decoded",
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
	typ, nullable := strings.CutSuffix(typ, "|null")
	switch {
	case v == nil && nullable:
		return nil
	case v == nil:
		return fmt.Errorf("%s is null", path)
	case strings.HasPrefix(typ, "map"):
		m, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("%s is not an object", path)
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
			return fmt.Errorf("%s is not a list", path)
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
	case "integer":
		n, isNumber := v.(float64)
		ok = isNumber && n == float64(int64(n))
	case "real":
		n, isNumber := v.(float64)
		ok = isNumber && n >= 0
	case "verdict":
		ok = v == "none" || v == "proved" || v == "refuted" || v == "unknown"
	case "standing":
		ok = v == "open" || v == "passed" || v == "failed" || v == "useless"
	case "freshness":
		ok = v == "fresh" || v == "stale" || v == "queued" || v == "running"
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
			return fmt.Errorf("%s.%s is not a member of %s", path, name, typ)
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
	case "SemanticTokens":
		return checkTokens(path, object["data"].([]any))
	case "SelectionRange":
		if outer, has := object["parent"].(map[string]any); has {
			return checkInside(path, object["range"], outer["range"])
		}
	case "Symbol", "CallItem":
		all, focus := object["range"].(map[string]any), object["selectionRange"].(map[string]any)
		if !ordered(all["start"], focus["start"]) || !ordered(focus["end"], all["end"]) {
			return fmt.Errorf("%s: selectionRange lies outside range", path)
		}
	}
	return nil
}

// checkTokens compares tokens with the legend of the server, which has fewer
// than 8 types and 3 modifiers, and with the rule that none overlaps the next.
func checkTokens(path string, data []any) error {
	if len(data)%5 != 0 {
		return fmt.Errorf("%s: %d numbers are not tokens of five", path, len(data))
	}
	end := 0.0
	for i := 0; i < len(data); i += 5 {
		line, start, length := data[i].(float64), data[i+1].(float64), data[i+2].(float64)
		switch {
		case length == 0 || data[i+3].(float64) > 10 || data[i+4].(float64) > 7:
			return fmt.Errorf("%s: token %v", path, data[i:i+5])
		case i > 0 && line == 0 && start < end:
			return fmt.Errorf("%s: token %d overlaps the one before", path, i/5)
		}
		end = length
	}
	return nil
}

// checkInside compares two ranges.
func checkInside(path string, inner, outer any) error {
	i, o := inner.(map[string]any), outer.(map[string]any)
	if !ordered(o["start"], i["start"]) || !ordered(i["end"], o["end"]) {
		return fmt.Errorf("%s: the range lies outside its parent", path)
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
