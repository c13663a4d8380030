package syntax

import (
	"slices"
	"testing"

	"aiglens/internal/source"
)

// messagesOf returns what is said of a text, beside information.
func messagesOf(text string) (messages []string) {
	for _, d := range Parse(source.NewText(text), nil).Diagnostics() {
		if d.Severity <= source.Warning {
			messages = append(messages, d.Message)
		}
	}
	return messages
}

// TestJusticeCount: the number of conditions that is told is the one that is written, and none where that is no number.
func TestJusticeCount(t *testing.T) {
	for _, c := range []struct{ row, want string }{
		{"justice 2147483647 2 2", "2,147,483,647 conditions are announced, found 2"},
		{"justice 3 2 2", "3 conditions are announced, found 2"},
		{"justice 1 2 2 2", "1 condition is announced, found 3"},
		{"justice x -2", "a number is expected, found \"x\""},
		{"justice x 2 2", "a number is expected, found \"x\""},
	} {
		if got := messagesOf("1 sort bitvec 1\n2 input 1\n3 " + c.row + "\n"); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: %q, want %q", c.row, got, c.want)
		}
	}
}

// TestLargeNumbers: a number that is too large goes by what it is.
func TestLargeNumbers(t *testing.T) {
	for _, c := range []struct{ row, want string }{
		{"justice 2147483648 2", "the number of conditions is below 2^31, found \"2147483648\""},
		{"sort bitvec 2147483648", "a width is below 2^31, found \"2147483648\""},
		{"slice 1 2 2147483648 0", "the bits of a slice are below 2^31, found \"2147483648\""},
		{"uext 1 2 2147483648", "the number of new bits is below 2^31, found \"2147483648\""},
		{"bad 1099511627776", "numbers of rows are below 2^40, found \"1099511627776\""},
	} {
		if got := messagesOf("1 sort bitvec 1\n2 input 1\n3 " + c.row + "\n"); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: %q, want %q", c.row, got, c.want)
		}
	}
}
