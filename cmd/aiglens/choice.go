package main

import (
	"fmt"

	"aiglens/design"
	"aiglens/internal/nearest"
)

// The formats of what commands write, as their flags call them.
var (
	textOrJSON     = []string{"text", "json"}
	lintChoices    = []string{"text", "json", "sarif"}
	checkChoices   = []string{"text", "json", formatHWMCC, "sarif", "junit"}
	circuitFormats = []string{"aag", "aig", "blif", formatBTOR2}
)

// errNoFormat says that the value of a flag is none of some formats.
func errNoFormat(flag, value string, formats []string) error {
	return fmt.Errorf("--%s: there is no format %q%s", flag, value, nearest.Choose(value, formats))
}

// noWord says that a command knows no such word.
func noWord(e env, command, word string, words []string) int {
	return problem(e, "%s: there is no word %q%s", command, word, nearest.Choose(word, words))
}

// errNoProperty says that a file has no property of a name.
func errNoProperty(d *design.Design, name string) error {
	var names []string
	for _, id := range d.PropertyIDs() {
		names = append(names, d.PropertyName(id))
	}
	return fmt.Errorf("there is no property named %q%s", name, nearest.Hint(name, names))
}
