package agents

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// values are the arguments of a call, as JSON decodes them.
type values map[string]any

func (v values) text(name string) string { s, _ := v[name].(string); return s }

func (v values) is(name string) bool { b, _ := v[name].(bool); return b }

func (v values) integer(name string, initial int) string {
	if n, ok := v[name].(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return strconv.Itoa(initial)
}

func (v values) texts(name string) (all []string) {
	list, _ := v[name].([]any)
	for _, one := range list {
		s, _ := one.(string)
		all = append(all, s)
	}
	return all
}

// The parameters that tools have for the sake of this server.
const (
	textOf  = "_text" // follows the name of a file
	within  = "within"
	reading = "reading"
	inPlace = "w" // the flag of a command that writes its answer back to the file
)

// parametersOf returns what an agent may give to a tool, in the order of the tool.
func (s *server) parametersOf(t tool) (all []described) {
	for _, name := range t.inputs {
		all = append(all,
			described{parameter: parameter{name: name, about: "the path of a file below an allowed folder; with " + name + textOf + " only the name of that text"}},
			described{parameter: parameter{name: name + textOf, about: "the content of the file, instead of one on the disk"}})
	}
	for _, p := range t.own {
		all = append(all, described{parameter: p})
	}
	if t.reads {
		all = append(all, described{parameter: parameter{name: reading, about: "how the file is read, rarely needed: flags of the shell, such as [\"one-step\", \"bad=fail*\"]: " + strings.Join(readingFlags, ", "), kind: texts}})
	}
	known := s.program.Flags(t.command)
	for _, name := range t.flags {
		if name == inPlace && len(s.options.Writable) == 0 {
			continue
		}
		f, ok := known[name]
		if !ok {
			panic(fmt.Sprintf("%s has no flag --%s", t.command, name))
		}
		p := parameter{name: argument(name), about: asArguments(f.Text, known), kind: text, isRequired: slices.Contains(t.needs, name)}
		switch {
		case f.Repeats:
			p.kind = texts
		case f.Value == "":
			p.kind = truth
		case f.Value == "n" || f.Value == "int":
			p.kind = integer
		}
		if f.Initial != "" {
			p.about += " (default " + f.Initial + ")"
		}
		all = append(all, described{p, f})
	}
	return append(all, described{parameter: parameter{name: within, about: "wall time for the whole call, such as 90s; what is found by then is the answer (default 2m)"}})
}

// argument is the name of the argument that stands for a flag.
func argument(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// asArguments writes the flags that a text names as arguments.
func asArguments(text string, known map[string]Flag) string {
	names := slices.SortedFunc(maps.Keys(known), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var pairs []string
	for _, name := range names {
		pairs = append(pairs, "--"+name, argument(name))
	}
	return strings.TrimSuffix(strings.NewReplacer(pairs...).Replace(text), "; may be repeated")
}

// described is a parameter with the flag that it stands for; a zero one for none.
type described struct {
	parameter
	flag Flag
}

// fit makes a list of a string where a tool takes several, and a string of a list of one where it takes one: the same
// argument, such as index, is one of a tool and several of another.
func (v values) fit(parameters []described) {
	for _, p := range parameters {
		switch given := v[p.name].(type) {
		case string:
			if p.kind == texts {
				v[p.name] = []any{given}
			}
		case []any:
			if p.kind == text && len(given) == 1 {
				v[p.name] = given[0]
			}
		}
	}
}

// check says what is wrong with arguments.
func check(t tool, parameters []described, given values) error {
	known := map[string]described{}
	for _, p := range parameters {
		known[p.name] = p
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		p, ok := known[name]
		if !ok {
			return fmt.Errorf("%s has no argument %q; it has %s", t.name, name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		if err := p.kind.check(given[name]); err != nil {
			return fmt.Errorf("%s: expected %w", name, err)
		}
		if n, is := given[name].(float64); is && n < float64(p.least) {
			return fmt.Errorf("%s: expected an integer from %d", name, p.least)
		}
	}
	for _, one := range given.texts(reading) {
		if name, _, _ := strings.Cut(one, "="); !slices.Contains(readingFlags, name) {
			return fmt.Errorf("%s: there is no %q; there are %s", reading, name, strings.Join(readingFlags, ", "))
		}
	}
	for _, p := range parameters {
		if _, ok := given[p.name]; p.isRequired && !ok {
			return fmt.Errorf("%s needs the argument %s: %s", t.name, p.name, p.about)
		}
	}
	for _, name := range t.inputs {
		if given.text(name) == "" && given[name+textOf] == nil {
			return fmt.Errorf("%s needs %s, the path of a file, or %s, its content", t.name, name, name+textOf)
		}
	}
	return nil
}

// check returns what is expected in place of a value.
func (k kind) check(value any) error {
	ok := false
	switch v := value.(type) {
	case string:
		ok = k == text
	case bool:
		ok = k == truth
	case float64:
		ok = k == integer && v == math.Trunc(v) && math.Abs(v) < 1<<53
	case []any:
		ok = k == texts && !slices.ContainsFunc(v, func(one any) bool { _, is := one.(string); return !is })
	}
	if ok {
		return nil
	}
	return fmt.Errorf("%s", map[kind]string{text: "a string", integer: "an integer", truth: "true or false", texts: "a list of strings"}[k])
}

// commandLine returns the flags of a call.
func commandLine(t tool, given values) (args []string) {
	args = append([]string{t.command}, t.fixed...)
	for _, one := range given.texts(reading) {
		args = append(args, "--"+one)
	}
	for _, flag := range t.flags {
		name := argument(flag)
		switch v := given[name].(type) {
		case string:
			args = append(args, "--"+flag+"="+v)
		case bool:
			args = append(args, "--"+flag+"="+strconv.FormatBool(v))
		case float64:
			args = append(args, "--"+flag+"="+strconv.FormatFloat(v, 'f', -1, 64))
		case []any:
			for _, one := range given.texts(name) {
				args = append(args, "--"+flag+"="+one)
			}
		}
	}
	return args
}
