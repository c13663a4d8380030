package lsp

import (
	"context"
	"fmt"
	"path/filepath"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"aiglens/lsp/wire"
)

// decoded answers with a binary or packed file as text. It reads the file from disk,
// whether it is open or not: an editor that opened it would have mangled its bytes.
func decoded(_ context.Context, s protocol.Server, raw []byte) (any, error) {
	params, err := paramsFromJSON[wire.FileParams](raw)
	if err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "parameters: %v", err)
	}
	if !params.URI.IsFile() {
		return nil, refused(fmt.Errorf("%s is no file on this machine", params.URI))
	}
	name := params.URI.FsPath()
	data, err := s.(*server).opts.Files.ReadFile(name)
	if err != nil {
		return nil, refused(err)
	}
	text, err := s.(*server).opts.Formats.Decode(name, data)
	if err != nil {
		return nil, refused(fmt.Errorf("%s: %w", filepath.Base(name), err))
	}
	return &wire.DecodedFile{Text: text}, nil
}
