package synthesis

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"aiglens/internal/lazy"
)

// placed is a message with a place: FILE:LINE: ERROR: TEXT.
var placed = lazy.Pattern(`^(?:(.+?):(\d+): )?(ERROR|Warning): (.*)$`)

// messages returns the errors and warnings among the lines that Yosys has written, each once. A line
// that begins with a blank continues the one before.
func (r *run) messages(stderr string) []Message {
	var all []Message
	seen := map[Message]bool{}
	for line := range strings.Lines(stderr) {
		line = strings.TrimRight(line, "\r\n")
		found := placed().FindStringSubmatch(line)
		if found == nil {
			continue
		}
		m := Message{IsError: found[3] == "ERROR", Text: r.readable(found[4])}
		m.Path = pathOf(r.places, found[1])
		if m.Line, _ = strconv.Atoi(found[2]); m.Path == "" {
			m.Line = 0
		}
		if m.Path == "" && !m.IsError {
			m.Path, m.Line = r.mentioned(found[4])
		}
		if found := unknownModule().FindStringSubmatch(found[4]); m.Path == "" && found != nil {
			m.Path, m.Line = r.instance(found[1], found[2])
		}
		if !seen[m] {
			seen[m] = true
			all = append(all, m)
		}
	}
	return all
}

// unknownModule is an instance of a module that there is not.
var unknownModule = lazy.Pattern("^Module `\\\\?([^']+)' referenced in module `[^']*' in cell `\\\\?([^']+)' is not part of the design")

// instance returns where the sources have an instance of a module, which Yosys does not say; "" where
// this is not clear.
func (r *run) instance(module, name string) (path string, line int) {
	if !IsIdentifier(module) || !IsIdentifier(name) {
		return "", 0
	}
	header := regexp.MustCompile(`\b` + regexp.QuoteMeta(module) + `\s*(?:#[^;]*)?\s` + regexp.QuoteMeta(name) + `\s*\(`)
	for _, f := range r.request.Files {
		for _, at := range header.FindAllStringIndex(f.Content, 2) {
			if path != "" {
				return "", 0
			}
			path, line = f.Path, strings.Count(f.Content[:at[0]], "\n")+1
		}
	}
	return path, line
}

// inText is a place within the text of a message.
var inText = lazy.Pattern(`\b([si]\d+[^\s:|'"]*):(\d+)(?:\.\d+(?:-\d+\.\d+)?)?`)

// mentioned returns the first place that a message names in its text.
func (r *run) mentioned(text string) (path string, line int) {
	for _, found := range inText().FindAllStringSubmatch(text, -1) {
		if path = pathOf(r.places, found[1]); path != "" {
			line, _ = strconv.Atoi(found[2])
			return path, line
		}
	}
	return "", 0
}

// quoted is a name as Yosys writes it, with the sign that says it is of the source.
var quoted = lazy.Pattern("`\\\\?([^']*)'")

// readable returns a message with the names that the user knows.
func (r *run) readable(text string) string {
	text = quoted().ReplaceAllString(text, "$1")
	return inText().ReplaceAllStringFunc(text, func(found string) string {
		name, rest, _ := strings.Cut(found, ":")
		if path := pathOf(r.places, name); path != "" {
			return filepath.Base(path) + ":" + rest
		}
		return found
	})
}

// pathOf returns the path of a source, or of a file that one includes, by its name in the folder
// of a run; "" for none.
func pathOf(places map[string]string, name string) string {
	if path, ok := places[name]; ok {
		return path
	}
	folder, rest, inside := strings.Cut(filepath.ToSlash(name), "/")
	if path, ok := places[folder]; ok && inside {
		return filepath.Join(path, filepath.FromSlash(rest))
	}
	return ""
}
