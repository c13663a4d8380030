package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
)

// manyCommands is how many commands must have a flag, in the same words, for it to be described
// once for all of them.
const manyCommands = 3

// manualPage prints the page aiglens(1), made of the same table as --help.
func manualPage(_ context.Context, e env, args []string) int {
	fs := newFlags("man")
	words, code, done := parse(fs, e, args)
	if done {
		return code
	}
	if len(words) > 0 {
		return problem(e, "man takes no file")
	}
	var page bytes.Buffer
	writeManualPage(&page, describeCommands())
	_, _ = e.stdout.Write(page.Bytes())
	return exitOK
}

// writeManualPage writes the page in the macros of man(7). It has no date, so that the same
// program writes the same page on every day.
func writeManualPage(w io.Writer, all []described) {
	fmt.Fprintf(w, ".TH AIGLENS 1 \"\" \"aiglens %s\" \"User Commands\"\n", roff(versionText()))
	fmt.Fprint(w, `.SH NAME
aiglens \- language server and model checker for AIGER, BLIF and BTOR2
.SH SYNOPSIS
.B aiglens
.I command
.RI [ flags ]
.IR file \&...
.SH DESCRIPTION
Circuits written as text are read, checked and changed.
The file \- is standard input; packed files (.gz) and binary ones (.aig) are read by every command.
Every verdict has been checked by code that is independent of the engine that found it.
.SH COMMANDS
`)
	common := countFlags(all)
	for _, c := range all {
		fmt.Fprintf(w, ".SS \"aiglens %s\"\n", roff(c.name))
		if c.usage != "" {
			for _, form := range c.forms() {
				fmt.Fprintf(w, ".B aiglens %s\n%s\n.PP\n", roff(c.name), roff(form))
			}
		}
		fmt.Fprintf(w, "%s.\n", roff(strings.ToUpper(c.summary[:1])+c.summary[1:]))
		var elsewhere []string
		for _, f := range c.flags {
			switch {
			case f.name == "--version":
			case common[f.key()] >= manyCommands:
				elsewhere = append(elsewhere, `\fB`+roff(f.name)+`\fR`)
			default:
				writeFlag(w, f)
			}
		}
		if len(elsewhere) > 0 {
			fmt.Fprintf(w, ".PP\nAlso, described below: %s.\n", strings.Join(elsewhere, ", "))
		}
	}
	fmt.Fprint(w, ".SH FLAGS OF SEVERAL COMMANDS\n")
	for _, f := range ofMany(all, common) {
		writeFlag(w, f)
	}
	fmt.Fprint(w, `.TP
\fB\-\-help\fR, \fB\-\-version\fR
Of every command: what it takes; the version.
.SH EXIT STATUS
.TP
.B 0
All properties are proved; of other commands: done, nothing was found.
.TP
.B 1
Some are refuted; an error, a difference or a run was found.
.TP
.B 2
Wrong usage, unreadable or broken input, or no property; of a check nothing is refuted. Also output that cannot be written.
.TP
.B 3
Some are unknown, none is refuted.
.PP
.B hwmcc
exits with 10 for sat, 20 for unsat and 0 for unknown, as its competition asks.
.SH ENVIRONMENT
.TP
.B AIGLENS_CACHE
The folder where results are kept, or
.BR off .
.TP
.B NO_COLOR
With any value: a terminal gets no colours.
.TP
.B TERM
.BR dumb ,
or nothing: a terminal gets neither colours nor a status line.
.SH SEE ALSO
.BR abc (1),
.BR yosys (1)
`)
}

func writeFlag(w io.Writer, f describedFlag) {
	fmt.Fprintf(w, ".TP\n\\fB%s\\fR", roff(f.name))
	if f.value != "" {
		fmt.Fprintf(w, " \\fI%s\\fR", roff(f.placeholder()))
	}
	fmt.Fprintf(w, "\n%s", roff(strings.ToUpper(f.text[:1])+f.text[1:]))
	if f.initial != "" {
		fmt.Fprintf(w, " (default %s)", roff(f.initial))
	}
	fmt.Fprint(w, ".\n")
}

// flagKey tells flags of different commands apart: they are one where all of this is the same.
type flagKey struct{ name, value, text, initial string }

func (f *describedFlag) key() flagKey { return flagKey{f.name, f.value, f.text, f.initial} }

// countFlags says how many commands have a flag.
func countFlags(all []described) map[flagKey]int {
	count := map[flagKey]int{}
	for _, c := range all {
		for _, f := range c.flags {
			count[f.key()]++
		}
	}
	return count
}

// ofMany returns each flag of many commands once, in order of name.
func ofMany(all []described, count map[flagKey]int) []describedFlag {
	var found []describedFlag
	seen := map[flagKey]bool{}
	for _, c := range all {
		for _, f := range c.flags {
			if f.name != "--version" && count[f.key()] >= manyCommands && !seen[f.key()] {
				seen[f.key()] = true
				found = append(found, f)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b describedFlag) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.place, b.place))
	})
	return found
}

// roff is text that stands in a line of a page: a hyphen stays one, and nothing begins a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text
	}
	return text
}
