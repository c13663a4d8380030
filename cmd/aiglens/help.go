package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"aiglens/internal/lazy"
	"aiglens/internal/nearest"
)

// The lines of --help are of helpWidth columns at most. What a flag does begins in helpIndent.
const (
	helpWidth  = 80
	helpIndent = 24
)

// help prints the list of commands, or what a command takes.
func help(ctx context.Context, e env, args []string) int {
	fs := newFlags("help")
	words, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(words) == 0:
		writeUsage(e.stdout)
		return exitOK
	case len(words) > 1:
		return problem(e, "help is about one command")
	}
	c, ok := commandNamed(words[0])
	if !ok {
		return noCommand(e, words[0])
	}
	return c.run(ctx, e, []string{"--help"})
}

// noCommand says that there is no command of a name.
func noCommand(e env, name string) int {
	if near := nearest.Hint(name, commandNames(describeCommands())); near != "" {
		return problem(e, "there is no command %q%s", name, near)
	}
	return problem(e, "there is no command %q; aiglens help lists them", name)
}

// writeUsage lists the commands.
func writeUsage(w io.Writer) {
	fmt.Fprint(w, "aiglens: a language server and model checker for AIGER, BLIF and BTOR2\n\nusage: aiglens COMMAND [flags] FILE…\n")
	for _, g := range commandGroups() {
		if g.title == "" {
			continue
		}
		fmt.Fprintf(w, "\n%s:\n", g.title)
		for _, c := range g.commands {
			writeItem(w, fmt.Sprintf("  %-10s", c.name), 13, strings.Fields(c.summary))
		}
	}
	fmt.Fprint(w, "\naiglens help COMMAND lists the flags of a command. The file - is standard input.\n")
}

// writeHelp says what a command takes.
func writeHelp(w io.Writer, d described) {
	for i, form := range d.forms() {
		writeItem(w, []string{"usage: ", "       "}[min(i, 1)]+"aiglens "+d.name, len("usage: aiglens ")+2, usagePart().FindAllString(form, -1))
	}
	fmt.Fprintln(w)
	writeItem(w, "", 0, strings.Fields(capital(d.summary)+"."))
	group := -1
	for _, f := range d.flags {
		if f.group != group {
			group = f.group
			fmt.Fprintf(w, "\n%s:\n", flagGroups[group].title)
		}
		head := "  " + strings.TrimSpace(f.name+" "+f.placeholder())
		text, choices := f.explained()
		for _, title := range []string{"BLIF: ", "Verilog: ", "cluster: "} {
			text = strings.TrimPrefix(text, title) // as the title of the group says
		}
		writeItem(w, head, helpIndent, strings.Fields(text))
		for _, c := range choices {
			writeItem(w, strings.Repeat(" ", helpIndent)+c.value+":", helpIndent+2, strings.Fields(c.text))
		}
	}
}

// usagePart is what stays in one line of the usage of a command.
var usagePart = lazy.Pattern(`\[[^\[\]]*\]\S*|\S+`)

// writeItem writes a word or two, and the words of a text beside it that begins in a column, in lines
// that are not too wide.
func writeItem(w io.Writer, head string, column int, text []string) {
	line := head
	if utf8.RuneCountInString(head) >= column && strings.TrimSpace(head) != "" && column == helpIndent {
		fmt.Fprintln(w, head)
		line = ""
	}
	for _, word := range text {
		switch length := utf8.RuneCountInString(line); {
		case length == 0 && column == 0:
			line = word
		case length < column:
			line += strings.Repeat(" ", column-length) + word
		case length+1+utf8.RuneCountInString(word) > helpWidth:
			fmt.Fprintln(w, strings.TrimRight(line, " "))
			line = strings.Repeat(" ", column) + word
		default:
			line += " " + word
		}
	}
	fmt.Fprintln(w, strings.TrimRight(line, " "))
}

func capital(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return strings.ToUpper(string(r)) + text[size:]
}

// newFlags returns the flag set of a command, which also knows --version. It prints nothing itself.
func newFlags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	fs.Bool("version", false, "print the version")
	return fs
}

var (
	undefinedFlag = lazy.Pattern(`(?s)^flag provided but not defined: -(.*)$`)
	missingValue  = lazy.Pattern(`(?s)^flag needs an argument: -(.*)$`)
	invalidValue  = lazy.Pattern(`(?s)^invalid (boolean )?value (".*?") for (?:flag )?-([a-z-]+): (.*)$`)
)

// flagError says in one line what package flag says of a command line.
func flagError(fs *flag.FlagSet, err error) error {
	message := err.Error()
	switch {
	case undefinedFlag().MatchString(message):
		return noFlag(fs, undefinedFlag().FindStringSubmatch(message)[1])
	case missingValue().MatchString(message):
		f := describeFlag(fs.Lookup(missingValue().FindStringSubmatch(message)[1]))
		return fmt.Errorf("%s needs a value: %s %s", f.name, f.name, f.placeholder())
	case invalidValue().MatchString(message):
		m := invalidValue().FindStringSubmatch(message)
		switch value, name, why := m[2], dashed(m[3]), m[4]; {
		case m[1] != "":
			return fmt.Errorf("%s is true or false, not %s", name, value)
		case why == "parse error":
			return fmt.Errorf("%s %s: expected a whole number", name, value)
		default:
			return fmt.Errorf("%s %s: %s", name, value, why)
		}
	}
	return err
}

// noFlag says that a command has no flag of a name.
func noFlag(fs *flag.FlagSet, name string) error {
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	if near := nearest.Near(name, names); near != "" {
		return fmt.Errorf("%s has no flag %s; did you mean %s?", fs.Name(), dashed(name), dashed(near))
	}
	return fmt.Errorf("%s has no flag %s; aiglens help %s lists its flags", fs.Name(), dashed(name), fs.Name())
}

// dashed returns a flag as people write it.
func dashed(name string) string {
	if utf8.RuneCountInString(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
