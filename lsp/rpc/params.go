package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"

	"go.lsp.dev/protocol"
)

// ParamsFromJSON reads parameters that package wire declares. Members that are not
// declared are left alone. One that is missing or of a wrong type is named in the error,
// for the author of a client to read.
func ParamsFromJSON[Params any](raw []byte) (*Params, error) {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil, fmt.Errorf("%s is not an object", shortened(raw))
	}
	params := new(Params)
	for _, m := range membersOf(params) {
		value := members[m.name]
		switch {
		case isNothing(value) && m.optional:
		case isNothing(value) && !(string(value) == "[]" && m.value.Kind() == reflect.Slice): // a list of none
			return nil, fmt.Errorf("%s is missing", m.name)
		case Decode(value, m.value.Addr().Interface()) != nil:
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
			all = append(all, member{name, options == "omitempty" || options == "omitzero", v.FieldByIndex(field.Index)})
		}
	}
	return all
}

// ShapeOf writes the members of parameters as docs/protocol.md does.
func ShapeOf(params any) string {
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

// Decode reads the parameters of a message. The library is stricter than
// clients are: it refuses "trace":null, Lua's empty table in place of an object
// ("capabilities":[]) and "version":1.0. So what it refuses is normalized and
// tried once more; the error is that of the first try.
func Decode(raw []byte, params any) error {
	if len(raw) == 0 {
		raw = []byte("{}")
	}
	err := protocol.Unmarshal(raw, params)
	if err == nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return err
	}
	relaxed, marshalErr := json.Marshal(normalize(v))
	if marshalErr != nil || protocol.Unmarshal(relaxed, params) != nil {
		return err
	}
	return nil
}

// normalize drops members that say nothing (null, the empty array) and writes
// whole numbers without a fraction.
func normalize(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			if list, isList := member.([]any); member == nil || isList && len(list) == 0 {
				delete(v, key)
				continue
			}
			v[key] = normalize(member)
		}
	case []any:
		for i := range v {
			v[i] = normalize(v[i])
		}
	case json.Number:
		if f, err := v.Float64(); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return int64(f)
		}
	}
	return v
}
