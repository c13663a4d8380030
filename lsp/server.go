package lsp

import (
	"context"
	"encoding/json"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"aiglens/lsp/rpc"
	"aiglens/lsp/wire"
)

// server is the session as the methods of the protocol.
type server struct {
	protocol.UnimplementedServer
	*session
}

var _ protocol.Server = (*server)(nil)

// methods are the messages that the server understands.
var methods = map[string]rpc.Method{
	protocol.MethodInitialize:                         rpc.Request(protocol.Server.Initialize),
	protocol.MethodInitialized:                        rpc.Notification(protocol.Server.Initialized),
	protocol.MethodShutdown:                           func(ctx context.Context, s protocol.Server, _ []byte) (any, error) { return nil, s.Shutdown(ctx) },
	protocol.MethodSetTrace:                           rpc.Notification(protocol.Server.SetTrace),
	protocol.MethodWindowWorkDoneProgressCancel:       rpc.Notification(protocol.Server.WorkDoneProgressCancel),
	protocol.MethodWorkspaceDidChangeConfiguration:    rpc.Notification(protocol.Server.DidChangeConfiguration),
	protocol.MethodTextDocumentDidOpen:                didOpen,
	protocol.MethodTextDocumentDidChange:              didChange,
	protocol.MethodTextDocumentDidSave:                rpc.Notification(protocol.Server.DidSave),
	protocol.MethodTextDocumentDidClose:               rpc.Notification(protocol.Server.DidClose),
	protocol.MethodTextDocumentHover:                  rpc.Request(protocol.Server.Hover),
	protocol.MethodTextDocumentDefinition:             rpc.Request(protocol.Server.Definition),
	protocol.MethodTextDocumentDeclaration:            rpc.Request(protocol.Server.Declaration),
	protocol.MethodTextDocumentImplementation:         rpc.Request(protocol.Server.Implementation),
	protocol.MethodTextDocumentReferences:             rpc.Request(protocol.Server.References),
	protocol.MethodTextDocumentDocumentHighlight:      rpc.Request(protocol.Server.DocumentHighlight),
	protocol.MethodTextDocumentDocumentSymbol:         rpc.Request(protocol.Server.DocumentSymbol),
	protocol.MethodTextDocumentCodeLens:               rpc.Request(protocol.Server.CodeLens),
	protocol.MethodTextDocumentSignatureHelp:          rpc.Request(protocol.Server.SignatureHelp),
	protocol.MethodTextDocumentInlayHint:              rpc.Request(protocol.Server.InlayHint),
	protocol.MethodTextDocumentSemanticTokensFull:     rpc.Request(protocol.Server.SemanticTokensFull),
	protocol.MethodTextDocumentSemanticTokensRange:    rpc.Request(protocol.Server.SemanticTokensRange),
	protocol.MethodTextDocumentPrepareCallHierarchy:   rpc.Request(protocol.Server.PrepareCallHierarchy),
	protocol.MethodCallHierarchyIncomingCalls:         rpc.Request(protocol.Server.IncomingCalls),
	protocol.MethodCallHierarchyOutgoingCalls:         rpc.Request(protocol.Server.OutgoingCalls),
	protocol.MethodTextDocumentFoldingRange:           rpc.Request(protocol.Server.FoldingRanges),
	protocol.MethodTextDocumentSelectionRange:         rpc.Request(protocol.Server.SelectionRange),
	protocol.MethodTextDocumentDocumentLink:           rpc.Request(protocol.Server.DocumentLink),
	protocol.MethodWorkspaceSymbol:                    rpc.Request(protocol.Server.Symbols),
	protocol.MethodTextDocumentCodeAction:             rpc.Request(protocol.Server.CodeAction),
	protocol.MethodCodeActionResolve:                  rpc.Request(protocol.Server.CodeActionResolve),
	protocol.MethodTextDocumentPrepareRename:          rpc.Request(protocol.Server.PrepareRename),
	protocol.MethodTextDocumentRename:                 rpc.Request(protocol.Server.Rename),
	protocol.MethodTextDocumentCompletion:             rpc.Request(protocol.Server.Completion),
	protocol.MethodCompletionItemResolve:              rpc.Request(protocol.Server.CompletionResolve),
	protocol.MethodTextDocumentFormatting:             rpc.Request(protocol.Server.Formatting),
	protocol.MethodTextDocumentOnTypeFormatting:       rpc.Request(protocol.Server.OnTypeFormatting),
	protocol.MethodWorkspaceExecuteCommand:            rpc.Request(protocol.Server.ExecuteCommand),
	protocol.MethodWorkspaceDidChangeWorkspaceFolders: rpc.Notification(protocol.Server.DidChangeWorkspaceFolders),
	protocol.MethodWorkspaceDidChangeWatchedFiles:     rpc.Notification(protocol.Server.DidChangeWatchedFiles),
	protocol.MethodTextDocumentWillSave:               ignored,
	protocol.MethodProgress:                           ignored,

	wire.RequestDecoded.Name:     rpc.Declared(decoded),
	wire.RequestNotes.Name:       rpc.Declared(notesOf),
	wire.RequestAt.Name:          rpc.Declared(placeAt),
	wire.NotificationCursor.Name: cursor,
}

func ignored(context.Context, protocol.Server, []byte) (any, error) { return nil, nil }

func newDispatcher(s *session, leave func()) *rpc.Dispatcher {
	return &rpc.Dispatcher{
		Server: &server{session: s}, Methods: methods, Log: s.log, OnPanic: s.handlerPanicked, OnExit: leave,
		HasRoom: s.outbox.HasRoom, Refuse: s.refuse, Prepare: s.prepare,
		Pin: func(ctx context.Context) context.Context {
			return withSnapshot(s.asked.numbered(ctx), s.snapshot.Load())
		},
	}
}

// prepare waits until the text that a request is about has been read, for which other
// files may be needed: other requests shall not wait for their disk, and the waiting can be
// cancelled, which reading cannot. It returns the turn that the request takes then.
func (s *session) prepare(ctx context.Context, method string, params []byte) rpc.Turn {
	switch method {
	case wire.RequestDecoded.Name:
		return rpc.Patient
	case protocol.MethodWorkspaceExecuteCommand:
		var run struct{ Command string }
		_ = json.Unmarshal(params, &run) // the command says what is wrong
		switch run.Command {
		case wire.CommandStop.Name:
			return rpc.AtOnce
		case wire.CommandCheck.Name: // waits by itself, and a stop ends that
		default:
			s.texts.awaitText(ctx, params)
		}
		return rpc.Patient
	}
	hasModels := s.texts.awaitText(ctx, params)
	switch method {
	case protocol.MethodTextDocumentDocumentLink, protocol.MethodWorkspaceSymbol,
		protocol.MethodCallHierarchyIncomingCalls, protocol.MethodCallHierarchyOutgoingCalls:
		return rpc.Reading
	}
	if hasModels { // what is looked up there may lie in a further file
		return rpc.Reading
	}
	return rpc.Computing
}

// refuse is the answer to a request that a client which does not read cannot be given:
// an error that people are told of where they have asked for something, else one on which
// clients keep what they show. Lenses and hints are asked for again, and colours and folds
// where it was them: else an editor asks again at the next edit only.
func (s *session) refuse(method, reason string) error {
	method = strings.Clone(method) // it lies in a buffer that the next messages are read into
	s.post(func() {
		s.publishing.askForLenses(lensChanged)
		s.publishing.askForHints()
		switch method {
		case protocol.MethodTextDocumentSemanticTokensFull, protocol.MethodTextDocumentSemanticTokensRange:
			if s.client.refreshesTokens {
				s.publishing.refreshes.Mark(protocol.MethodWorkspaceSemanticTokensRefresh, struct{}{})
			}
		case protocol.MethodTextDocumentFoldingRange:
			if s.client.refreshesFolds {
				s.publishing.refreshes.Mark(protocol.MethodWorkspaceFoldingRangeRefresh, struct{}{})
			}
		}
	})
	switch method {
	case protocol.MethodWorkspaceExecuteCommand, wire.RequestDecoded.Name, protocol.MethodTextDocumentRename, protocol.MethodTextDocumentFormatting:
		return jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), reason)
	}
	return jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesServerCancelled), reason)
}
