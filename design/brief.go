package design

import (
	"strings"

	"aiglens/internal/lazy"
)

// What Yosys writes into the names that it makes up, beside what tells them apart.
var (
	pass   = lazy.Pattern(`\$auto\$[^$]*:\d+:(\w+\$\d+)`)                // $auto$opt_dff.cc:219:simple$44
	place  = lazy.Pattern(`(\$\w+)\$[^$]*:\d+(?:\.\d+-\d+\.\d+)?(\$\w)`) // $add$fifo.v:11$22
	prefix = lazy.Pattern(`\$(?:abc\$\d+(?:\$|\\)|flatten\\|techmap\\)`) // before another name
	cells  = lazy.Pattern(`\$[^./$][^./]*\.(\$)`)                        // a cell around another one
)

// Brief returns a name as it stands where there is little room: of a name that Yosys has made up what
// tells it apart, without the file of Yosys or of Verilog and the cells around it. Other names stay
// as they are.
func Brief(name string) string {
	if !strings.Contains(name, "$") {
		return name
	}
	name = pass().ReplaceAllString(name, "$$$1")
	name = place().ReplaceAllString(name, "$1$2")
	for before := ""; before != name; {
		before, name = name, prefix().ReplaceAllStringFunc(name, func(found string) string {
			if strings.HasSuffix(found, "$") {
				return "$"
			}
			return ""
		})
	}
	for before := ""; before != name; {
		before, name = name, cells().ReplaceAllString(name, "$1")
	}
	return name
}
