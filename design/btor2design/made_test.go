package btor2design

import (
	"fmt"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/internal/source"
)

// TestMadeFrom: the comment of a row that Yosys has written names places of the source, also where the row is used.
func TestMadeFrom(t *testing.T) {
	text := "; t.v:1\n1 sort bitvec 1 ; t.v\n2 input 1 a ; rtl/t.v:3.5-3.9|u.v:7\n3 not 1 2\n4 bad -2 t.v:9.1-9.4 ; t.v:9.1-9.4 \n5 output 3 ; from 0\n"
	d := design.New("file:///w/t.btor2", Format, 1, source.NewText(text), design.Options{})
	for place, want := range map[string]string{
		"; t.v:1": "", "1 sort": "", "2 input": "rtl/t.v:3.5-3.9 u.v:7.1-7.1", "2\n4 bad": "rtl/t.v:3.5-3.9 u.v:7.1-7.1", "3 not": "",
		"-2 t.v": "rtl/t.v:3.5-3.9 u.v:7.1-7.1", "4 bad": "t.v:9.1-9.4", "5 output": "",
	} {
		var got []string
		for _, p := range design.MadeFromAt(d, strings.Index(text, place)) {
			got = append(got, fmt.Sprintf("%s:%d.%d-%d.%d", p.Path, p.Line, p.Column, p.EndLine, p.EndColumn))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, expected %q", place, got, want)
		}
	}
}
