package yosys

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// object reads a JSON object member by member, so that each error has its place.
type object struct {
	data []byte
	d    *json.Decoder
	at   int // where the value that is read begins
	line int // of at, from 1 on
}

func newObject(data []byte) *object {
	return &object{data: data, d: json.NewDecoder(bytes.NewReader(data)), line: 1}
}

// each reads the whole text, which must be one object without a repeated key. read is called for
// each member and consumes its value.
func (o *object) each(read func(key string) *Error) *Error {
	if at := invalidUTF8(o.data); at >= 0 {
		return errorAt(o.data, at, "expected UTF-8, found the byte %#x", o.data[at])
	}
	if err := o.open('{', "an object"); err != nil {
		return err
	}
	seen := map[string]bool{}
	for o.d.More() {
		o.mark()
		token, err := o.d.Token()
		if err != nil {
			return o.broken(err)
		}
		key, _ := token.(string)
		if seen[key] {
			return o.fault("the key %q stands here a second time", clip(key))
		}
		seen[key] = true
		if err := read(key); err != nil {
			return err
		}
	}
	if _, err := o.d.Token(); err != nil {
		return o.broken(err)
	}
	o.mark()
	if _, err := o.d.Token(); !errors.Is(err, io.EOF) {
		return o.fault("expected the end of the file after the object")
	}
	return nil
}

// elements reads an array. read is called for each element and consumes it.
func (o *object) elements(read func() *Error) *Error {
	if err := o.open('[', "a list"); err != nil {
		return err
	}
	for o.d.More() {
		if err := read(); err != nil {
			return err
		}
	}
	if _, err := o.d.Token(); err != nil {
		return o.broken(err)
	}
	return nil
}

func (o *object) open(delim json.Delim, what string) *Error {
	o.mark()
	token, err := o.d.Token()
	if err != nil {
		return o.broken(err)
	}
	if token != delim {
		return o.fault("expected %s", what)
	}
	return nil
}

// value reads one value. null is none.
func (o *object) value(to any) *Error {
	o.mark()
	var raw json.RawMessage
	if err := o.d.Decode(&raw); err != nil {
		return o.broken(err)
	}
	if string(raw) == "null" {
		return o.fault("expected a value, found null")
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return o.broken(err)
	}
	return nil
}

func (o *object) ignore() *Error {
	var raw json.RawMessage
	return o.value(&raw)
}

// mark notes where the next value begins.
func (o *object) mark() {
	at := int(o.d.InputOffset())
	for at < len(o.data) && strings.IndexByte(" \t\r\n,:", o.data[at]) >= 0 {
		at++
	}
	o.line += bytes.Count(o.data[o.at:at], []byte("\n"))
	o.at = at
}

// invalidUTF8 returns the first byte that is not part of a character, or -1. The decoder would
// replace it, and so make another name.
func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	at := 0
	for {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

func (o *object) fault(format string, args ...any) *Error {
	return errorAt(o.data, o.at, format, args...)
}

// broken is a fault that the decoder has found.
func (o *object) broken(err error) *Error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return errorAt(o.data, len(o.data), "the file ends before the object does: it is not complete")
	case errors.As(err, &syntax):
		return errorAt(o.data, int(syntax.Offset)-1, "%s", syntax.Error())
	case errors.As(err, &kind):
		return o.fault("expected %s, found %s", wordOf(kind.Type.String()), kind.Value)
	}
	return o.fault("%s", strings.TrimPrefix(err.Error(), "json: "))
}

// wordOf is how a message calls what JSON should have held.
func wordOf(goType string) string {
	switch {
	case strings.Contains(goType, "["):
		return "a list"
	case strings.Contains(goType, "int"):
		return "a whole number"
	case strings.Contains(goType, "string"):
		return "text"
	}
	return "an object"
}

// pathOf checks a path of JSON.
func (o *object) pathOf(raw []*string) (Path, *Error) {
	if len(raw) == 0 {
		return nil, o.fault("path is missing")
	}
	path := make(Path, len(raw))
	for i, id := range raw {
		if id == nil {
			return nil, o.fault("the path holds null")
		}
		if fault := faultOf(strings.TrimPrefix(*id, `\`)); fault != "" {
			return nil, o.fault("in the path: %s", fault)
		}
		path[i] = *id
	}
	return path, nil
}
