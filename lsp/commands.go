package lsp

import (
	"context"
	"encoding/json"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/design"
	"aiglens/lsp/rpc"
	"aiglens/lsp/wire"
)

// commandHandler runs one of the commands that a client may execute; see
// docs/protocol.md.
type commandHandler struct {
	name string
	run  func(context.Context, *session, protocol.LSPAny) (protocol.LSPAny, error)
}

// commands are all but those of answers.Table that have no handler of their own.
var commands = [...]commandHandler{
	executed(wire.CommandCheck, executeCheck),
	executed(wire.CommandStop, executeStop),
	executed(wire.CommandCheckWorkspace, executeCheckWorkspace),
	executed(wire.CommandCheckDesign, executeCheckDesign),
	executed(wire.CommandRecheckFailed, executeRecheckFailed),
	executed(wire.CommandProperties, executeProperties),
	executed(wire.CommandCompare, executeCompare),
	executed(wire.CommandExportDifference, executeExportDifference),
	executed(wire.CommandReduce, executeReduce),
	executed(wire.CommandIsolate, executeIsolate),
	executed(wire.CommandSuggest, executeSuggest),
	executed(wire.CommandAddLemmas, executeAddLemmas),
	executed(wire.CommandApplyAction, executeApplyAction),
	executed(wire.CommandAnother, executeAnother),
	executed(wire.CommandProof, executeProof),
	executed(wire.CommandUnneeded, executeUnneeded),
	executed(wire.CommandHistory, executeHistory),
	executed(wire.CommandStats, executeStats),
	executed(wire.CommandDraw, executeDraw),
	executed(wire.CommandStates, executeStates),
	executed(wire.CommandSignalsAt, executeSignalsAt),
	executed(wire.CommandStep, executeStep),
	executed(wire.CommandRadices, executeRadices),
	executed(wire.CommandTrace, executeTrace),
	executed(wire.CommandExportTrace, executeExportTrace),
	executed(wire.CommandImportWitness, executeImportWitness),
	executed(wire.CommandWhy, executeWhy),
	executed(wire.CommandGoToCause, executeGoToCause),
	executed(wire.CommandPlaceText, executeAt),
	executed(wire.CommandLatches, executeLatches),
	executed(wire.CommandGoToLatch, executeGoToLatch),
	executed(wire.CommandPlay, executePlay),
	executed(wire.CommandPlayWhy, executePlayWhy),
	executed(wire.CommandExportRun, executeExportRun),
	executed(wire.CommandReach, executeReach),
}

// executed adapts a function that runs a command.
func executed[P, R any](c wire.Command[P, R], f func(context.Context, *session, *P) (R, error)) commandHandler {
	return commandHandler{c.Name, func(ctx context.Context, s *session, argument protocol.LSPAny) (protocol.LSPAny, error) {
		params, err := rpc.ParamsFromJSON[P](argument)
		if err != nil {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes one argument %s: %v", c.Name, rpc.ShapeOf(new(P)), err)
		}
		answer, err := f(ctx, s, params)
		if err != nil {
			return nil, err
		}
		return protocol.Marshal(&answer)
	}}
}

// ExecuteCommand runs a command.
func (s *server) ExecuteCommand(ctx context.Context, params *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	for _, c := range allCommands() {
		if c.name != params.Command {
			continue
		}
		if n := len(params.Arguments); n != 1 {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes one argument, an object, and got %d", c.name, n)
		}
		if err := refuseClauses(ctx, c.name, params.Arguments[0]); err != nil {
			return nil, err
		}
		return c.run(ctx, s.session, params.Arguments[0])
	}
	return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "unknown command %q", params.Command)
}

// withoutCircuit are the commands that can be run for a file of clauses.
var withoutCircuit = []string{
	wire.CommandCheck.Name, wire.CommandStop.Name, wire.CommandProperties.Name, wire.CommandHistory.Name, wire.CommandApplyAction.Name, wire.CommandPlaceText.Name,
	wire.CommandCheckWorkspace.Name, wire.CommandRecheckFailed.Name, wire.CommandRadices.Name, wire.CommandStats.Name, wire.CommandStep.Name,
	wire.CommandWhy.Name, wire.CommandGoToCause.Name,
}

// refuseClauses is the answer to a question about a circuit of a file that has none.
func refuseClauses(ctx context.Context, command string, argument protocol.LSPAny) error {
	var about struct{ URI uri.URI }
	if slices.Contains(withoutCircuit, command) || json.Unmarshal(argument, &about) != nil {
		return nil
	}
	if v, ok := snapshotFrom(ctx).views[about.URI]; ok && design.HasClauses(v.doc) {
		return refused(design.ErrClauses)
	}
	return nil
}

// refuseUntrusted is the answer to a request for a check in folders that the user does not
// trust.
func refuseUntrusted(ctx context.Context) error {
	if snapshotFrom(ctx).settings.IsTrusted() {
		return nil
	}
	return jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), "nothing is checked in a folder that is not trusted; trust the folder in the editor first")
}

// refused is the answer to a request that was understood and cannot be done.
func refused(err error) error { return refusedWith(err, nil) }

// refusedWith is refused with data for the client; nil for none.
func refusedWith(err error, data any) error {
	refusal := &jsonrpc2.Error{Code: jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), Message: err.Error()}
	if data != nil {
		refusal.Data, _ = json.Marshal(data) // what is of package wire always encodes
	}
	return refusal
}
