package synthesis

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestConfig(t *testing.T) {
	c, err := ReadConfig([]byte(`{"sources": ["top.sv", "sub/ram.v"], "top": "top", "reset": "!rst_n", "defines": {"B": "", "A": "4"}, "include": ["inc"]}`))
	if err != nil {
		t.Fatal(err)
	}
	c = c.In("x")
	if want := []string{filepath.Join("x", "top.sv"), filepath.Join("x", "sub", "ram.v")}; !slices.Equal(c.Sources, want) || c.Include[0] != filepath.Join("x", "inc") {
		t.Errorf("the paths are %v and %v", c.Sources, c.Include)
	}
	if got, want := c.DefineList(), []string{"A=4", "B"}; !slices.Equal(got, want) {
		t.Errorf("the macros are %v, want %v", got, want)
	}
	for text, want := range map[string]string{
		"":                                  "line 1: the file ends before the object does",
		"{\n\"sources\": [\n":               "line 3: the file ends before the object does",
		"{\n\"tops\": \"t\"}":               `line 2: unknown field "tops"`,
		"{\n\n\"sources\": [\"a.vhd\"]}":    `source "a.vhd": expected a file that ends in .v or .sv`,
		"{\n\"Top\": \"t\"}":                `line 2: unknown field "Top"`,
		"{\"top\": \"t\",\n\"top\": \"u\"}": `line 2: "top" stands twice`,
		"{\"defines\": {\"A\": \"1\",\n\"a\": \"\",\n\"A\": \"2\"}}": `line 3: "A" stands twice`,
		"{} {}":                            "expected the end of the file after the object",
		"{\n\"top\": 3}":                   "line 2: cannot unmarshal number",
		"{\n\"top\": \"t\",\n\"reset\" 4}": "line 3: invalid character '4'",
	} {
		if _, err := ReadConfig([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, want %s", text, err, want)
		}
	}
}

// TestSchema holds that the schema of the extension has the members of a configuration, with the
// patterns that a request is held to.
func TestSchema(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "vscode-extension", "schemas", "aiglens.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties map[string]struct {
			Description   string
			Pattern       string
			PropertyNames struct{ Pattern string }
		}
	}
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	fields := reflect.TypeFor[Config]()
	for i := range fields.NumField() {
		name := fields.Field(i).Tag.Get("json")
		if schema.Properties[name].Description == "" {
			t.Errorf("the schema does not describe %s", name)
		}
	}
	if len(schema.Properties) != fields.NumField() {
		t.Errorf("the schema has %d members, want %d", len(schema.Properties), fields.NumField())
	}
	if top := schema.Properties["top"].Pattern; top != identifier().String() || schema.Properties["defines"].PropertyNames.Pattern != top {
		t.Errorf("the schema takes other names: %s", top)
	}
}
