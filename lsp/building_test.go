package lsp

import (
	"context"
	"strings"
	"testing"
	"time"

	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/lsp/lsptest/toy"
)

// building is a syntax whose circuit is not done before its context ends, where the text
// is one of a slow circuit.
type building struct {
	design.Syntax
	slow         bool
	begun, ended chan struct{}
}

func (b building) Elaborate(ctx context.Context) (design.Elaboration, error) {
	if !b.slow {
		return b.Syntax.Elaborate(ctx)
	}
	b.begun <- struct{}{}
	<-ctx.Done()
	b.ended <- struct{}{}
	return nil, ctx.Err()
}

// TestBuildingEnds: the building of a circuit ends when the text is edited, the file is
// closed, or the server shuts down, but for a text that was saved and is to be checked;
// the next text is analysed and checked as ever.
func TestBuildingEnds(t *testing.T) {
	begun, ended := make(chan struct{}, 100), make(chan struct{}, 100)
	format := *toy.Format
	format.Parse = func(in design.Unparsed) design.Syntax {
		slow := strings.HasPrefix(in.Text.Content(), "input slow\n")
		if before, ok := in.Before.(building); ok {
			in.Before = before.Syntax
		}
		return building{toy.Format.Parse(in), slow, begun, ended}
	}
	await := func(what string, c chan struct{}) {
		t.Helper()
		select {
		case <-c:
		case <-time.After(time.Minute):
			t.Fatalf("%s: nothing has happened", what)
		}
	}
	b := newBench(t, explicit, func(o *Options) { o.Formats = append(formats.All(), &format) })
	b.Initialize(capable, nil)
	const slow, name = "input slow\nlatch l slow\nbad l\n", "file:///a.toy"
	b.openAs("toy", name, slow)
	await("open", begun)
	b.replace(name, 2, slow+"# more\n")
	await("edit", ended)
	await("the next text", begun)
	b.replace(name, 3, toyText)
	await("a text that is soon done", ended)
	b.save(name)
	b.awaitTitles(name, "verdicts", func(titles []string) bool { return len(titles) == 2 && titles[0] != "check" })
	b.replace(name, 4, slow)
	await("slow again", begun)
	b.save(name) // which is to be checked whatever is typed
	b.replace(name, 5, toyText)
	b.awaitTitles(name, "old verdicts", func(titles []string) bool { return len(titles) == 2 })
	select {
	case <-ended: // before the check of the saved text came to it, which then begins again
		await("the saved text, although typing went on", begun)
	default:
	}
	b.Notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": name}})
	await("close", ended)
	b.openAs("toy", name, slow)
	await("open again", begun)
	if err := b.Call("shutdown", nil, nil); err != nil {
		t.Fatal(err)
	}
	await("shutdown", ended)
	for range len(begun) {
		await("all that was begun", ended)
	}
}
