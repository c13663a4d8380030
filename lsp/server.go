package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"aiglens/lsp/position"
	"aiglens/lsp/wire"
)

// server is the session as the methods of the protocol.
type server struct {
	protocol.UnimplementedServer
	*session
}

var _ protocol.Server = (*server)(nil)

// methods are the messages that the server understands.
var methods = map[string]method{
	protocol.MethodInitialize:                         request(protocol.Server.Initialize),
	protocol.MethodInitialized:                        notification(protocol.Server.Initialized),
	protocol.MethodShutdown:                           func(ctx context.Context, s protocol.Server, _ []byte) (any, error) { return nil, s.Shutdown(ctx) },
	protocol.MethodSetTrace:                           notification(protocol.Server.SetTrace),
	protocol.MethodWindowWorkDoneProgressCancel:       notification(protocol.Server.WorkDoneProgressCancel),
	protocol.MethodWorkspaceDidChangeConfiguration:    notification(protocol.Server.DidChangeConfiguration),
	protocol.MethodTextDocumentDidOpen:                didOpen,
	protocol.MethodTextDocumentDidChange:              didChange,
	protocol.MethodTextDocumentDidSave:                notification(protocol.Server.DidSave),
	protocol.MethodTextDocumentDidClose:               notification(protocol.Server.DidClose),
	protocol.MethodTextDocumentHover:                  request(protocol.Server.Hover),
	protocol.MethodTextDocumentDefinition:             request(protocol.Server.Definition),
	protocol.MethodTextDocumentReferences:             request(protocol.Server.References),
	protocol.MethodTextDocumentDocumentHighlight:      request(protocol.Server.DocumentHighlight),
	protocol.MethodTextDocumentDocumentSymbol:         request(protocol.Server.DocumentSymbol),
	protocol.MethodTextDocumentCodeLens:               request(protocol.Server.CodeLens),
	protocol.MethodTextDocumentInlayHint:              request(protocol.Server.InlayHint),
	protocol.MethodTextDocumentSemanticTokensFull:     request(protocol.Server.SemanticTokensFull),
	protocol.MethodTextDocumentSemanticTokensRange:    request(protocol.Server.SemanticTokensRange),
	protocol.MethodTextDocumentPrepareCallHierarchy:   request(protocol.Server.PrepareCallHierarchy),
	protocol.MethodCallHierarchyIncomingCalls:         request(protocol.Server.IncomingCalls),
	protocol.MethodCallHierarchyOutgoingCalls:         request(protocol.Server.OutgoingCalls),
	protocol.MethodTextDocumentFoldingRange:           request(protocol.Server.FoldingRanges),
	protocol.MethodTextDocumentSelectionRange:         request(protocol.Server.SelectionRange),
	protocol.MethodTextDocumentDocumentLink:           request(protocol.Server.DocumentLink),
	protocol.MethodWorkspaceSymbol:                    request(protocol.Server.Symbols),
	protocol.MethodTextDocumentCodeAction:             request(protocol.Server.CodeAction),
	protocol.MethodCodeActionResolve:                  request(protocol.Server.CodeActionResolve),
	protocol.MethodTextDocumentPrepareRename:          request(protocol.Server.PrepareRename),
	protocol.MethodTextDocumentRename:                 request(protocol.Server.Rename),
	protocol.MethodTextDocumentCompletion:             request(protocol.Server.Completion),
	protocol.MethodCompletionItemResolve:              request(protocol.Server.CompletionResolve),
	protocol.MethodTextDocumentFormatting:             request(protocol.Server.Formatting),
	protocol.MethodTextDocumentOnTypeFormatting:       request(protocol.Server.OnTypeFormatting),
	protocol.MethodWorkspaceExecuteCommand:            request(protocol.Server.ExecuteCommand),
	protocol.MethodWorkspaceDidChangeWorkspaceFolders: notification(protocol.Server.DidChangeWorkspaceFolders),
	protocol.MethodWorkspaceDidChangeWatchedFiles:     notification(protocol.Server.DidChangeWatchedFiles),
	protocol.MethodTextDocumentWillSave:               ignored,
	protocol.MethodProgress:                           ignored,

	wire.RequestDecoded.Name:     decoded,
	wire.NotificationCursor.Name: cursor,
}

func ignored(context.Context, protocol.Server, []byte) (any, error) { return nil, nil }

func newDispatcher(s *session, leave func()) *dispatcher {
	return &dispatcher{
		server:   &server{session: s},
		methods:  methods,
		pin:      func(ctx context.Context) context.Context { return withSnapshot(ctx, s.snapshot.Load()) },
		log:      s.log,
		onExit:   leave,
		inFlight: map[jsonrpc2.ID]context.CancelFunc{},
	}
}

// Initialize answers with what the server can do.
func (s *server) Initialize(_ context.Context, params *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	client := clientFromCapabilities(params.Capabilities)
	s.log.Debug("initialize", zap.String("client", params.ClientInfo.Name), zap.String("encoding", string(client.encoding)))
	s.owner.do(func() {
		s.client = client
		s.index.Begin(client.encoding, workspaceFolders(params))
		if len(params.InitializationOptions) > 0 {
			s.applySettings(params.InitializationOptions)
		}
	})
	if params.ProcessID != nil && *params.ProcessID > 0 {
		go func() {
			if waitForProcess(s.ctx, int(*params.ProcessID)) == nil {
				s.leave()
			}
		}()
	}
	return &protocol.InitializeResult{
		Capabilities: capabilities(client.encoding),
		ServerInfo:   protocol.ServerInfo{Name: "aiglens", Version: protocol.NewOptional(s.opts.Version)},
	}, nil
}

func capabilities(encoding protocol.PositionEncodingKind) protocol.ServerCapabilities {
	yes, sync := true, protocol.TextDocumentSyncKindIncremental
	can := protocol.ServerCapabilities{
		PositionEncoding:          encoding,
		TextDocumentSync:          &protocol.TextDocumentSyncOptions{OpenClose: &yes, Change: &sync, Save: protocol.Boolean(true)},
		HoverProvider:             protocol.Boolean(true),
		DefinitionProvider:        protocol.Boolean(true),
		ReferencesProvider:        protocol.Boolean(true),
		DocumentHighlightProvider: protocol.Boolean(true),
		DocumentSymbolProvider:    protocol.Boolean(true),
		CodeLensProvider:          &protocol.CodeLensOptions{},
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
	s.owner.do(func() {
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

// Shutdown stops all checks. The connection stays until exit.
func (s *server) Shutdown(context.Context) error {
	s.owner.do(s.stopAll)
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
	refreshesHints   bool
	tokenRanges      bool // asks for the tokens of a part of a file
	watchesFiles     bool
	relativePatterns bool // of files to watch
	describesCodes   bool
	status           bool // is told the status of properties
}

func clientFromCapabilities(c protocol.ClientCapabilities) clientSide {
	is := func(b *bool) bool { return b != nil && *b }
	client := clientSide{changingClient: changingClientFromCapabilities(c), encoding: position.ChooseEncoding(nil)}
	if g := c.General; g != nil {
		client.encoding = position.ChooseEncoding(g.PositionEncodings)
	}
	if t := c.TextDocument; t != nil {
		client.codeLens = t.CodeLens != nil
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
		client.watchesFiles = w.DidChangeWatchedFiles != nil && is(w.DidChangeWatchedFiles.DynamicRegistration)
		client.relativePatterns = client.watchesFiles && is(w.DidChangeWatchedFiles.RelativePatternSupport)
		client.configuration = is(w.Configuration)
		client.watchesSettings = w.DidChangeConfiguration != nil && is(w.DidChangeConfiguration.DynamicRegistration)
	}
	var experimental wire.ExperimentalCapabilities
	client.status = len(c.Experimental) > 0 && json.Unmarshal(c.Experimental, &experimental) == nil && experimental.Aiglens.Status
	return client
}
