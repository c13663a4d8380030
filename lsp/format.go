package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"
)

// onType says what is put right while somebody types.
type onType string

const (
	onTypeOff    onType = "off"
	onTypeCounts onType = "counts" // the header
	onTypeOrder  onType = "order"  // the header, and the gate that was typed in its place
)

// changeSettings say what is changed without being asked for.
type changeSettings struct{ onType onType }

func defaultChangeSettings() changeSettings { return changeSettings{onType: onTypeCounts} }

// changeSettingsFromJSON reads {"format": {"onType"}}.
func changeSettingsFromJSON(raw []byte) (changeSettings, error) {
	s := defaultChangeSettings()
	var file struct{ Format struct{ OnType *onType } }
	err := decodeSettings(raw, &file)
	if t := file.Format.OnType; t != nil {
		switch *t {
		case onTypeOff, onTypeCounts, onTypeOrder:
			s.onType = *t
		default:
			return s, fmt.Errorf("settings: format.onType is %q, expected off, counts or order", *t)
		}
	}
	return s, err
}

// Formatting gives a file its canonical text. A file whose structure is in doubt
// is left alone; the answer says why.
func (s *server) Formatting(ctx context.Context, params *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	edits, err := v.doc.Format(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, refused(fmt.Errorf("not formatted: %w", err))
	}
	return v.textEdits(edits), nil
}

// OnTypeFormatting follows the typing of a line end.
func (s *server) OnTypeFormatting(ctx context.Context, params *protocol.DocumentOnTypeFormattingParams) ([]protocol.TextEdit, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	setting := snapshotFrom(ctx).settings.onType
	if !ok || setting == onTypeOff || params.Ch != "\n" {
		return nil, nil
	}
	return v.textEdits(v.doc.LineTyped(int(params.Position.Line), setting == onTypeOrder)), ctx.Err()
}
