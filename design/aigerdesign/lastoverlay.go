package aigerdesign

import (
	"slices"
	"sync"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// lastOverlay keeps what was made last of the maps of a text, for its later versions: most edits
// change nothing that names rest on. The zero value holds nothing.
type lastOverlay struct {
	mu      sync.Mutex // guards all of it
	texts   []mapText
	maps    *Maps // read from texts
	of      *Maps // with shape and symbols: what overlay was made from
	shape   shape // without symbol, which would keep the text
	symbols []symbolText
	overlay *overlay
	isMade  bool
}

// mapText is the text of a map; ok is false for one that cannot be read.
type mapText struct {
	name string
	text source.Text
	ok   bool
}

func (t mapText) isLike(o mapText) bool {
	return t.name == o.name && t.ok == o.ok && t.text.Equal(o.text)
}

type symbolText struct {
	element
	name string
}

// mapsOf returns what texts hold: the same maps as before where they are the same.
func (l *lastOverlay) mapsOf(texts []mapText) *Maps {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.maps == nil || !slices.EqualFunc(l.texts, texts, mapText.isLike) {
		l.texts, l.maps = texts, readMaps(texts)
	}
	return l.maps
}

// overlayOf returns the names of a file: the same as before where nothing has changed that they rest on.
func (l *lastOverlay) overlayOf(f *syntax.File, maps *Maps) *overlay {
	if len(f.Header()) == 0 || !f.HeaderIsSound() || maps == nil && !isOfYosys(f) {
		return nil
	}
	s, symbols := shapeOf(f), symbolsOfNames(f)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.isMade || l.of != maps || !l.shape.isLike(&s) || !slices.Equal(l.symbols, symbols) {
		l.overlay = newOverlay(s, maps)
		s.symbol = nil
		l.isMade, l.of, l.shape, l.symbols = true, maps, s, symbols
	}
	return l.overlay
}

// symbolsOfNames returns the symbols of the elements that maps name.
func symbolsOfNames(f *syntax.File) (all []symbolText) {
	for _, kind := range []syntax.SectionKind{syntax.SectionInputs, syntax.SectionLatches, syntax.SectionOutputs} {
		for symbol := range f.SymbolsOf(kind) {
			all = append(all, symbolText{element{kind, symbol.Index}, symbol.Name})
		}
	}
	return all
}
