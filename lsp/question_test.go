package lsp

import (
	"context"
	"fmt"
	"testing"

	"go.lsp.dev/protocol"

	"aiglens/design"
	"aiglens/lsp/wire"
)

// freeLatches is a question that only this test asks: its function and its words.
func freeLatches(ctx context.Context, d *design.Design) (string, error) {
	if err := d.Elaborate(ctx); err != nil {
		return "", err
	}
	n := 0
	for _, l := range d.Circuit().Latches() {
		if l.IsFree() {
			n++
		}
	}
	return fmt.Sprintf("%d of %d latches have no reset", n, len(d.Circuit().Latches())), nil
}

// TestAnotherQuestion shows that a further question takes a function below design and a row of the
// table of commands.
func TestAnotherQuestion(t *testing.T) {
	type message struct {
		Text string `json:"text"`
	}
	question := wire.Command[wire.FileParams, message]{Name: "aiglens.freeLatches"}
	row := executed(question, func(ctx context.Context, _ *session, params *wire.FileParams) (answer message, err error) {
		v, err := openView(ctx, question.Name, params.URI)
		if err != nil {
			return answer, err
		}
		answer.Text, err = freeLatches(ctx, v.doc)
		return answer, err
	})
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.open(doc, "aag 2 0 2 0 0\n2 2 2\n4 4\n")
	var ready []wire.PropertyStatus // answered once the text is there
	b.MustCall("workspace/executeCommand", command(wire.CommandProperties.Name, wire.FileParams{URI: doc}), &ready)
	ask := func(argument string) (string, error) {
		given, err := protocol.Marshal(map[string]string{"uri": argument})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := row.run(withSnapshot(t.Context(), b.server.session.snapshot.Load()), b.server.session, protocol.LSPAny(given))
		return string(answer), err
	}
	if got, err := ask(string(doc)); err != nil || got != `{"text":"1 of 2 latches have no reset"}` {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := ask("file:///not/open.aag"); err == nil {
		t.Error("a file that is not open has an answer")
	}
}
