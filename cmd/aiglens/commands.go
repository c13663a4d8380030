package main

import (
	"context"
	"slices"

	"aiglens/design/answers"
)

// command is one of the commands of the program.
type command struct {
	name, summary string
	usage         string // what follows the name; a line for each form
	run           func(ctx context.Context, e env, args []string) int
}

// commandGroup is what people want of some commands.
type commandGroup struct {
	title    string // "" of commands that only the program itself starts
	commands []command
}

// commandGroups returns all commands as --help lists them.
func commandGroups() []commandGroup {
	ofProperties, ofFiles := questionCommands()
	return []commandGroup{
		{"Answer a question", slices.Concat([]command{
			{"check", "prove or refute the properties of circuits", "[flags] FILE|DIR…", check},
			{"cover", "find a run that makes a signal 1 or an expression true, or prove that there is none", "--signal NAME | --zero NAME | --latches [--to FORMAT] [-o OUT] [flags] FILE [EXPRESSION ...]", coverSignals},
			{"equiv", "prove two circuits equal, output by output, or show a run in which they differ", "[--map FILE] [--combinational] [--bound N] [flags] A B", equivalence},
			{"another", "find more counterexamples of a property, or the shortest with a proof", "[--index bad:0] [--count N | --shortest] [flags] FILE", anotherRuns},
		}, ofProperties, []command{
			{"suggest", "guess lemmas for a property that a check leaves without an answer", "[--index bad:0] [--try N] [flags] FILE", suggestLemmas},
			{"isolate", "find out which latches make a property hard, by leaving groups of them free", "[--index bad:0] [--each TIME] [flags] FILE", isolateHard},
		})},
		{"Look at a circuit", slices.Concat([]command{
			{"lint", "print the diagnostics of circuits", "[flags] FILE|DIR…", lint},
			{"at", "show what is known of a place: what it is, its verdict, what proofs say of it, what depends on it", "[--format text|json] [flags] FILE:LINE[:COLUMN]\n[--signal NAME | --property NAME | --index KIND:N] [--format text|json] [flags] FILE", at},
		}, ofFiles, []command{
			{"draw", "draw what properties or signals depend on as a schematic", "[--signal NAME | --index KIND:N] [--nodes N] [--dot|--svg] [-o OUT] [--force] FILE", draw},
			{"replay", "simulate a witness on a circuit", "[--to FORMAT] [-o OUT] [flags] FILE [WITNESS]", replay},
			{"simulate", "run a circuit from its reset state, with given or random inputs", "[--steps N] [--random SEED] [--set STEP:INPUT=VALUE]... [--to FORMAT] [-o OUT] [flags] FILE", simulate},
		})},
		{"Change a circuit", []command{
			{"fmt", "print the canonical text, or write it to the file", "[-w | -d] FILE…", format},
			{"convert", "convert between aag (AIGER as text), aig (binary), blif and btor2", "[-o OUT] [--to aag|aig|blif|btor2] [--force] FILE", convert},
			{"cone", "extract the cone of signals of a circuit as a new file", "--signal NAME [--levels N] [-o OUT] [--to aag|aig|blif|btor2] [--force] FILE", cutCone},
			{"reduce", "shrink a circuit while a command still exits with 0, or a verdict stays", "--while COMMAND | --while-verdict VERDICT | --while-crashes [-o OUT] [flags] FILE", reduce},
		}},
		{"Run many checks", []command{
			{"bench", "run sets of benchmarks, compare runs and report on them", "[flags] DIR… [-- CHECK-FLAGS]", benchmarks},
			{"cache", "show, test or clear the results of earlier runs", "show|verify|clear [--dir DIR] [--repair]", results},
			{"node", "run checks for a cluster of machines", "--join URL | --listen HOST:PORT [flags]", node},
			{"cluster", "show the state of a cluster, or cancel checks in it", "status --on URL [--watch] [--format text|json] [flags]\ncancel --on URL KEY...|--all [flags]", clusterCommand},
		}},
		{"Work with other tools", []command{
			{"certify", "check the witness circuit of a model, as Certifaiger does, or a model or derivation of Horn clauses", "[--format text|json] MODEL CERTIFICATE", checkWitness},
			{"hwmcc", "answer as tools do in the hardware model checking competition of 2025", "[flags] MODEL CERT_SAT [CERT_UNSAT]", compete},
			{"horn", "answer whether systems of Horn clauses are satisfiable: sat, unsat or unknown", "[--model] [--proof] [flags] FILE…", answerHorn},
			{"sby", "act as SymbiYosys' engines suprove and aigbmc", "[--mode prove|bmc|live] [--depth N] [--keep-going] [flags] FILE", answerSBY},
		}},
		{"Serve an editor or an agent", []command{
			{"serve", "run the language server on standard input and output", "[--stdio] [--log LEVEL] [--cache DIR|off]", serve},
			{"mcp", "run a server for agents, over the Model Context Protocol, on standard input and output", "[--folder DIR]... [--write DIR]...", serveAgents},
			{"debug", "run a debug adapter: an editor's debugger walks through counterexamples, or simulates", "[--cache DIR|off]", debugAdapter},
		}},
		{"About this program", []command{
			{"help", "print the help of a command, or the list of commands", "[COMMAND]", help},
			{"completion", "print the completion of commands and flags, as a script for a shell", "bash|zsh|fish", completion},
			{"man", "print the manual page, to be read with man -l", "", manualPage},
		}},
		{"", []command{
			{"worker", "run checks for a server, over standard input and output", "", work},
			{callName, "run a call for a server for agents, over standard input and output", "", answerCall},
		}},
	}
}

func commands() (all []command) {
	for _, g := range commandGroups() {
		all = append(all, g.commands...)
	}
	return all
}

// commandNamed returns the command of a name.
func commandNamed(name string) (c command, ok bool) {
	all := commands()
	i := slices.IndexFunc(all, func(c command) bool { return c.name == name })
	if i < 0 {
		return c, false
	}
	return all[i], true
}

// questionCommands are the commands of the table of questions: those about properties, and those
// about files.
func questionCommands() (ofProperties, ofFiles []command) {
	for _, row := range answers.Table {
		q := tableRow{row}
		if row.Of == answers.OfFile {
			ofFiles = append(ofFiles, command{row.Name, "show " + row.Summary, "[--format text|json] FILE…", q.ofFiles})
		} else {
			ofProperties = append(ofProperties, command{row.Name, "show " + row.Summary, "[--index bad:0] [--format text|json] [flags] FILE", q.ofProperty})
		}
	}
	return ofProperties, ofFiles
}

// flagGroup is what people want of some flags.
type flagGroup struct {
	title string
	// flags are named alone, or with their command where those of other commands are in another
	// group.
	flags []string
}

// flagGroups has each flag in one group, in the order in which --help lists them.
var flagGroups = []flagGroup{
	{"What to do", []string{
		"folder", "write", "property", "index", "lemma", "signal", "zero", "latches", "states", "require-properties",
		"count", "shortest", "try", "again", "map", "by-position", "equiv combinational", "assume-equal-latches", "bound",
		"replay witness", "steps", "random", "set", "minimize", "w", "d", "safety", "constant-resets", "mode", "depth", "keep-going", "levels", "no-constraints",
		"while", "while-verdict", "while-crashes", "same-steps", "names", "repair", "all", "watch",
	}},
	{"Benchmarks", []string{
		"table", "tier", "csv", "report", "with", "compare", "plot", "seeds", "repeat", "cores", "ablate", "against", "against-table", "calibrate", "cut",
	}},
	{"Limits", []string{"timeout", "each", "cpu", "memory", "deadline", "workers", "before", "trial", "trials", "max-input", "calls", "answer", "text"}},
	{"Output", []string{
		"format", "fixes", "to", "map-out", "o", "force", "dot", "svg", "nodes", "bits", "instances", "open", "nets", "rounds", "first",
		"witness", "certificate", "model", "proof", "stats", "facts", "unneeded", "no-vacuity",
	}},
	{"Engine", []string{"engine", "variant", "solver", "tactics", "seed", "jobs", "processes", "trace-log"}},
	{"Words", []string{"ignore-names"}},
	{"Reading BLIF", []string{"bad", "assert", "assume", "output-limit", "combinational", "free-undriven", "one-step", "genlib"}},
	{"Reading BTOR2", []string{"array-gates"}},
	{"Reading Verilog", []string{"top", "reset", "define", "include", "yosys", "synthesis-timeout"}},
	{"Results of earlier runs", []string{"no-cache", "cache", "cache dir"}},
	{"Cluster", []string{"on", "join", "listen", "name", "slots", "only", "drain", "dir", "insecure", "metrics", "token", "ca", "credentials", "prefix"}},
	{"General", []string{"stdio", "log", "version"}},
}

// groupOf returns the group of a flag of a command, and its place in that. One that the table does
// not have, which a test forbids, is in the last group.
func groupOf(command, flag string) (group, place int) {
	for _, name := range []string{command + " " + flag, flag} {
		for g := range flagGroups {
			if i := slices.Index(flagGroups[g].flags, name); i >= 0 {
				return g, i
			}
		}
	}
	return len(flagGroups) - 1, 0
}
