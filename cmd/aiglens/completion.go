package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// completionShells are the shells for which there are scripts, each made of the same table as
// --help.
var completionShells = map[string]func(io.Writer, []described){
	"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion,
}

// completion prints the script that has a shell complete commands, flags and their values.
func completion(_ context.Context, e env, args []string) int {
	fs := newFlags("completion")
	words, code, done := parse(fs, e, args)
	if done {
		return code
	}
	if len(words) == 1 && completionShells[words[0]] == nil {
		return noWord(e, "completion", words[0], slices.Sorted(maps.Keys(completionShells)))
	}
	if len(words) != 1 {
		return problem(e, "completion needs one of bash, zsh and fish")
	}
	var script bytes.Buffer
	completionShells[words[0]](&script, describeCommands())
	_, _ = e.stdout.Write(script.Bytes())
	return exitOK
}

// bashCompletion leaves files to readline, which knows how to quote them, by completing nothing.
// It keeps to what bash 3.2 has, the one of macOS.
func bashCompletion(w io.Writer, all []described) {
	fmt.Fprint(w, `# Completion of aiglens for bash: . <(aiglens completion bash)
_aiglens() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} words=
	COMPREPLY=()
	# --flag=value comes as three words.
	if [ "$cur" = = ]; then
		cur=
	elif [ "$prev" = = ]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
`)
	fmt.Fprintf(w, "\tif [ \"$COMP_CWORD\" = 1 ]; then\n\t\twords='%s --help --version'\n\telse\n\t\tcase \"$command $prev\" in\n", strings.Join(commandNames(all), " "))
	for _, c := range all {
		var files, free []string
		for _, f := range c.flags {
			pattern := fmt.Sprintf("'%s %s'", c.name, f.name)
			switch {
			case f.value == "":
			case f.choices != nil:
				fmt.Fprintf(w, "\t\t%s) words='%s' ;;\n", pattern, strings.Join(f.choices, " "))
			case f.takesFile():
				files = append(files, pattern)
			default:
				free = append(free, pattern)
			}
		}
		if len(files) > 0 {
			fmt.Fprintf(w, "\t\t%s) return ;;\n", strings.Join(files, " | "))
		}
		if len(free) > 0 {
			fmt.Fprintf(w, "\t\t%s) compopt +o default +o bashdefault 2>/dev/null; return ;;\n", strings.Join(free, " | "))
		}
	}
	fmt.Fprint(w, "\t\t*)\n\t\t\tcase \"$command $cur\" in\n")
	for _, c := range all {
		fmt.Fprintf(w, "\t\t\t'%s -'*) words='%s --help' ;;\n", c.name, strings.Join(flagNames(c), " "))
		switch {
		case c.words != nil:
			fmt.Fprintf(w, "\t\t\t'%s '*)\n\t\t\t\tcompopt +o default +o bashdefault 2>/dev/null\n\t\t\t\t[ \"$COMP_CWORD\" != 2 ] || words='%s'\n\t\t\t\t;;\n", c.name, strings.Join(c.words, " "))
		case !c.files:
			fmt.Fprintf(w, "\t\t\t'%s '*) compopt +o default +o bashdefault 2>/dev/null ;;\n", c.name)
		}
	}
	fmt.Fprint(w, `			esac
			;;
		esac
	fi
	[ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _aiglens aiglens
`)
}

// zshCompletion describes every command to _arguments. The script may be sourced, or be the file
// _aiglens of a folder of fpath.
func zshCompletion(w io.Writer, all []described) {
	fmt.Fprint(w, `#compdef aiglens
# Completion of aiglens for zsh: source <(aiglens completion zsh), after compinit
_aiglens() {
	local -a commands
	local command=$words[2]
	if (( CURRENT == 2 )); then
		commands=(
`)
	for _, c := range all {
		fmt.Fprintf(w, "\t\t\t%s\n", zshQuoted(c.name+":"+c.summary))
	}
	fmt.Fprint(w, `		)
		if [[ $words[2] == -* ]]; then
			compadd -- --help --version
		else
			_describe -t commands command commands
		fi
		return
	fi
	shift words
	(( CURRENT-- ))
	case $command in
`)
	for _, c := range all {
		fmt.Fprintf(w, "\t%s)\n\t\t_arguments", c.name)
		for _, f := range c.flags {
			fmt.Fprintf(w, " \\\n\t\t\t%s", zshQuoted(zshFlag(f)))
		}
		fmt.Fprintf(w, " \\\n\t\t\t'--help[say what the command takes]'")
		switch {
		case c.words != nil:
			fmt.Fprintf(w, " \\\n\t\t\t%s", zshQuoted("1:what:("+strings.Join(c.words, " ")+")"))
		case c.files:
			fmt.Fprintf(w, " \\\n\t\t\t'*:file:_files'")
		}
		fmt.Fprint(w, "\n\t\t;;\n")
	}
	fmt.Fprint(w, `	esac
}
if [[ $funcstack[1] == _aiglens ]]; then
	_aiglens "$@"
else
	compdef _aiglens aiglens
fi
`)
}

// zshFlag is a flag as _arguments wants it: *--flag=[text]:value:action.
func zshFlag(f describedFlag) string {
	inBrackets := strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`).Replace(f.brief())
	text := f.name
	switch {
	case f.value == "":
		return text + "[" + inBrackets + "]"
	case strings.HasPrefix(text, "--"):
		text += "="
	}
	if f.repeats {
		text = "*" + text
	}
	text += "[" + inBrackets + "]:" + strings.ReplaceAll(f.value, ":", `\:`) + ":"
	switch {
	case f.choices != nil:
		return text + "(" + strings.Join(f.choices, " ") + ")"
	case f.takesFolder():
		return text + "_files -/"
	case f.takesFile():
		return text + "_files"
	}
	return text + " "
}

func zshQuoted(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// fishCompletion has a line for every command and each of its flags.
func fishCompletion(w io.Writer, all []described) {
	quoted := func(text string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
	}
	fmt.Fprint(w, "# Completion of aiglens for fish: aiglens completion fish | source\n")
	fmt.Fprint(w, "complete -c aiglens -n __fish_use_subcommand -f\ncomplete -c aiglens -l help -d 'say what there is'\ncomplete -c aiglens -n __fish_use_subcommand -l version -d 'print the version'\n")
	for _, c := range all {
		fmt.Fprintf(w, "complete -c aiglens -n __fish_use_subcommand -a %s -d %s\n", c.name, quoted(c.summary))
	}
	for _, c := range all {
		within := quoted("__fish_seen_subcommand_from " + c.name)
		if !c.files {
			fmt.Fprintf(w, "complete -c aiglens -n %s -f\n", within)
		}
		if c.words != nil {
			missing := quoted("__fish_seen_subcommand_from " + c.name + "; and not __fish_seen_subcommand_from " + strings.Join(c.words, " "))
			fmt.Fprintf(w, "complete -c aiglens -n %s -a %s\n", missing, quoted(strings.Join(c.words, " ")))
		}
		for _, f := range c.flags {
			name, isLong := strings.CutPrefix(f.name, "--")
			if isLong {
				name = "-l " + name
			} else {
				name = "-s " + strings.TrimPrefix(f.name, "-")
			}
			takes := ""
			switch {
			case f.value == "":
			case f.choices != nil:
				takes = " -x -a " + quoted(strings.Join(f.choices, " "))
			case f.takesFolder():
				takes = " -x -a '(__fish_complete_directories)'"
			case f.takesFile():
				takes = " -r -F"
			default:
				takes = " -x"
			}
			fmt.Fprintf(w, "complete -c aiglens -n %s %s%s -d %s\n", within, name, takes, quoted(f.brief()))
		}
	}
}

func commandNames(all []described) []string {
	var of []string
	for _, c := range all {
		of = append(of, c.name)
	}
	return of
}

func flagNames(c described) []string {
	var of []string
	for _, f := range c.flags {
		of = append(of, f.name)
	}
	return of
}
