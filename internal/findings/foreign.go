package findings

import "strings"

// Foreign is a format that a text looks like, and that is not the one that was expected.
type Foreign struct {
	Name      string // "Verilog"
	Start     int    // of the first word
	Length    int
	recommend string // what to do with such a file
}

// WhatIsIt returns the format that a text looks like by its first word, or by its first bytes where
// these are packed; "" in Name for none.
func WhatIsIt(text string) (f Foreign) {
	for _, p := range packers {
		if strings.HasPrefix(text, p.magic) {
			return Foreign{Name: "a file that " + p.program + " has packed", Length: 1, recommend: "unpack it with " + p.unpack}
		}
	}
	text = text[:min(len(text), LookAhead)]
	at, word := firstWord(text)
	f = Foreign{Start: at, Length: len(word)}
	if f.Name, f.recommend = formatOf(word); strings.HasPrefix(text[at:], "1 sort ") {
		f.Name, f.recommend = "BTOR2", "let another tool, such as btor2aiger, write AIGER"
	}
	return f
}

// Not says in a sentence what the file is instead of what was expected, and the way out.
func (f Foreign) Not(expected string) string {
	return "this looks like " + f.Name + ", not like " + expected + ": " + f.recommend
}

// packers are the programs that pack files, by what the files begin with.
var packers = []struct{ magic, program, unpack string }{
	{"\x1f\x8b", "gzip", "gunzip, or let its name end in .gz"},
	{"\xfd7zXZ\x00", "xz", "xz -d"},
	{"BZh", "bzip2", "bzip2 -d"},
	{"\x28\xb5\x2f\xfd", "zstd", "zstd -d"},
	{"PK\x03\x04", "zip", "unzip"},
}

// LookAhead bounds what WhatIsIt looks at: the comments that it passes over to find the first word.
const LookAhead = 16 << 10

// firstWord returns the first word of a text after comments as C, Verilog, VHDL, BLIF and SMT-LIB
// have them, and its place.
func firstWord(text string) (at int, word string) {
	for {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], " \t\r\n"))
		rest, end := text[at:], ""
		switch {
		case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "#"), strings.HasPrefix(rest, ";"):
			end = "\n"
		case strings.HasPrefix(rest, "/*"):
			end = "*/"
		case strings.HasPrefix(rest, "(*"):
			end = "*)"
		default:
			n := 0
			for n < len(rest) && (n == 0 || isLetter(rest[n])) {
				n++
			}
			return at, rest[:n]
		}
		_, after, ok := strings.Cut(rest, end)
		if !ok {
			return len(text), ""
		}
		at = len(text) - len(after)
	}
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' || b == '_' || b == '-' }

// formatOf returns the format whose files start with a word, and what to do with such a file; "" for
// none.
func formatOf(word string) (name, recommend string) {
	const yosys = "let Yosys write AIGER or BLIF"
	switch word {
	case "module", "macromodule", "package", "interface", "primitive", "typedef",
		"`timescale", "`include", "`define", "`default_nettype", "`ifdef", "`ifndef", "`celldefine":
		return "Verilog", yosys
	case "aag", "aig":
		return "AIGER", "let its name end in ." + word
	case ".model", ".inputs", ".outputs", ".names", ".latch", ".subckt", ".gate":
		return "BLIF", "let its name end in .blif"
	case "MODULE":
		return "SMV", "let another tool write AIGER"
	case "INPUT", "OUTPUT":
		return "a .bench netlist", "let ABC write AIGER or BLIF"
	case "autoidx", "attribute":
		return "RTLIL of Yosys", yosys
	case "(set-logic", "(set-info", "(set-option", "(declare-fun", "(declare-const", "(declare-sort",
		"(define-fun", "(assert":
		return "SMT-LIB", "let another tool write AIGER"
	case "{":
		return "JSON", "if Yosys wrote it, let Yosys write AIGER or BLIF"
	}
	switch strings.ToLower(word) {
	case "library", "entity", "architecture":
		return "VHDL", yosys
	}
	return "", ""
}
