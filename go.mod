module aiglens

go 1.26

require (
	github.com/go-air/gini v1.0.4
	github.com/go-json-experiment/json v0.0.0-20260623181947-01eb4420fa68
	go.lsp.dev/jsonrpc2 v1.0.1
	go.lsp.dev/protocol v1.0.1
	go.lsp.dev/uri v1.0.1
	go.uber.org/multierr v1.11.0
	go.uber.org/zap v1.28.0
)
