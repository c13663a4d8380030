package debug

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/verilogdesign"
	"aiglens/internal/source"
	"aiglens/internal/synthesis"
	"aiglens/internal/thread"
)

// verilogArguments say what reads Verilog.
type verilogArguments struct {
	Yosys string `json:"yosys"`
}

// synthesisLimit is how long Yosys may take.
const synthesisLimit = 2 * time.Minute

// readVerilog has Yosys read the design that a source belongs to.
func (a launchArguments) readVerilog(ctx context.Context, path string) (found text, err error) {
	c, err := synthesis.ConfigOf(path, func(path string) ([]byte, error) { return a.readFile(ctx, path) })
	if err != nil {
		return found, err
	}
	r := synthesis.Request{
		Program: a.Verilog.Yosys, Option: `"verilog": {"yosys": …} of the launch configuration`,
		Top: c.Top, Defines: c.DefineList(), Include: c.Include,
	}
	texts := map[string]string{}
	for name, text := range a.Texts {
		texts[pathOf(name)] = text
	}
	if a.Text != nil {
		texts[path] = *a.Text
	}
	var sources []verilogdesign.Source
	for _, name := range c.Sources {
		content, isGiven := texts[name]
		if !isGiven {
			data, err := a.readFile(ctx, name)
			if err != nil {
				return found, err
			}
			content = string(data)
		}
		r.Files = append(r.Files, synthesis.File{Path: name, Content: content})
		sources = append(sources, verilogdesign.Source{Path: name, Text: source.NewText(content)})
	}
	late := fmt.Errorf("%s: Yosys did not finish within %v", a.Program, synthesisLimit)
	within, stop := thread.WithTimeoutCause(ctx, synthesisLimit, late)
	defer stop()
	out, err := synthesis.Run(within, r)
	if err != nil {
		if ctx.Err() == nil && within.Err() != nil {
			return found, late
		}
		return found, a.unread(err)
	}
	s, err := verilogdesign.NewSynthesis(sources, out, c.Reset)
	if err != nil {
		return found, a.unread(err)
	}
	found = text{doc: verilogdesign.New(s, path, true), elsewhere: map[string]*design.Design{}, places: map[circuit.Property]place{}}
	for _, f := range sources {
		if f.Path == path {
			continue
		}
		doc := verilogdesign.New(s, f.Path, false)
		if err := doc.Elaborate(ctx); err != nil {
			return found, err
		}
		found.elsewhere[f.Path] = doc
		for _, p := range doc.Properties() {
			if p.Row.Length > 0 {
				found.places[p.ID] = place{f.Path, f.Text, p.Row}
			}
		}
	}
	return found, nil
}

// unread says why Yosys has not read a design, with the first error that it has named.
func (a launchArguments) unread(err error) error {
	if failure, ok := errors.AsType[*synthesis.Failure](err); ok {
		for _, m := range failure.Said {
			if m.IsError && m.Path != "" {
				return fmt.Errorf("%s:%d: %s", m.Path, m.Line, m.Text)
			}
		}
	}
	return fmt.Errorf("%s: %w", a.Program, err)
}
