package yosys

import "encoding/json"

// Append appends the map as write_aiger -ywmap writes it.
func (m *WitnessMap) Append(dst []byte) ([]byte, error) {
	type entry struct {
		Path   Path   `json:"path"`
		Input  int    `json:"input"`
		Offset int    `json:"offset"`
		Edge   string `json:"edge,omitempty"`
	}
	entries := func(bits []PathBit) []entry {
		all := []entry{}
		for _, b := range bits {
			all = append(all, entry{Path: b.Path, Input: b.Input, Offset: b.Offset})
		}
		return all
	}
	clocks := []entry{}
	for _, c := range m.Clocks {
		clocks = append(clocks, entry{c.Path, c.Input, c.Offset, c.Edge})
	}
	file := struct {
		Version    string  `json:"version"`
		Generator  string  `json:"generator"`
		LatchCount int     `json:"latch_count"`
		InputCount int     `json:"input_count"`
		Clocks     []entry `json:"clocks"`
		Inputs     []entry `json:"inputs"`
		Seqs       []entry `json:"seqs"`
		Inits      []entry `json:"inits"`
		Asserts    *[]Path `json:"asserts,omitempty"`
		Assumes    *[]Path `json:"assumes,omitempty"`
	}{
		Version: witnessMapVersion, Generator: "aiglens", LatchCount: m.Latches, InputCount: m.Inputs,
		Clocks: clocks, Inputs: entries(m.Ports), Seqs: entries(m.Seqs), Inits: entries(m.Inits),
	}
	if m.HasAsserts {
		all := append([]Path{}, m.Asserts...)
		file.Asserts = &all
	}
	if m.HasAssumes {
		all := append([]Path{}, m.Assumes...)
		file.Assumes = &all
	}
	data, err := json.MarshalIndent(file, "", "  ")
	return append(append(dst, data...), '\n'), err
}
