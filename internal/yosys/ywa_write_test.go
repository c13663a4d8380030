package yosys

import (
	"bytes"
	"reflect"
	"testing"
)

// TestAppendWitnessMap: what is written is read as the same map.
func TestAppendWitnessMap(t *testing.T) {
	m := &WitnessMap{
		Latches: 3, Inputs: 4, Clocks: []Clock{{PathBit{Input: 3, Path: Path{`\clk`}}, "posedge"}},
		Ports: []PathBit{{Input: 0, Path: Path{`\u1`, `\a "b`}}, {Input: 1, Path: Path{`\u1`, `\a "b`}, Offset: 1}},
		Seqs:  []PathBit{{Input: 2, Path: Path{`\mem`, `\[1]`}}}, Asserts: []Path{{`\a_full`}}, HasAsserts: true, HasAssumes: true,
	}
	data, err := m.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	read, fault := ReadWitnessMap(data)
	if fault != nil {
		t.Fatalf("%v\n%s", fault, data)
	}
	again, err := read.Append(nil)
	if err != nil || !bytes.Equal(again, data) || !reflect.DeepEqual(read.Asserts, m.Asserts) || !read.HasAssumes {
		t.Errorf("%v\n%s\n%s", err, data, again)
	}
}
