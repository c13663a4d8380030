package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestHelixAndZed: the languages of both editors are those of Vim, by the ids that the server knows, with the same endings.
func TestHelixAndZed(t *testing.T) {
	read := func(parts ...string) string {
		text, err := os.ReadFile(shipped(t, parts...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	list := func(text, key string) []string {
		found := regexp.MustCompile(`(?m)^` + key + ` = \[(.*)\]$`).FindStringSubmatch(text)
		if found == nil {
			return nil
		}
		return strings.Split(strings.ReplaceAll(found[1], `"`, ""), ", ")
	}
	word := func(text, key string) string {
		found := regexp.MustCompile(`(?m)^` + key + ` = "(.*)"$`).FindStringSubmatch(text)
		if found == nil {
			return ""
		}
		return found[1]
	}
	extension := read("zed", "extension.toml")
	helix := strings.Split(read("helix", "languages.toml"), "[[language]]\n")[1:]
	detected := regexp.MustCompile(`BufNewFile (\S+) setfiletype (\w+)`).FindAllStringSubmatch(read("vim", "ftdetect", "aiglens.vim"), -1)
	if len(detected) < 3 || len(helix) != len(detected) || len(list(extension, "languages")) != len(detected) {
		t.Fatalf("Vim has %d languages, Helix %d, Zed %q", len(detected), len(helix), list(extension, "languages"))
	}
	for _, found := range detected {
		endings, id := strings.Split(strings.ReplaceAll(found[1], "*.", ""), ","), found[2]
		at := slices.IndexFunc(helix, func(text string) bool { return word(text, "name") == id })
		if at < 0 || !slices.Equal(list(helix[at], "file-types"), endings) || !slices.Equal(list(helix[at], "language-servers"), []string{"aiglens"}) {
			t.Errorf("%s in Helix: %q", id, helix)
		}
		config := read("zed", "languages", id, "config.toml")
		name := word(config, "name")
		if !slices.Equal(list(config, "path_suffixes"), endings) || !slices.Contains(list(extension, "languages"), name) || word(extension, name) != id {
			t.Errorf("%s in Zed: %s\n%s", id, config, extension)
		}
	}
}
