package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/design/answers"
	"aiglens/lsp/wire"
	"aiglens/lsp/wire/manifest"
)

// coneLatches is a question that only this test asks: one function, with its words.
func coneLatches(ctx context.Context, a answers.Asked) (answer answers.Answer, err error) {
	if err := a.Design.Elaborate(ctx); err != nil {
		return answer, err
	}
	cone, err := a.Design.Circuit().ConeContext(ctx, a.Property.ID)
	if err != nil {
		return answer, err
	}
	n := len(cone.Latches)
	answer.Text = fmt.Sprintf("%s depends on %s.\n", a.Property.Name, answers.Count(n, "latch", "latches"))
	answer.Data = struct {
		Latches int `json:"latches"`
	}{n}
	return answer, nil
}

// TestAnotherQuestion shows that a further question takes a function and a row of the table: it is
// a command of the shell with help, completion and manual page, a command of the server, and one of
// the editor, in its palette, a menu and on its page.
func TestAnotherQuestion(t *testing.T) {
	before := answers.Table
	t.Cleanup(func() { answers.Table = before })
	row := answers.Row{
		Name: "depends", Summary: "how many latches a property depends on", Of: answers.OfProperty, Ask: coneLatches,
		Title: "Show How Many Latches the Property Depends On", Menu: "aiglens.ask 1@9", Page: "latches of the cone",
	}
	answers.Table = append(slices.Clip(before), row)

	t.Run("shell", func(t *testing.T) {
		s := &surfaces{t: t}
		for _, x := range []struct{ args, want string }{
			{"depends ../../examples/semaphore2.aag", "../../examples/semaphore2.aag\ntwo_at_work depends on 7 latches.\n"},
			{"depends --format json --index bad:0 ../../examples/semaphore2.aag", `{"file":"../../examples/semaphore2.aag","property":"two_at_work","latches":7,"version":"`},
			{"--help", "  depends    show how many latches a property depends on\n"},
			{"completion bash", "'depends --format') words='text json' ;;"},
			{"completion zsh", "'depends:show how many latches a property depends on'"},
			{"completion fish", "-a depends -d 'show how many latches a property depends on'"},
			{"man", ".SS \"aiglens depends\"\n"},
		} {
			if out, said := s.cli(strings.Fields(x.args)...); !strings.Contains(out, x.want) {
				t.Errorf("%s: %q is missing in %s%s", x.args, x.want, out, said)
			}
		}
		if said, _ := s.cli("depends", "--help"); !strings.HasPrefix(said, "usage: aiglens depends [--index bad:0] [--format text|json] [flags] FILE\n\nShow how many") || strings.Contains(said, "--timeout ") {
			t.Errorf("the help of a question that checks nothing: %s", said)
		}
	})

	t.Run("server", func(t *testing.T) {
		s := newSurfaces(t)
		text, err := os.ReadFile("../../examples/semaphore2.aag")
		if err != nil {
			t.Fatal(err)
		}
		u := uri.File("/w/semaphore2.aag")
		s.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": u, "languageId": "aiger", "version": 1, "text": string(text)}})
		var answer wire.Answer
		if err := s.execute("aiglens.depends", wire.PropertyParams{URI: u}, &answer); err != nil || answer.Text != "two_at_work depends on 7 latches.\n" || answer.Property != "bad:0" {
			t.Errorf("%+v, %v", answer, err)
		}
		if err := s.execute("aiglens.depends", wire.PropertyParams{URI: "file:///not/open.aag"}, &answer); err == nil || !strings.Contains(err.Error(), "is not open") {
			t.Errorf("a file that is not open: %v", err)
		}
	})

	t.Run("editor", func(t *testing.T) {
		text, err := os.ReadFile("../../vscode-extension/package.json")
		if err != nil {
			t.Fatal(err)
		}
		written, err := manifest.WithQuestions(string(text), answers.Table)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"        \"command\": \"aiglens.showDepends\",\n        \"category\": \"aiglens Ask\",\n        \"title\": \"Show How Many Latches the Property Depends On\"\n",
			"          \"command\": \"aiglens.showDepends\",\n          \"when\": \"aiglens.hasProperties\"\n",
			"          \"when\": \"editorLangId =~ /^(aiger|blif|btor2)$/ && aiglens.hasProperties\",\n          \"group\": \"1@9\"\n",
		} {
			if !strings.Contains(written, want) {
				t.Errorf("package.json lacks\n%s", want)
			}
		}
		if again, err := manifest.WithQuestions(written, answers.Table); err != nil || again != written {
			t.Errorf("written once more it differs, %v", err)
		}
		if list := manifest.TypeScript(answers.Table); !strings.Contains(list, "{ id: 'aiglens.showDepends', name: 'depends', ask: 'aiglens.depends', about: 'property', page: 'latches of the cone' },\n") {
			t.Errorf("the extension does not register it:\n%s", list)
		}
	})
}
