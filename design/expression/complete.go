package expression

import (
	"strings"
	"unicode/utf8"
)

// WordBefore returns where the name at the end of a text begins.
func WordBefore(text string) (start int) {
	for start = len(text); start > 0; {
		_, size := utf8.DecodeLastRuneInString(text[:start])
		if NameLength("_"+text[start-size:start]) == 1 {
			break
		}
		start -= size
	}
	return start
}

// ValueNames returns the names of the values that may follow a text: those of the word before a
// sign such as == at its end.
func (d *Dictionary) ValueNames(text string) (names []string) {
	text = strings.TrimRight(text, " ")
	word := strings.TrimRight(text, "=!<>")
	if word == text {
		return nil
	}
	word = strings.TrimRight(word, " )`\"")
	for _, w := range d.Words(word[WordBefore(word):]) {
		for _, v := range w.Values {
			names = append(names, v.Name)
		}
	}
	return names
}

// WordNames returns the names of all words.
func (d *Dictionary) WordNames() (names []string) {
	for _, w := range d.allWords() {
		names = append(names, w.Name)
	}
	return names
}
