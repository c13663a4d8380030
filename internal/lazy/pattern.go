package lazy

import (
	"regexp"
	"sync"
)

// Pattern returns a regular expression that is compiled at its first use: the forty of the
// program would be a tenth of its start, and most runs use none.
func Pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
