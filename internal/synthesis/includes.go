package synthesis

import (
	"path/filepath"
	"regexp"
)

var named = regexp.MustCompile("(?:`include\\s+|\\$readmem[hb]\\s*\\(\\s*)\"([^\"\\n]+)\"")

// Includes returns the paths at which Yosys looks for the files that the sources of a request include
// or initialise memories from, and those that these include, whether they are there or not. read
// returns the content of a file.
func (r *Request) Includes(read func(path string) (content string, ok bool)) []string {
	var all, folders []string
	for _, f := range r.Files {
		folders = append(folders, filepath.Dir(f.Path))
	}
	folders = append(folders, r.Include...)
	seen := map[string]bool{}
	var look func(folder, content string)
	look = func(folder, content string) {
		for _, found := range named.FindAllStringSubmatch(content, -1) {
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
					look(filepath.Dir(path), content)
				}
			}
		}
	}
	for _, f := range r.Files {
		look(filepath.Dir(f.Path), f.Content)
	}
	return all
}
