package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestHelp: help COMMAND and COMMAND --help are the same, and no line of any help is wider than
// helpWidth. Each flag is said once.
func TestHelp(t *testing.T) {
	said := func(args ...string) string {
		var out, failed bytes.Buffer
		if code := run(t.Context(), env{stdout: &out, stderr: &failed}, args); code != exitOK || failed.Len() > 0 {
			t.Errorf("%q exits with %d: %s", args, code, failed.String())
		}
		for line := range strings.Lines(out.String()) {
			if strings.Count(line, "[") != strings.Count(line, "]") {
				t.Errorf("%q: a part of the usage is broken: %q", args, line)
			}
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > helpWidth || strings.Contains(line, " \n") {
				t.Errorf("%q: a line of %d columns: %q", args, n, line)
			}
		}
		return out.String()
	}
	list := said("--help")
	if said("help") != list {
		t.Error("help and --help differ")
	}
	for _, c := range describeCommands() {
		if n := strings.Count(list, "\n  "+c.name+" "); n != 1 {
			t.Errorf("the list has %s %d times", c.name, n)
		}
		text := said("help", c.name)
		if text != said(c.name, "--help") || text != said(c.name, "-h") {
			t.Errorf("help %s and %s --help differ", c.name, c.name)
		}
		for _, f := range c.flags {
			if n := strings.Count(text, "\n  "+f.name+" ") + strings.Count(text, "\n  "+f.name+"\n"); n != 1 {
				t.Errorf("help %s has %s %d times", c.name, f.name, n)
			}
		}
	}
}

// TestFlagGroups: each flag is in one group, and each name of a group is that of a flag.
func TestFlagGroups(t *testing.T) {
	used := map[string]bool{}
	for _, c := range commands() {
		for _, f := range describe(c, flagsOf(c)).flags {
			name := strings.TrimLeft(f.name, "-")
			var in []string
			for _, g := range flagGroups {
				for _, key := range []string{name, c.name + " " + name} {
					if slices.Contains(g.flags, key) {
						in = append(in, g.title)
						used[key] = true
					}
				}
			}
			own := slices.ContainsFunc(flagGroups, func(g flagGroup) bool { return slices.Contains(g.flags, c.name+" "+name) })
			if len(in) != 1 && !(own && len(in) == 2) {
				t.Errorf("%s of %s is in the groups %q", f.name, c.name, in)
			}
		}
	}
	seen := map[string]bool{}
	for _, g := range flagGroups {
		for _, key := range g.flags {
			if !used[key] || seen[key] {
				t.Errorf("%s: %s is no flag, or there twice", g.title, key)
			}
			seen[key] = true
		}
	}
}

// TestWrongUsage: what is wrong with a command line is one line, with the nearest name.
func TestWrongUsage(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"chek x.aag", `there is no command "chek"; did you mean check?`},
		{"frobnicate", `there is no command "frobnicate"; aiglens help lists them`},
		{"help chekc", `there is no command "chekc"; did you mean check?`},
		{"help check lint", "help is about one command"},
		{"check --formt json x.aag", "check has no flag --formt; did you mean --format?"},
		{"check -formt=json x.aag", "check has no flag --formt; did you mean --format?"},
		{"equiv --bad x a.blif b.blif", "equiv has no flag --bad; aiglens help equiv lists its flags"},
		{"check x.aag --time 5", "check has no flag --time; did you mean --timeout?"},
		{"fmt -v x.aag", "fmt has no flag -v; aiglens help fmt lists its flags"},
		{"stats --engine ic3 x.aag", "stats has no flag --engine; aiglens help stats lists its flags"},
		{"check --timeout", "--timeout needs a value: --timeout TIME"},
		{"check --timeout soon x.aag", `--timeout "soon": expected a time such as 30s or 5m`},
		{"check --workers two x.aag", `--workers "two": expected a whole number`},
		{"check --memory much x.aag", `--memory "much": expected a size such as 512M or 2G`},
		{"check --index bad x.aag", `--index "bad": expected bad:N, output:N, justice:N, lemma:N or cover:N`},
		{"check --no-cache=maybe x.aag", `--no-cache is true or false, not "maybe"`},
		{"check ---x", "bad flag syntax: ---x"},
		{"serve --log loud", `--log: there is no level "loud"; choose debug, info, warn or error`},
		{"serve --log debgu", `--log: there is no level "debgu"; did you mean debug?`},
		{"cache shwo", `cache: there is no word "shwo"; did you mean show?`},
		{"cluster sttaus", `cluster: there is no word "sttaus"; did you mean status?`},
		{"completion fsh", `completion: there is no word "fsh"; did you mean fish?`},
		{"cache", "cache needs one of show, verify and clear"},
	} {
		var out, said bytes.Buffer
		code := run(t.Context(), env{stdin: strings.NewReader(""), stdout: &out, stderr: &said}, strings.Fields(c.args))
		if got := said.String(); code != exitUsage || out.Len() > 0 || got != "aiglens: "+c.want+"\n" {
			t.Errorf("%s exits with %d and says %q, want %q", c.args, code, got, c.want)
		}
	}
}
