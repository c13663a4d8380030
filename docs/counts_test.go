package docs

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// counted is a number that a message has no other way to say than with a noun in the plural.
var counted = regexp.MustCompile(`(%d|%v|\$\{[^}]*\}) (inputs|outputs|latches|gates|bits|steps|rows|properties|files|words|signals|nodes|lemmas|clauses|facts|models|states|nets|checks|errors|literals|cubes|groups|constraints|rounds|levels|variables|minutes)\b`)

// plural are what messages begin with whose number is never 1, or that no user reads.
var plural = []string{
	" and the %d rows that depend on it",
	" and the more than %d rows that depend on it",
	"Make a word of these %d signals",
	"%d outputs are more than %d, the limit up to which every output is taken as a property (--output-limit, aiglens.blif.outputLimit): there is nothing to check",
	"the cover has more than %d rows",
	"# Completion of aiglens for bash: ",
	"%s: the first %d of %d properties or outputs are drawn; --index and --signal choose others\n",
	"%s: the first %d of %d literals are drawn\n",
	"%d of %d files · ",
	"%d inputs are called %q; name it by its position, such as i0",
	"these %d latches",
	"%s, the first %d of %d literals",
	"%d rows can change for %s; only the first are faded",
	"%d rows can change for %s; hover over one for details",
	"; it has %d outputs, more than the limit of %d, and no latches: --combinational --output-limit %d takes them all",
	"; it has %d outputs, more than the limit of %d: --output-limit %d takes them all",
	"%d bits",
	"%d outputs are more than %d, up to which every output is one",
	"the expression needs more than %d clauses: compare fewer words at once",
	"a run of this circuit may have 1 to %d steps, not %d",
	"a run of this circuit may have 1 to %d steps: it has %d, and %d more would be too many",
	"%d words may be %q, such as %s: give the instance, too",
	"%d rounds are too many for a file",
	"Invariant F[%d] : %d clauses",
	"%d nodes have failed to end this check%s",
	"%w: %d checks of %s",
	"%d variables are called %s: give each a name of its own in the text",
	", %d rounds are shown",
	"the models come from more than ${mostRounds} files",
	"${states.length} states",
}

// ofTests are folders that only tests use.
var ofTests = []string{"aiger/aigertest/", "internal/peers/", "internal/wave/wavetest/"}

// TestCounts finds messages that would say "1 inputs": findings.Count, or cert.Count, says how many there
// are of something.
func TestCounts(t *testing.T) {
	met := map[string]bool{}
	eachMessage(t, func(path, message string) {
		if !counted.MatchString(message) || slices.ContainsFunc(ofTests, func(folder string) bool { return strings.HasPrefix(path, folder) }) {
			return
		}
		at := slices.IndexFunc(plural, func(begin string) bool { return strings.HasPrefix(message, begin) })
		if at < 0 {
			t.Errorf("%s: %q: the number may be 1", path, message)
			return
		}
		met[plural[at]] = true
	})
	for _, message := range plural {
		if !met[message] {
			t.Errorf("no message begins with %q", message)
		}
	}
}
