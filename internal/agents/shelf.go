package agents

import (
	"bytes"
	"container/list"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// shelfBytes bounds what is kept for an agent.
const shelfBytes = 64 << 20

// shelf keeps what did not fit into an answer. What was put there first is given up first.
type shelf struct {
	room int // bytes

	mu     sync.Mutex // guards all below
	last   int        // the number of what was put there last
	held   int        // bytes
	order  *list.List // of names, the oldest first
	byName map[string][]byte
}

func newShelf(room int) *shelf {
	return &shelf{room: room, order: list.New(), byName: map[string][]byte{}}
}

// put keeps a content, and returns the name under which page has it.
func (s *shelf) put(content []byte) (name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	name = strconv.Itoa(s.last)
	s.byName[name] = content
	s.order.PushBack(name)
	s.held += len(content)
	for s.held > s.room && s.order.Len() > 1 {
		oldest := s.order.Remove(s.order.Front()).(string)
		s.held -= len(s.byName[oldest])
		delete(s.byName, oldest)
	}
	return name
}

// page returns the first bytes of what is kept under a name, at most so many, and the name of the rest: the name
// of the whole, a colon, and where it begins.
func (s *shelf) page(name string, most int) (a answer, err error) {
	whole, from, _ := strings.Cut(name, ":")
	start, _ := strconv.Atoi(from)
	s.mu.Lock()
	content, ok := s.byName[whole]
	s.mu.Unlock()
	if !ok || start < 0 || start > len(content) {
		return a, fmt.Errorf("nothing is kept under %q: it was too long ago; ask again", name)
	}
	first, rest := cut(content[start:], most)
	if utf8.Valid(first) {
		a.Text = string(first)
	} else {
		a.Text, a.Notes = base64.StdEncoding.EncodeToString(first), []string{"the text is base64 of bytes"}
	}
	if len(rest) > 0 {
		a.More = fmt.Sprintf("%s:%d", whole, len(content)-len(rest))
	}
	return a, nil
}

// cut cuts a content after at most so many bytes: after the end of a line if there is one, and never within a character.
func cut(content []byte, most int) (first, rest []byte) {
	if len(content) <= most {
		return content, nil
	}
	at := bytes.LastIndexByte(content[:most], '\n') + 1
	if at == 0 {
		for at = most; at > most-utf8.UTFMax && !utf8.RuneStart(content[at]); at-- {
		}
	}
	return content[:at], content[at:]
}
