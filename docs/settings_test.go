package docs

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write settings.md")

// setting is one of the manifest.
type setting struct {
	Default      any      `json:"default"`
	Enum         []string `json:"enum"`
	EnumSays     []string `json:"enumDescriptions"`
	MarkdownSays []string `json:"markdownEnumDescriptions"`
	Description  string   `json:"markdownDescription"`
	Minimum      *float64 `json:"minimum"`
	Maximum      *float64 `json:"maximum"`
	Order        int      `json:"order"`
}

// TestSettings: settings.md is what the manifest of the extension says.
// go test ./docs -run TestSettings -update writes it.
func TestSettings(t *testing.T) {
	text, err := os.ReadFile("../vscode-extension/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Contributes struct {
			Configuration []struct {
				Title      string             `json:"title"`
				Properties map[string]setting `json:"properties"`
			} `json:"configuration"`
		} `json:"contributes"`
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	want.WriteString(`# Settings

<!-- written by go test ./docs -run TestSettings -update -->

These are the settings of VS Code. [Other editors](editors.md#settings) use them without the prefix ` + "`aiglens.`" + `,
where [the server takes them](protocol.md#settings).
`)
	count := 0
	for _, group := range manifest.Contributes.Configuration {
		fmt.Fprintf(&want, "\n## %s\n\n| setting | default | meaning |\n| --- | --- | --- |\n", group.Title)
		names := make([]string, 0, len(group.Properties))
		for name := range group.Properties {
			names = append(names, name)
		}
		slices.SortFunc(names, func(a, b string) int { return group.Properties[a].Order - group.Properties[b].Order })
		for _, name := range names {
			count++
			s := group.Properties[name]
			fmt.Fprintf(&want, "| `%s` | %s | %s |\n", name, s.initial(), s.meaning())
		}
	}
	if count < 30 {
		t.Fatalf("%d settings: the test does not read the manifest", count)
	}
	if *update {
		if err := os.WriteFile("settings.md", want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("settings.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Error("settings.md differs from the manifest: go test ./docs -run TestSettings -update writes it")
	}
}

// initial is the default, "" where it is empty.
func (s *setting) initial() string {
	switch value := s.Default.(type) {
	case []any:
		all := make([]string, len(value))
		for i, v := range value {
			all[i] = fmt.Sprintf("`%v`", v)
		}
		return strings.Join(all, ", ")
	case string:
		if value == "" {
			return ""
		}
	}
	return fmt.Sprintf("`%v`", s.Default)
}

var settingLink = regexp.MustCompile("`#([a-zA-Z.]+)#`")

// meaning is the description, then what each value means, or the range.
func (s *setting) meaning() string {
	text := settingLink.ReplaceAllString(s.Description, "`$1`")
	says := s.MarkdownSays
	if says == nil {
		says = s.EnumSays
	}
	for i, value := range s.Enum {
		text += fmt.Sprintf("<br>`%s`", value)
		if i < len(says) {
			text += ": " + says[i]
		}
	}
	if s.Minimum != nil && s.Maximum != nil {
		text += fmt.Sprintf(" %v to %v.", *s.Minimum, *s.Maximum)
	}
	return strings.ReplaceAll(text, "|", `\|`)
}
