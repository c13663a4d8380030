package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// kateMode is a file of KSyntaxHighlighting, as far as it is looked at.
type kateMode struct {
	Name       string `xml:"name,attr"`
	Extensions string `xml:"extensions,attr"`
	Contexts   []struct {
		Name      string `xml:"name,attr"`
		Attribute string `xml:"attribute,attr"`
		Next      string `xml:"lineEndContext,attr"`
		Rules     []struct {
			XMLName   xml.Name
			Attribute string `xml:"attribute,attr"`
			Context   string `xml:"context,attr"`
			Pattern   string `xml:"String,attr"`
		} `xml:",any"`
	} `xml:"highlighting>contexts>context"`
	Items []struct {
		Name string `xml:"name,attr"`
	} `xml:"highlighting>itemDatas>itemData"`
}

// TestKate: the setup of the server names the modes of the files, which Kate chooses by the endings that
// Vim goes by, and each context and style of a mode is defined.
func TestKate(t *testing.T) {
	var setup struct {
		Servers map[string]struct {
			HighlightingModeRegex string
		}
	}
	text, err := os.ReadFile(shipped(t, "kate", "lspclient.json"))
	if err != nil || json.Unmarshal(text, &setup) != nil {
		t.Fatalf("lspclient.json: %v", err)
	}
	detect, err := os.ReadFile(shipped(t, "vim", "ftdetect", "aiglens.vim"))
	if err != nil {
		t.Fatal(err)
	}
	for name, server := range setup.Servers {
		text, err := os.ReadFile(shipped(t, "kate", name+".xml"))
		if err != nil {
			t.Fatal(err)
		}
		var mode kateMode
		if err := xml.Unmarshal(text, &mode); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !regexp.MustCompile(server.HighlightingModeRegex).MatchString(mode.Name) {
			t.Errorf("the server of %s is for %s, and the mode is %s", name, server.HighlightingModeRegex, mode.Name)
		}
		if endings := strings.ReplaceAll(mode.Extensions, ";", ","); !strings.Contains(string(detect), " "+endings+" setfiletype "+name+"\n") {
			t.Errorf("%s is for %s, in Vim for %s", name, endings, detect)
		}
		var styles, contexts []string
		for _, i := range mode.Items {
			styles = append(styles, i.Name)
		}
		for _, c := range mode.Contexts {
			contexts = append(contexts, c.Name)
		}
		isContext := func(name string) bool { return strings.HasPrefix(name, "#") || slices.Contains(contexts, name) }
		for _, c := range mode.Contexts {
			if !isContext(c.Next) || !slices.Contains(styles, c.Attribute) {
				t.Errorf("%s, context %s: %q after a line, style %q", name, c.Name, c.Next, c.Attribute)
			}
			for _, r := range c.Rules {
				if !isContext(r.Context) || r.XMLName.Local != "IncludeRules" && !slices.Contains(styles, r.Attribute) {
					t.Errorf("%s, context %s: a rule to %q, style %q", name, c.Name, r.Context, r.Attribute)
				}
			}
		}
	}
}
