package findings

import (
	"testing"

	"aiglens/internal/source"
)

func TestUnion(t *testing.T) {
	at := func(offset int, message string) source.Diagnostic {
		return source.Diagnostic{Span: source.Span{Start: offset, Length: 1}, Message: message}
	}
	found := make([]source.Diagnostic, 1, 9)
	found[0] = at(1, "a")
	all := Union(found, []source.Diagnostic{at(1, "a"), at(2, "a"), at(2, "a"), at(1, "b")})
	if len(all) != 3 || all[0].Message != "a" || all[1].Span.Start != 2 || all[2].Message != "b" {
		t.Errorf("%+v", all)
	}
	if spare := found[:2][1]; spare.Message != "" {
		t.Error("the diagnostics of others are written to")
	}
}
