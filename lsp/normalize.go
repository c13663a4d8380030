package lsp

import (
	"bytes"
	"encoding/json"
	"math"

	"go.lsp.dev/protocol"
)

// decode reads the parameters of a message. The library is stricter than
// clients are: it refuses "trace":null, Lua's empty table in place of an object
// ("capabilities":[]) and "version":1.0. So what it refuses is normalized and
// tried once more; the error is that of the first try.
func decode(raw []byte, params any) error {
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
