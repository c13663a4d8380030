package main

import (
	"cmp"
	"context"
	"flag"
	"io"
	"slices"
	"strings"

	"aiglens/internal/lazy"
)

// described is a command with what it takes, as --help has it: what completion and the manual
// page are made of.
type described struct {
	command
	flags []describedFlag // by groups
	words []string        // what its first argument is one of, such as show, verify and clear
	files bool            // it takes files
}

// describedFlag is one flag of a command.
type describedFlag struct {
	name    string   // with its dashes: --format, -o
	value   string   // what it takes, in one word; "" when it takes nothing
	text    string   // what it does
	initial string   // its default, "" where that says nothing or depends on the machine
	choices []string // the values that it takes, where its text lists them
	repeats bool     // it may be repeated
	group   int      // in flagGroups
	place   int      // in the group
}

// placeholder stands for the value.
func (f *describedFlag) placeholder() string { return strings.ToUpper(f.value) }

// choice is a value of a flag, and what it means.
type choice struct{ value, text string }

// explainedChoice is a value with what it means, in a list of at least two.
var explainedChoice = lazy.Pattern(`([a-z][a-z0-9-]*) \(([^()]{12,})\)(?:, )?`)

// explained returns what the flag does, with its default, and the values that the text explains.
func (f *describedFlag) explained() (text string, choices []choice) {
	text, initial := f.text, ""
	if f.initial != "" {
		initial = " (default " + f.initial + ")"
	}
	found := explainedChoice().FindAllStringSubmatch(text, -1)
	if len(found) < 2 {
		return text + initial, nil
	}
	for _, m := range found {
		choices = append(choices, choice{m[1], m[2]})
	}
	head := text[:explainedChoice().FindStringIndex(text)[0]]
	return strings.TrimSuffix(head, ": ") + initial, choices
}

// takesFile says that the value is a file or a folder.
func (f *describedFlag) takesFile() bool {
	return f.value == "file" || f.takesFolder()
}

func (f *describedFlag) takesFolder() bool {
	return f.value == "folder" || f.value == "directory"
}

// brief is the first part of what the flag does, for a list of completions.
func (f *describedFlag) brief() string {
	text, _, _ := strings.Cut(f.text, "; ")
	if head, _, ok := strings.Cut(text, ": "); ok && len(head) > len("cluster") {
		text = head
	}
	return text
}

// describeCommands describes every command but those that only this program itself starts.
func describeCommands() []described {
	var all []described
	for _, c := range commands() {
		if c.name == "worker" || c.name == callName {
			continue
		}
		all = append(all, describe(c, flagsOf(c)))
	}
	names := commandNames(all)
	for i := range all {
		if all[i].name == "help" {
			all[i].words = names
		}
	}
	return all
}

// describe describes a command with its flags.
func describe(c command, flags *flag.FlagSet) described {
	d := described{command: c}
	for _, form := range d.forms() {
		words, files := arguments(form)
		d.words, d.files = append(d.words, words...), d.files || files
	}
	flags.VisitAll(func(f *flag.Flag) {
		x := describeFlag(f)
		x.group, x.place = groupOf(c.name, f.Name)
		d.flags = append(d.flags, x)
	})
	slices.SortFunc(d.flags, func(a, b describedFlag) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.place, b.place))
	})
	return d
}

// forms returns the ways to call the command: what follows its name.
func (d *described) forms() []string { return strings.Split(d.usage, "\n") }

// flagsOf returns the flags of a command, which does nothing but to say them.
func flagsOf(c command) *flag.FlagSet {
	var flags *flag.FlagSet
	c.run(context.Background(), env{
		stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard,
		describe: func(fs *flag.FlagSet) { flags = fs },
	}, nil)
	return flags
}

func describeFlag(f *flag.Flag) describedFlag {
	value, text := flag.UnquoteUsage(f)
	if value == "int" {
		value = "n"
	}
	d := describedFlag{name: dashed(f.Name), value: value, text: text, repeats: strings.Contains(text, "may be repeated")}
	if isBool, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && isBool.IsBoolFlag() {
		d.value = ""
		return d
	}
	// A default that differs from machine to machine is in the text.
	isZero := slices.Contains([]string{"", "0", "0s", "[]"}, f.DefValue)
	if !isZero && !strings.Contains(text, "by default") {
		d.initial = strings.Replace(f.DefValue, "m0s", "m", 1) // of a time
	}
	_, behind, _ := strings.Cut(strings.Replace(f.Usage, "`", "", 1), "`")
	d.choices = choicesIn(behind)
	return d
}

var (
	bracketed = lazy.Pattern(`\s*(\([^()]*\)|\[[^\[\]]*\])`)
	word      = lazy.Pattern(`^[a-z][a-z0-9-]*$`)
	operand   = lazy.Pattern(`^[A-Z][A-Z_]*(\|[A-Z]+)*…?$`)
)

// choicesIn returns the words of a list such as " text, json or sarif" or ": core (made here),
// gini (for comparison)"; nil for any other text.
func choicesIn(text string) []string {
	text = bracketed().ReplaceAllString(text, "")
	text, _, _ = strings.Cut(text, ";")
	if i := strings.LastIndex(text, ": "); i >= 0 {
		text = text[i+2:]
	}
	words := strings.Split(strings.ReplaceAll(text, " or ", ", "), ", ")
	for i := range words {
		words[i] = strings.TrimSpace(words[i])
		if !word().MatchString(words[i]) {
			return nil
		}
	}
	if len(words) < 2 {
		return nil
	}
	return words
}

// arguments reads off the usage of a command which words its first argument is one of, and
// whether it takes files.
func arguments(usage string) (words []string, files bool) {
	fields := strings.Fields(bracketed().ReplaceAllString(usage, ""))
	if len(fields) == 0 {
		return nil, false
	}
	words = strings.Split(fields[0], "|")
	for _, w := range words {
		if !word().MatchString(w) {
			words = nil
			break
		}
	}
	last := len(fields) - 1
	isValue := last > 0 && strings.HasPrefix(fields[last-1], "-")
	return words, operand().MatchString(fields[last]) && !isValue
}
