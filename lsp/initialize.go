package lsp

import (
	"context"
	"encoding/json"
	"slices"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"aiglens/lsp/ide"
	"aiglens/lsp/position"
	"aiglens/lsp/rpc"
	"aiglens/lsp/wire"
)

// Initialize answers with what the server can do.
func (s *server) Initialize(_ context.Context, params *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	client := clientFromCapabilities(params.Capabilities)
	s.log.Debug("initialize", zap.String("client", params.ClientInfo.Name), zap.String("encoding", string(client.encoding)))
	s.queue.Do(func() {
		s.client = client
		s.texts.index.Begin(client.encoding, workspaceFolders(params))
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
		DeclarationProvider:       protocol.Boolean(true),
		ReferencesProvider:        protocol.Boolean(true),
		DocumentHighlightProvider: protocol.Boolean(true),
		DocumentSymbolProvider:    protocol.Boolean(true),
		CodeLensProvider:          &protocol.CodeLensOptions{},
		SignatureHelpProvider:     &protocol.SignatureHelpOptions{TriggerCharacters: []string{" ", "("}},
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
	for _, c := range allCommands() {
		can.ExecuteCommandProvider.Commands = append(can.ExecuteCommandProvider.Commands, c.name)
	}
	changeCapabilities(&can)
	return can
}

// Initialized asks for what may only be asked for now.
func (s *server) Initialized(context.Context, *protocol.InitializedParams) error {
	s.queue.Do(func() {
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
		s.verilog.askForFiles()
		if s.client.watchesFiles {
			s.background(s.texts.watcher.registerForFiles)
			s.texts.watcher.watch()
		}
	})
	return nil
}

// Shutdown stops all checks and analyses. The connection stays until exit.
func (s *server) Shutdown(context.Context) error {
	s.queue.Do(func() {
		s.checking.stopAll()
		for _, f := range s.texts.files {
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
	encoding           protocol.PositionEncodingKind
	codeLens           bool
	refreshesLenses    bool
	progress           bool
	showsDocuments     bool
	registersDocuments bool // can be asked to send others than it does
	configuration      bool
	watchesSettings    bool
	related            bool
	snippets           bool // fills in the places of a completion
	refreshesHints     bool
	refreshesTokens    bool
	refreshesFolds     bool
	tokenRanges        bool // asks for the tokens of a part of a file
	watchesFiles       bool
	relativePatterns   bool // of files to watch
	describesCodes     bool
	labelOffsets       bool // takes places in the label of a signature
	hoverFormat        protocol.MarkupKind
	completionFormat   protocol.MarkupKind
	status             bool       // is told the status of properties
	decoded            bool       // shows circuits as documents of their own
	commands           commandSet // of the client, that it runs by itself
}

// markupFrom returns the first format of a client's that there is; that of one that names none is
// markdown.
func markupFrom(formats []protocol.MarkupKind) protocol.MarkupKind {
	for _, f := range formats {
		if f == protocol.MarkupKindMarkdown || f == protocol.MarkupKindPlainText {
			return f
		}
	}
	return protocol.MarkupKindMarkdown
}

// markup returns a text in markdown as a client shows it.
func markup(markdown string, format protocol.MarkupKind) *protocol.MarkupContent {
	if format == protocol.MarkupKindPlainText {
		return &protocol.MarkupContent{Kind: format, Value: ide.Plain(markdown)}
	}
	return &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: markdown}
}

func clientFromCapabilities(c protocol.ClientCapabilities) clientSide {
	is := func(b *bool) bool { return b != nil && *b }
	client := clientSide{changingClient: changingClientFromCapabilities(c), encoding: position.ChooseEncoding(nil)}
	if g := c.General; g != nil {
		client.encoding = position.ChooseEncoding(g.PositionEncodings)
	}
	if t := c.TextDocument; t != nil {
		client.codeLens = t.CodeLens != nil
		client.registersDocuments = t.Synchronization != nil && is(t.Synchronization.DynamicRegistration)
		if t.Hover != nil {
			client.hoverFormat = markupFrom(t.Hover.ContentFormat)
		}
		if t.Completion != nil && t.Completion.CompletionItem != nil {
			client.completionFormat = markupFrom(t.Completion.CompletionItem.DocumentationFormat)
			client.snippets = is(t.Completion.CompletionItem.SnippetSupport)
		}
		if h := t.SignatureHelp; h != nil && h.SignatureInformation != nil && h.SignatureInformation.ParameterInformation != nil {
			client.labelOffsets = is(h.SignatureInformation.ParameterInformation.LabelOffsetSupport)
		}
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
		client.status, client.decoded = experimental.Aiglens.Status, experimental.Aiglens.Decoded
		client.commands = commandsOf(experimental.Aiglens.Commands)
	}
	return client
}

// changingClient is what a client can do with changes.
type changingClient struct {
	documentChanges bool // edits that name the version they are about
	resolvesActions bool // asks for the edit of an action when it is chosen
	appliesEdits    bool // when the server asks for it
}

func changingClientFromCapabilities(c protocol.ClientCapabilities) (client changingClient) {
	if w := c.Workspace; w != nil {
		client.appliesEdits = w.ApplyEdit != nil && *w.ApplyEdit
	}
	if w := c.Workspace; w != nil && w.WorkspaceEdit != nil {
		client.documentChanges = w.WorkspaceEdit.DocumentChanges != nil && *w.WorkspaceEdit.DocumentChanges
	}
	if t := c.TextDocument; t != nil && t.CodeAction != nil {
		client.resolvesActions = slices.Contains(t.CodeAction.ResolveSupport.Properties, "edit") &&
			t.CodeAction.DataSupport != nil && *t.CodeAction.DataSupport
	}
	return client
}

// changeCapabilities adds to what the server can do that which changes a text.
func changeCapabilities(c *protocol.ServerCapabilities) {
	yes := true
	c.RenameProvider = &protocol.RenameOptions{PrepareProvider: &yes}
	c.CompletionProvider = &protocol.CompletionOptions{TriggerCharacters: []string{"¬", "!", ".", "="}, ResolveProvider: &yes}
	c.DocumentFormattingProvider = protocol.Boolean(true)
	c.DocumentOnTypeFormattingProvider = protocol.DocumentOnTypeFormattingOptions{FirstTriggerCharacter: "\n"}
}
