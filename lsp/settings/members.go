package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// decodeMembers decodes the members of a JSON object that a struct has, each by
// itself: one of a wrong type is reported and leaves its field as it was, and the
// others count. Structs within are decoded likewise, except that lists are taken or
// left as a whole.
func decodeMembers(raw []byte, into any) error {
	return decodeFields(raw, reflect.ValueOf(into).Elem(), "")
}

func decodeFields(raw []byte, fields reflect.Value, path string) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return fmt.Errorf("settings: %s is not an object", strings.TrimSuffix("aiglens."+path, "."))
	}
	var wrong []error
	for name, value := range members {
		field := fields.FieldByNameFunc(func(f string) bool { return strings.EqualFold(f, name) })
		switch {
		case !field.IsValid() || string(value) == "null":
		case field.Kind() == reflect.Struct:
			wrong = append(wrong, decodeFields(value, field, path+name+"."))
		default:
			fresh := reflect.New(field.Type())
			if err := json.Unmarshal(value, fresh.Interface()); err != nil {
				wrong = append(wrong, fmt.Errorf("settings: %s%s has a wrong type: %s", path, name, value))
				continue
			}
			field.Set(fresh.Elem())
		}
	}
	return errors.Join(wrong...)
}
