package yosys

import (
	"reflect"
	"strings"
	"testing"
)

const netlist = `{
  "creator": "Yosys 0.23",
  "modules": {
    "t": {
      "attributes": {"top": "00000000000000000000000000000001", "src": "t.v:1.1-9.10"},
      "ports": {"z": {"direction": "input", "bits": [2]}, "a": {"direction": "output", "bits": [3, "0"]}},
      "cells": {
        "$b": {"hide_name": 1, "type": "$assert", "parameters": {}, "attributes": {"src": "u.v:4.1-4.9|t.v:2.3-2.20"}, "connections": {"A": [3], "EN": ["1"]}},
        "a": {"hide_name": 0, "type": "$cover", "parameters": {"W": 3}, "attributes": {"hdlname": "u1 a"}, "connections": {"A": ["x"], "EN": ["z"]}}
      },
      "netnames": {
        "u1.q": {"hide_name": 0, "bits": [2, 3], "offset": 4, "upto": 1, "signed": 1, "attributes": {"hdlname": "u1 q", "src": "C:\\x.v:7"}}
      }
    }
  }
}`

func TestReadNetlists(t *testing.T) {
	all, err := ReadNetlists([]byte(netlist))
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	n := all[0]
	if n.Name != "t" || !n.IsTop || len(n.Ports) != 2 || n.Ports[0].Name != "z" || n.Ports[1].Bits[1] != Bit0 {
		t.Errorf("the module is %+v", n)
	}
	if len(n.Cells) != 2 || n.Cells[0].Name != "$b" || !n.Cells[0].Private || n.Cells[0].Ports["EN"][0] != Bit1 {
		t.Fatalf("the cells are %+v: they do not have the order of the file", n.Cells)
	}
	if c := n.Cells[1]; c.Ports["A"][0] != BitUnknown || c.Parameters["W"] != "3" || strings.Join(c.Path(), "/") != "u1/a" {
		t.Errorf("the second cell is %+v", c)
	}
	if got, want := n.Cells[0].Attributes.Places(), []Place{{"u.v", 4, 1, 4, 9}, {"t.v", 2, 3, 2, 20}}; !reflect.DeepEqual(got, want) {
		t.Errorf("the places are %+v, want %+v", got, want)
	}
	w := n.Wires[0]
	if w.Offset != 4 || !w.Upto || !w.Signed || len(w.Bits) != 2 {
		t.Errorf("the wire is %+v", w)
	}
	if got, want := w.Attributes.Places(), []Place{{`C:\x.v`, 7, 1, 7, 1}}; !reflect.DeepEqual(got, want) {
		t.Errorf("the places are %+v, want %+v", got, want)
	}
}

// TestBrokenNetlists holds that a damaged file is an error with its place, or something else that
// can be read: every prefix and every text with one byte more ends.
func TestBrokenNetlists(t *testing.T) {
	for i := range len(netlist) - 1 {
		if _, err := ReadNetlists([]byte(netlist[:i])); err == nil {
			t.Fatalf("the first %d bytes are a file", i)
		}
		for _, c := range []string{"[", "}", "-1", `"`, "null"} {
			if _, err := ReadNetlists([]byte(netlist[:i] + c + netlist[i+1:])); err != nil && (err.Line < 1 || err.Column < 1) {
				t.Fatalf("the error is %v", err)
			}
		}
	}
	for _, text := range []string{`{"modules": []}`, `{"modules": {"t": {"cells": 3}}}`, `{"modules": {"t": {"netnames": {"q": {"bits": [[]]}}}}}`} {
		if _, err := ReadNetlists([]byte(text)); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}
