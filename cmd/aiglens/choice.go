package main

import (
	"fmt"
	"strings"
)

// The formats of what commands write, as their flags call them.
var (
	textOrJSON     = []string{"text", "json"}
	lintChoices    = []string{"text", "json", "sarif"}
	checkChoices   = []string{"text", "json", formatHWMCC, "sarif", "junit"}
	circuitFormats = []string{"aag", "aig", "blif"}
)

// errNoFormat says that the value of a flag is none of some formats.
func errNoFormat(flag, value string, formats []string) error {
	last := len(formats) - 1
	return fmt.Errorf("--%s: there is no format %q; choose %s or %s", flag, value, strings.Join(formats[:last], ", "), formats[last])
}
