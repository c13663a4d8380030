package lsp

import (
	"context"
	"errors"
	"slices"

	"aiglens/circuit"
	"aiglens/design/answers"
	"aiglens/lsp/wire"
)

// allCommands returns the commands, and those of the table of questions that are not among them.
func allCommands() []commandHandler {
	all := commands[:]
	for _, row := range answers.Table {
		if !slices.ContainsFunc(all, func(c commandHandler) bool { return c.name == row.ServerCommand() }) {
			all = append(slices.Clip(all), executed(wire.Command[wire.PropertyParams, wire.Answer]{Name: row.ServerCommand()}, question(row)))
		}
	}
	return all
}

// question returns a function that answers a question of the table, about the property that is named.
// Without one it is about the first where any property will do, and else refused.
func question(row answers.Row) func(context.Context, *session, *wire.PropertyParams) (wire.Answer, error) {
	return func(ctx context.Context, _ *session, params *wire.PropertyParams) (none wire.Answer, err error) {
		v, ids, err := propertiesFrom(ctx, row.ServerCommand(), *params)
		if err != nil {
			return none, err
		}
		asked := answers.Asked{Design: v.doc}
		switch row.Of {
		case answers.OfFile:
		case answers.OfProperty:
			if ids = v.orAll(ids); len(ids) == 0 {
				return none, refused(errors.New("the file has no property"))
			}
			asked = v.firstFor(row.Of, ids)
		default:
			asked = v.firstFor(row.Of, ids)
		}
		found, err := row.Ask(ctx, asked)
		switch {
		case ctx.Err() != nil:
			return none, ctx.Err()
		case err != nil:
			return none, refused(err)
		}
		return answerMessage(v, snapshotFrom(ctx), asked.Property, found), nil
	}
}

// firstFor returns the first of some properties that a question can be asked about; where there is
// none, no property and no result.
func (v *view) firstFor(of answers.About, ids []circuit.Property) answers.Asked {
	for _, id := range ids {
		if r, ok := v.status(id).ResultFor(of); ok {
			p, _ := v.doc.Property(id)
			return answers.Asked{Design: v.doc, Property: p, Result: r}
		}
	}
	return answers.Asked{Design: v.doc}
}
