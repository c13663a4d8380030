package lsp

import (
	"context"
	"unicode/utf16"

	"go.lsp.dev/protocol"

	"aiglens/design"
)

// SignatureHelp says how the operator or predicate is applied whose argument stands at a place, in languages that
// have such things.
func (s *server) SignatureHelp(ctx context.Context, params *protocol.SignatureHelpParams) (*protocol.SignatureHelp, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	p, ok := design.ParametersAt(v.doc, v.mapper.PositionOffset(params.Position))
	if !ok {
		return nil, ctx.Err()
	}
	label := "(" + p.Name
	info := protocol.SignatureInformation{Documentation: protocol.String(p.Says)}
	for _, param := range p.Params {
		start := lengthOf(label) + 1
		label += " " + param
		one := protocol.ParameterInformation{Label: protocol.String(param)}
		if snapshotFrom(ctx).client.labelOffsets {
			one.Label = protocol.ParameterInformationLabelTuple{start, lengthOf(label)}
		}
		info.Parameters = append(info.Parameters, one)
	}
	info.Label = label + ")"
	return &protocol.SignatureHelp{Signatures: []protocol.SignatureInformation{info}, ActiveParameter: protocol.NewNullable(uint32(p.Active))}, ctx.Err()
}

// lengthOf returns the length of a label as clients count.
func lengthOf(label string) uint32 { return uint32(len(utf16.Encode([]rune(label)))) }
