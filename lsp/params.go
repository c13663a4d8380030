package lsp

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// paramsFromJSON reads parameters that package wire declares. Members that are not
// declared are left alone. One that is missing or of a wrong type is named in the error,
// for a person to read who writes a client.
func paramsFromJSON[Params any](raw []byte) (*Params, error) {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil, fmt.Errorf("%s is no object", shortened(raw))
	}
	params := new(Params)
	for _, m := range membersOf(params) {
		value := members[m.name]
		switch {
		case isNothing(value) && m.optional:
		case isNothing(value):
			return nil, fmt.Errorf("%s is missing", m.name)
		case decode(value, m.value.Addr().Interface()) != nil:
			return nil, fmt.Errorf("%s is %s, expected %s", m.name, shortened(value), wordFor(m.value.Type()))
		}
	}
	return params, nil
}

// isNothing reports whether a member is missing, or there and says nothing, as in
// normalize.
func isNothing(value []byte) bool {
	switch string(value) {
	case "", "null", "[]":
		return true
	}
	return false
}

// member is a field of parameters under its name in JSON.
type member struct {
	name     string
	optional bool
	value    reflect.Value
}

// membersOf returns the fields of a struct, with those of embedded structs in their place.
func membersOf(params any) (all []member) {
	v := reflect.ValueOf(params).Elem()
	for _, field := range reflect.VisibleFields(v.Type()) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !field.Anonymous {
			all = append(all, member{name, options == "omitempty", v.FieldByIndex(field.Index)})
		}
	}
	return all
}

// shapeOf writes the members of parameters as docs/protocol.md does.
func shapeOf(params any) string {
	var names []string
	for _, m := range membersOf(params) {
		if m.optional {
			m.name += "?"
		}
		names = append(names, m.name)
	}
	return "{" + strings.Join(names, ", ") + "}"
}

// wordFor is what a value of a type is called in JSON.
func wordFor(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return wordFor(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "a list of " + t.Elem().Name() + "s"
	case reflect.Struct:
		return "a " + t.Name()
	case reflect.Uint32:
		return "a number from 0"
	}
	return "a number"
}

// shortened cuts a value to what fits into a message.
func shortened(raw []byte) string {
	const most = 60
	if text := []rune(string(raw)); len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(raw)
}
