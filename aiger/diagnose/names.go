package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"aiglens/aiger/syntax"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// Clash is a symbol that ABC or Yosys confuses with one that comes before it: both keep
// all names in one place, ABC but for an output that is the latch or input of its name,
// and Yosys ends a name at its first space.
type Clash struct{ Symbol, other int } // positions in the list of symbols

// Clashes finds the symbols whose names others refuse. The inputs are known by
// their names, then the properties, then latches and outputs, in this order. literal
// returns the literal of an input, latch or output.
func Clashes(symbols []syntax.SymbolEntry, literal func(k syntax.SectionKind, index int) uint32) []Clash {
	order := make([]int, len(symbols))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank(symbols[a].Kind), rank(symbols[b].Kind)) })
	var all []Clash
	first := make(map[string]int, len(symbols))
	latchOutput := map[int]bool{} // latches that an output of their name has
	for _, i := range order {
		s := symbols[i]
		if s.Name == "" || refersToModel(s.Name) {
			continue
		}
		other, taken := first[NameKey(s.Name)]
		if !taken {
			first[NameKey(s.Name)] = i
			continue
		}
		if o := symbols[other]; o.Kind == syntax.SectionLatches && s.Kind == syntax.SectionOutputs && o.Name == s.Name &&
			!latchOutput[other] && literal(o.Kind, o.Index) == literal(s.Kind, s.Index) {
			latchOutput[other] = true
			continue
		}
		all = append(all, Clash{i, other})
	}
	return all
}

// refersToModel reports whether a name is one by which a certificate says which literal of its
// model an element is. They all begin alike.
func refersToModel(name string) bool {
	literal, is := strings.CutPrefix(name, "= ")
	return is && literal != "" && strings.Trim(literal, "0123456789") == ""
}

// takers are the sections in the order in which they take names.
var takers = []syntax.SectionKind{syntax.SectionInputs, syntax.SectionBads, syntax.SectionConstraints, syntax.SectionJustice,
	syntax.SectionFairness, syntax.SectionLatches, syntax.SectionOutputs}

// rank is the place of a section among those that take names.
func rank(k syntax.SectionKind) int { return slices.Index(takers, k) }

// NameKey returns the part of a name that has to differ from that of others.
func NameKey(name string) string {
	if words := strings.Fields(name); len(words) > 0 {
		return words[0]
	}
	return name
}

// names returns the warnings about names that ABC or Yosys confuses, but for those that
// syntax finds.
func names(f *syntax.File) []source.Diagnostic {
	var symbols []syntax.Symbol
	var entries []syntax.SymbolEntry
	for s := range f.EachSymbol() {
		symbols = append(symbols, s)
		entries = append(entries, syntax.SymbolEntry{Kind: s.Kind, Index: s.Index, Name: s.Name})
	}
	literal := func(k syntax.SectionKind, index int) uint32 {
		row, _ := f.Row(k, index)
		return row.Numbers[0]
	}
	var all []source.Diagnostic
	for _, c := range Clashes(entries, literal) {
		s, other := symbols[c.Symbol], symbols[c.other]
		if s.Name == other.Name && space(s.Kind) == space(other.Kind) {
			continue // found as a name that two elements have
		}
		d := syntax.Catalogue.Diagnostic(syntax.CodeSymbolNameClash, s.NameSpan, "ABC or Yosys confuses the name with that of %s %d, %s",
			other.Kind.One(), other.Index, findings.Quote(other.Name))
		d.Related = []source.Related{{Span: other.NameSpan, Message: fmt.Sprintf("%s %d", other.Kind.One(), other.Index)}}
		edit := source.Edit{Span: s.NameSpan, NewText: fmt.Sprintf("%s_%c%d", strings.Join(strings.Fields(s.Name), "_"), s.Kind.Letter(), s.Index)}
		d.Fixes = []source.Fix{{Title: "Append kind and position to the name", Edits: []source.Edit{edit}}}
		all = append(all, d)
	}
	return all
}

// space is the section among whose names one has to be different for syntax.
func space(k syntax.SectionKind) syntax.SectionKind {
	if k == syntax.SectionLatches {
		return syntax.SectionInputs
	}
	return k
}
