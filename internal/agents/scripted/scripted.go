// Package scripted is an agent without a model: a program that follows docs/agents.md step by step. It repairs
// circuits and proves properties with what the tools answer. It knows the tools and the texts of AIGER and BLIF, and
// nothing else of this program.
package scripted

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// Tools asks a tool and returns the JSON that it answers.
type Tools func(ctx context.Context, tool string, arguments map[string]any) (json.RawMessage, error)

// Agent asks tools.
type Agent struct {
	Tools Tools
	Calls int // that were made so far
}

// answer is what a tool answers.
type answer struct {
	ExitCode int
	Answers  []json.RawMessage
	Text     string
	Notes    []string
	Files    []struct{ Name, More string }
	More     string
}

// ask asks a tool for all of its answer.
func (a *Agent) ask(ctx context.Context, tool string, arguments map[string]any) (all answer, err error) {
	if all, err = a.askOnce(ctx, tool, arguments); err != nil || all.More == "" {
		return all, err
	}
	var rest strings.Builder
	for more := all.More; more != ""; {
		part, err := a.askOnce(ctx, "more", map[string]any{"of": more})
		if err != nil {
			return all, err
		}
		rest.WriteString(part.Text)
		for _, line := range part.Answers {
			rest.Write(append(line, '\n'))
		}
		more = part.More
	}
	if len(all.Answers) == 0 {
		all.Text += rest.String()
		return all, nil
	}
	for line := range strings.Lines(rest.String()) {
		all.Answers = append(all.Answers, json.RawMessage(line))
	}
	return all, nil
}

func (a *Agent) askOnce(ctx context.Context, tool string, arguments map[string]any) (x answer, err error) {
	a.Calls++
	text, err := a.Tools(ctx, tool, arguments)
	if err == nil {
		err = json.Unmarshal(text, &x)
	}
	if err != nil {
		return x, fmt.Errorf("%s: %w", tool, err)
	}
	if x.ExitCode == exitUsage {
		return x, fmt.Errorf("%s: %s", tool, strings.Join(x.Notes, "; "))
	}
	return x, nil
}

// exitUsage is the exit code of a command that could not do what it was asked.
const exitUsage = 2

// Text returns a file as a text that can be edited.
func (a *Agent) Text(ctx context.Context, file string) (string, error) {
	x, err := a.ask(ctx, "convert", map[string]any{"file": file, "to": "aag"})
	return x.Text, err
}

// verdict is a line of check.
type verdict struct {
	Property struct {
		Kind  string
		Index int
		Name  string
	}
	Verdict string
	Vacuous bool
	Steps   int
}

// linesOf decodes what a tool has answered.
func linesOf[T any](x answer) (all []T, err error) {
	for _, line := range x.Answers {
		var one T
		if err := json.Unmarshal(line, &one); err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		all = append(all, one)
	}
	return all, nil
}
