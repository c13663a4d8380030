package lsp

import (
	"context"
	"encoding/json"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"aiglens/lsp/position"
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
	protocol.MethodTextDocumentReferences:             rpc.Request(protocol.Server.References),
	protocol.MethodTextDocumentDocumentHighlight:      rpc.Request(protocol.Server.DocumentHighlight),
	protocol.MethodTextDocumentDocumentSymbol:         rpc.Request(protocol.Server.DocumentSymbol),
	protocol.MethodTextDocumentCodeLens:               rpc.Request(protocol.Server.CodeLens),
	protocol.MethodCodeLensResolve:                    rpc.Request(protocol.Server.CodeLensResolve),
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
	wire.NotificationCursor.Name: cursor,
}

func ignored(context.Context, protocol.Server, []byte) (any, error) { return nil, nil }

func newDispatcher(s *session, leave func()) *rpc.Dispatcher {
	return &rpc.Dispatcher{
		Server: &server{session: s}, Methods: methods, Log: s.log, OnPanic: s.handlerPanicked, OnExit: leave,
		HasRoom: s.outbox.HasRoom, Refuse: s.refuse, Prepare: s.prepare,
		Pin: func(ctx context.Context) context.Context { return withSnapshot(ctx, s.snapshot.Load()) },
	}
}

// prepare waits until the text that a request is about has been read, for which other
// files may be needed: nobody else shall wait for their disk, and the waiting can be
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
			s.awaitText(ctx, params)
		}
		return rpc.Patient
	}
	hasModels := s.awaitText(ctx, params)
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

// awaitText waits until the pinned text has been read that parameters are about. It reports
// whether that may use models of other files.
func (s *session) awaitText(ctx context.Context, params []byte) (hasModels bool) {
	key := documentOf(params)
	v, ok := snapshotFrom(ctx).views[key]
	if !ok || !v.doc.HasModels() {
		return false
	}
	s.texts.wait(ctx, key, v)
	return true
}

// refuse is the answer to a request that a client which does not read cannot be given:
// an error that people are told of where they have asked for something, else one on which
// clients keep what they show. Lenses and hints are asked for again, and colours and folds
// where it was them: else an editor asks again at the next edit only.
func (s *session) refuse(method, reason string) error {
	method = strings.Clone(method) // it lies in a buffer that the next messages are read into
	s.post(func() {
		s.askForLenses(lensChanged)
		s.askForHints()
		switch method {
		case protocol.MethodTextDocumentSemanticTokensFull, protocol.MethodTextDocumentSemanticTokensRange:
			if s.client.refreshesTokens {
				s.refreshes.Mark(protocol.MethodWorkspaceSemanticTokensRefresh, struct{}{})
			}
		case protocol.MethodTextDocumentFoldingRange:
			if s.client.refreshesFolds {
				s.refreshes.Mark(protocol.MethodWorkspaceFoldingRangeRefresh, struct{}{})
			}
		}
	})
	switch method {
	case protocol.MethodWorkspaceExecuteCommand, wire.RequestDecoded.Name, protocol.MethodTextDocumentRename, protocol.MethodTextDocumentFormatting:
		return jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), reason)
	}
	return jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesServerCancelled), reason)
}

// Initialize answers with what the server can do.
func (s *server) Initialize(_ context.Context, params *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	client := clientFromCapabilities(params.Capabilities)
	s.log.Debug("initialize", zap.String("client", params.ClientInfo.Name), zap.String("encoding", string(client.encoding)))
	s.owner.Do(func() {
		s.client = client
		s.index.Begin(client.encoding, workspaceFolders(params))
		if len(params.InitializationOptions) > 0 {
			s.applySettings(params.InitializationOptions)
		}
	})
	if params.ProcessID != nil && *params.ProcessID > 0 {
		go func() {
			if rpc.WaitForProcess(s.ctx, int(*params.ProcessID)) == nil {
				s.leave()
			}
		}()
	}
	return &protocol.InitializeResult{
		Capabilities: capabilities(client),
		ServerInfo:   protocol.ServerInfo{Name: "aiglens", Version: protocol.NewOptional(s.opts.Version)},
	}, nil
}

func capabilities(client clientSide) protocol.ServerCapabilities {
	yes, sync := true, protocol.TextDocumentSyncKindIncremental
	can := protocol.ServerCapabilities{
		PositionEncoding:          client.encoding,
		TextDocumentSync:          &protocol.TextDocumentSyncOptions{OpenClose: &yes, Change: &sync, Save: protocol.Boolean(true)},
		HoverProvider:             protocol.Boolean(true),
		DefinitionProvider:        protocol.Boolean(true),
		ReferencesProvider:        protocol.Boolean(true),
		DocumentHighlightProvider: protocol.Boolean(true),
		DocumentSymbolProvider:    protocol.Boolean(true),
		CodeLensProvider:          &protocol.CodeLensOptions{ResolveProvider: &client.status},
		InlayHintProvider:         protocol.Boolean(true),
		SemanticTokensProvider:    tokenOptions(),
		CallHierarchyProvider:     protocol.Boolean(true),
		FoldingRangeProvider:      protocol.Boolean(true),
		SelectionRangeProvider:    protocol.Boolean(true),
		DocumentLinkProvider:      &protocol.DocumentLinkOptions{},
		WorkspaceSymbolProvider:   protocol.Boolean(true),
		Workspace:                 workspaceOptions(),
		CodeActionProvider: &protocol.CodeActionOptions{
			CodeActionKinds: []protocol.CodeActionKind{
				protocol.CodeActionKindQuickFix, protocol.CodeActionKindEmpty, protocol.CodeActionKindSourceFixAll,
				protocol.CodeActionKindRefactor, kindSource,
			},
			ResolveProvider: &yes,
		},
	}
	for _, c := range commands {
		can.ExecuteCommandProvider.Commands = append(can.ExecuteCommandProvider.Commands, c.name)
	}
	changeCapabilities(&can)
	return can
}

// Initialized asks for what may only be asked for now.
func (s *server) Initialized(context.Context, *protocol.InitializedParams) error {
	s.owner.Do(func() {
		if s.initialized {
			return
		}
		s.initialized = true
		if s.client.watchesSettings {
			s.background(s.registerForSettings)
		}
		if s.client.configuration {
			s.askForSettings()
		}
		if s.client.watchesFiles {
			s.background(s.registerForFiles)
			s.watchFiles()
		}
	})
	return nil
}

// Shutdown stops all checks and analyses. The connection stays until exit.
func (s *server) Shutdown(context.Context) error {
	s.owner.Do(func() {
		s.stopAll()
		for _, f := range s.files {
			f.stopAnalysis()
			f.leaveText()
		}
	})
	return nil
}

// SetTrace accepts the setting; there is no trace beside the log.
func (s *server) SetTrace(context.Context, *protocol.SetTraceParams) error { return nil }

// clientSide is what the client told about itself.
type clientSide struct {
	changingClient
	encoding         protocol.PositionEncodingKind
	codeLens         bool
	refreshesLenses  bool
	progress         bool
	showsDocuments   bool
	configuration    bool
	watchesSettings  bool
	related          bool
	snippets         bool // fills in the places of a completion
	refreshesHints   bool
	refreshesTokens  bool
	refreshesFolds   bool
	tokenRanges      bool // asks for the tokens of a part of a file
	watchesFiles     bool
	relativePatterns bool // of files to watch
	describesCodes   bool
	status           bool // is told the status of properties
	offers           commandSet
}

func clientFromCapabilities(c protocol.ClientCapabilities) clientSide {
	is := func(b *bool) bool { return b != nil && *b }
	client := clientSide{changingClient: changingClientFromCapabilities(c), encoding: position.ChooseEncoding(nil)}
	if g := c.General; g != nil {
		client.encoding = position.ChooseEncoding(g.PositionEncodings)
	}
	if t := c.TextDocument; t != nil {
		client.codeLens = t.CodeLens != nil
		client.snippets = t.Completion != nil && is(t.Completion.CompletionItem.SnippetSupport)
		client.related = t.PublishDiagnostics != nil && is(t.PublishDiagnostics.RelatedInformation)
		client.describesCodes = t.PublishDiagnostics != nil && is(t.PublishDiagnostics.CodeDescriptionSupport)
		ranges, isFlag := t.SemanticTokens.Requests.Range.(protocol.Boolean)
		client.tokenRanges = t.SemanticTokens.Requests.Range != nil && (!isFlag || bool(ranges))
	}
	if w := c.Window; w != nil {
		client.progress = is(w.WorkDoneProgress)
		client.showsDocuments = w.ShowDocument != nil && w.ShowDocument.Support
	}
	if w := c.Workspace; w != nil {
		client.refreshesLenses = w.CodeLens != nil && is(w.CodeLens.RefreshSupport)
		client.refreshesHints = w.InlayHint != nil && is(w.InlayHint.RefreshSupport)
		client.refreshesTokens = w.SemanticTokens != nil && is(w.SemanticTokens.RefreshSupport)
		client.refreshesFolds = w.FoldingRange != nil && is(w.FoldingRange.RefreshSupport)
		client.watchesFiles = w.DidChangeWatchedFiles != nil && is(w.DidChangeWatchedFiles.DynamicRegistration)
		client.relativePatterns = client.watchesFiles && is(w.DidChangeWatchedFiles.RelativePatternSupport)
		client.configuration = is(w.Configuration)
		client.watchesSettings = w.DidChangeConfiguration != nil && is(w.DidChangeConfiguration.DynamicRegistration)
	}
	var experimental wire.ExperimentalCapabilities
	if len(c.Experimental) > 0 && json.Unmarshal(c.Experimental, &experimental) == nil {
		client.status = experimental.Aiglens.Status
		client.offers = offersOf(experimental.Aiglens.Commands)
	}
	return client
}
