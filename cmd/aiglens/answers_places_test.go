package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"regexp"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

// placesAsked is how many places of a file are compared, beside the row of its first property.
const placesAsked = 2

// askPlaces compares what is known of places, once all properties are checked.
func (s *surfaces) askPlaces(file, text string, u uri.URI) {
	all := s.properties(u)
	if len(text) > maxCompared || len(all) == 0 {
		return
	}
	lines := strings.Split(text, "\n")
	at := []protocol.Position{all[0].Range.Start}
	r := rand.New(rand.NewSource(int64(len(text))))
	for range placesAsked {
		line := r.Intn(len(lines))
		if row := lines[line]; row != "" {
			at = append(at, protocol.Position{Line: uint32(line), Character: uint32(max(0, strings.LastIndexByte(row, ' ')))})
		}
	}
	for _, position := range at {
		s.askPlace(file, u, position)
	}
}

// askPlace compares what is known of a place.
func (s *surfaces) askPlace(file string, u uri.URI, position protocol.Position) {
	place := fmt.Sprintf("%s:%d:%d", file, position.Line+1, position.Character+1)
	here, said := s.cli("at", "--no-cache", "--timeout", "20s", place)
	if here == "" && !strings.Contains(said, "nothing is known") {
		return // of a file without a circuit
	}
	s.asked["place"]++
	params := wire.AtParams{URI: u, Position: position}
	var there wire.PlaceText
	// What proofs say is found out once nothing else is to be done; a status comes with it.
	for {
		mark := s.Mark()
		if err := s.execute(wire.CommandPlaceText.Name, params, &there); err != nil {
			s.t.Errorf("%s: %v", place, err)
			return
		}
		if placeOnly(here) == placeOnly(there.Text) {
			break
		}
		s.Await(fmt.Sprintf("what at says of %s\n%s%s\nwhere the server says\n%s\n", place, here, said, there.Text), mark,
			func(m lsptest.Message) bool { return m.Method == wire.NotificationStatus.Name })
	}
	out, _ := s.cli("at", "--no-cache", "--timeout", "20s", "--format", "json", place)
	var data, its wire.Place
	if err := json.Unmarshal([]byte(strings.Replace(out, `"version":"`+versionText()+`"`, `"version":1`, 1)), &data); err != nil {
		s.t.Fatalf("%s: %v in %s", place, err, out)
	}
	if err := s.Call(wire.RequestAt.Name, params, &its); err != nil {
		s.t.Errorf("%s: %v", place, err)
		return
	}
	if its.Property != nil {
		its.Property.Actions = []wire.PlaceAction{}
	}
	its.URI = data.URI
	if a, b := timelessPlace(&data), timelessPlace(&its); a != b {
		s.t.Errorf("%s: the data are\n%s\nof the server\n%s", place, a, b)
	}
}

var foundBy = regexp.MustCompile(`(?m)^- found by: .*\n`)

// placeOnly returns the text of a place without times, and without the engine: the server replays what it knows
// before it searches.
func placeOnly(text string) string {
	return strings.TrimSpace(timeless(foundBy.ReplaceAllString(text, "")))
}

// timelessPlace returns the data of a place without the times, and how verdicts were found.
func timelessPlace(p *wire.Place) string {
	forget := func(s *wire.PropertyStatus) {
		s.Seconds, s.Cached = 0, false
		if s.Verdict == "refuted" {
			s.Depth = 0 // a run that the server knows is replayed without a search
		}
	}
	if p.Property != nil {
		p.Property.Engine = ""
		forget(&p.Property.PropertyStatus)
		for i := range p.Property.Sharing {
			forget(&p.Property.Sharing[i])
		}
	}
	if p.Always != nil {
		for i := range p.Always.Properties {
			forget(&p.Always.Properties[i])
		}
	}
	for _, d := range p.Diagnostics {
		for i := range d.Fixes { // which name the version of the text
			d.Fixes[i].Argument = nil
		}
	}
	text, _ := json.Marshal(p)
	return timeless(string(text))
}
