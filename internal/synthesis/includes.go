package synthesis

import (
	"fmt"
	"path/filepath"
	"strings"

	"aiglens/internal/lazy"
)

var named = lazy.Pattern("(?:`include\\s+|\\$readmem[hb]\\s*\\(\\s*)\"([^\"\\n]+)\"")

// unnamed is a file whose name is not written there.
var unnamed = lazy.Pattern("(?:`include\\s+|\\$readmem[hb]\\s*\\(\\s*)[^\"\\s]")

var comment = lazy.Pattern(`(?s)//[^\n]*|/\*.*?\*/`)

// blank returns a comment as white space with the same lines.
func blank(comment string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return ' '
	}, comment)
}

// Includes returns the paths at which Yosys looks for the files that the sources of a request include
// or initialise memories from, and those that these include, whether they are there or not. read
// returns the content of a file. unknown is the place of the first such file whose name is not
// written there, as of `include NAME: no change of it can be seen.
func (r *Request) Includes(read func(path string) (content string, ok bool)) (all []string, unknown string) {
	var folders []string
	for _, f := range r.Files {
		folders = append(folders, filepath.Dir(f.Path))
	}
	folders = append(folders, r.Include...)
	seen := map[string]bool{}
	var look func(path, content string)
	look = func(path, content string) {
		folder := filepath.Dir(path)
		content = comment().ReplaceAllStringFunc(content, blank)
		if at := unnamed().FindStringIndex(content); at != nil && unknown == "" {
			unknown = fmt.Sprintf("%s:%d", filepath.Base(path), 1+strings.Count(content[:at[0]], "\n"))
		}
		for _, found := range named().FindAllStringSubmatch(content, -1) {
			name := filepath.FromSlash(found[1])
			candidates := []string{name}
			if !filepath.IsAbs(name) {
				candidates = nil
				for _, f := range append([]string{folder}, folders...) {
					candidates = append(candidates, filepath.Join(f, name))
				}
			}
			for _, path := range candidates {
				if seen[path] {
					continue
				}
				seen[path] = true
				all = append(all, path)
				if content, ok := read(path); ok {
					look(path, content)
				}
			}
		}
	}
	for _, f := range r.Files {
		look(f.Path, f.Content)
	}
	return all, unknown
}
