package agents

import "slices"

// tool is one of the tools.
type tool struct {
	name, command string
	about         string   // for the agent: when to use it, and what the answer says
	inputs        []string // what the files are called that it reads
	fixed         []string // follows the name of the command
	flags         []string // of the command, which the agent may give
	needs         []string // of these, what it must give
	reads         bool     // it takes flags of readingFlags, too
	own           []parameter
	// operands returns what follows the flags, and what is read from standard input. nil: the files.
	operands func(files []string, own values) (operands []string, stdin string)
	example  string // of the arguments
}

// parameter is an argument of a tool that is no flag of its command.
type parameter struct {
	name, about string
	kind        kind
	isRequired  bool
	least       int // of an integer
}

// kind is the type of an argument.
type kind int

const (
	text kind = iota
	integer
	truth
	texts
)

var (
	property          = []string{"index", "property"}
	limits            = []string{"timeout", "cpu"}
	propertyAndLimits = slices.Concat(property, limits)
	// readingFlags say what the circuit of a file is. An agent needs them rarely: they are one argument of a tool.
	readingFlags = []string{"bad", "assert", "assume", "output-limit", "combinational", "free-undriven", "one-step", "array-gates", "ignore-names"}
	json         = []string{"--format", "json"}
)

// certificates asks for the files that show a verdict.
var certificates = parameter{name: "certificates", kind: truth, about: "also return the counterexample of each refuted property, and for each proved one a circuit with its invariant: " +
	"'aiglens certify', or any program that checks such circuits, tests them again. Of Horn clauses: definitions or a derivation"}

// tools are all of them, in the order in which they are listed.
var tools = []tool{
	{
		name: "lint", command: "lint", inputs: []string{"file"}, fixed: json, reads: true,
		about:   "What is wrong or suspicious in a file, each with its place (lines and columns from 1), its code and a way out. No diagnostics: an empty answer.",
		example: `{"file": "fifo.aag"}`,
	},
	{
		name: "fix", command: "lint", inputs: []string{"file"}, fixed: append([]string{"--fixes"}, json...), reads: true,
		about: "What is wrong in a file, with the edits that fix it. The edits of a fix are of one text: make them from the last to the first. " +
			"A fix that is not preferred changes what the file means.",
		example: `{"file": "fifo.aag"}`,
	},
	{
		name: "check", command: "check", inputs: []string{"file"}, fixed: json,
		reads: true, flags: slices.Concat(property, limits, []string{"memory", "engine", "facts", "unneeded", "no-vacuity", "stats"}), own: []parameter{certificates},
		about: "Prove or refute the properties of a file. A line for each: proved and refuted are certified (checked: true), unknown says which limit was reached. " +
			"A refuted property fails in the last of its 'steps', counted from 0. Vacuous proofs mean little.",
		example: `{"file": "fifo.aag", "timeout": "20s"}`,
	},
	{
		name: "trace", command: "another", inputs: []string{"file"}, fixed: append([]string{"--count", "1"}, json...), reads: true, flags: propertyAndLimits,
		about: "The counterexample of a refuted property, only what matters of it: the values of words, latches and inputs over the steps, each with its line. " +
			"x: the value has no part in the failure. 'witness' is for 'what_if'.",
		example: `{"file": "fifo.aag", "index": "bad:0"}`,
	},
	{
		name: "explain", command: "at", inputs: []string{"file"}, fixed: json, reads: true, flags: slices.Concat([]string{"signal"}, limits),
		own: []parameter{
			{name: "line", kind: integer, least: 1, about: "from 1, in the place of a signal"},
			{name: "column", kind: integer, least: 1, about: "from 1, in bytes (default 1)"},
		},
		operands: func(files []string, own values) ([]string, string) {
			if own["line"] == nil || own["signal"] != nil {
				return files, ""
			}
			place := files[0] + ":" + own.integer("line", 1)
			return []string{place + ":" + own.integer("column", 1)}, ""
		},
		about: "What is known of a signal, or of a line: what stands there, its formula in names, what it and what reads it depend on, and what proofs say of it. " +
			"Ranges in the answer count lines and characters from 0.",
		example: `{"file": "fifo.aag", "signal": "full"}`,
	},
	{
		name: "why", command: "at", inputs: []string{"file"}, fixed: json, reads: true, flags: propertyAndLimits,
		about: "Why a property fails: its verdict, and under property.why the values that caused the failure, each with those that caused it and the place of its signal. " +
			"Where 'cut' is true, more causes follow: 'explain' the signal.",
		example: `{"file": "fifo.aag", "index": "bad:0"}`,
	},
	{
		name: "what_if", command: "replay", inputs: []string{"file"}, fixed: []string{"--witness", "-", "--to", "markdown"}, reads: true, flags: slices.Concat(property, []string{"set", "minimize"}),
		own:      []parameter{witness},
		operands: func(files []string, own values) ([]string, string) { return files, own.text("witness") },
		about: "Simulate a counterexample again, with other values of inputs (set: [\"2:request=0\"]): does the property still fail? " +
			"The witness is that of 'trace', or of 'check' with certificates, in the format of AIGER or BTOR2.",
		example: `{"file": "fifo.aag", "witness": "1\nb0\n000\n1\n.\n", "set": ["0:push=0"]}`,
	},
	{
		name: "simulate", command: "simulate", inputs: []string{"file"}, fixed: []string{"--to", "markdown"}, reads: true, flags: slices.Concat(property, []string{"steps", "random", "set", "nets"}),
		about:   "Run a circuit from its reset state: with 0 for each input, or random ones (random: a seed), and with those that 'set' gives. The answer is a table of the run; the notes say which properties fail in it.",
		example: `{"file": "fifo.aag", "steps": 12, "random": 1, "set": ["0:push=1"]}`,
	},
	{
		name: "facts", command: "proof", inputs: []string{"file"}, fixed: json, reads: true, flags: propertyAndLimits,
		about:   "The proof of a property, as facts about its latches in names and numbers that hold in every reachable state.",
		example: `{"file": "fifo.aag"}`,
	},
	{
		name: "unneeded", command: "check", inputs: []string{"file"}, fixed: append([]string{"--unneeded"}, json...), reads: true, flags: propertyAndLimits,
		about:   "What the proof of a property does not need: latches that could be free, and constraints that could go.",
		example: `{"file": "fifo.aag", "index": ["bad:0"]}`,
	},
	{
		name: "cover", command: "cover", inputs: []string{"file"}, fixed: json, reads: true, flags: slices.Concat(limits, []string{"signal", "zero", "latches"}),
		own: []parameter{{name: "expressions", kind: texts, about: "over one step, such as \"count == 9\" or \"request & !grant\""}},
		operands: func(files []string, own values) ([]string, string) {
			return append(files, own.texts("expressions")...), ""
		},
		about:   "Can this ever happen? A run that reaches an expression or makes a signal 1, or a proof that none does.",
		example: `{"file": "fifo.aag", "expressions": ["count == 3"]}`,
	},
	{
		name: "equiv", command: "equiv", inputs: []string{"a", "b"}, fixed: json, flags: append(limits, "memory", "by-position", "combinational", "assume-equal-latches", "bound"),
		about:   "Are two circuits equal, output by output? Each pair is proved equal, or has a run in which it differs.",
		example: `{"a": "before.blif", "b": "after.aag"}`,
	},
	{
		name: "obstacle", command: "obstacle", inputs: []string{"file"}, fixed: json, reads: true, flags: slices.Concat(propertyAndLimits, []string{"lemma"}),
		about: "Why a check found no proof in its time: a step that its lemmas allow and that leads to a failure. " +
			"Its first state is not known to be reachable: either it is, and the property fails, or a lemma that excludes it is missing. 'state' is an expression for it, which 'cover' takes.",
		example: `{"file": "hard.aag", "timeout": "10s"}`,
	},
	{
		name: "suggest_lemmas", command: "suggest", inputs: []string{"file"}, fixed: json, reads: true, flags: slices.Concat(property, limits, []string{"memory", "before", "trial", "trials", "first", "try", "lemma"}),
		about:   "Lemmas that could help to prove a property which a check leaves unknown, best first. They are guesses: with 'try', those that are proved are used in another check; 'try_lemma' takes their 'lemma'.",
		example: `{"file": "hard.aag", "timeout": "10s", "try": 3}`,
	},
	{
		name: "try_lemma", command: "check", inputs: []string{"file"}, fixed: json, needs: []string{"lemma"}, reads: true, flags: slices.Concat([]string{"lemma"}, property, limits, []string{"memory"}), own: []parameter{certificates},
		about: "Is a lemma true, and is it enough? Checks expressions over one step, such as \"count <= 8\", together with the properties, whose proofs may rest on those that are proved. " +
			"A refuted lemma fails in the last of its 'steps'; an unknown one helps nothing.",
		example: `{"file": "hard.aag", "lemma": ["count <= 8"], "timeout": "10s"}`,
	},
	{
		name: "isolate", command: "isolate", inputs: []string{"file"}, fixed: json, reads: true, flags: slices.Concat(property, limits, []string{"each"}),
		about:   "Which latches make a property hard: checks in which groups of them are free.",
		example: `{"file": "hard.aag", "timeout": "10s"}`,
	},
	{
		name: "another", command: "another", inputs: []string{"file"}, fixed: json, reads: true, flags: slices.Concat(property, limits, []string{"count", "shortest"}),
		about:   "More counterexamples of a property, which fail in other ways, or the shortest one with a proof that none is shorter.",
		example: `{"file": "fifo.aag", "shortest": true}`,
	},
	{
		name: "reduce", command: "reduce", inputs: []string{"file"}, needs: []string{"while-verdict"}, reads: true, flags: []string{"while-verdict", "same-steps", "index", "timeout"},
		about:   "The smallest circuit that still has a verdict: what is not needed for a failure is left out. The answer is its text.",
		example: `{"file": "fifo.aag", "while_verdict": "refuted"}`,
	},
	{
		name: "stats", command: "stats", inputs: []string{"file"}, fixed: json, reads: true,
		about:   "Sizes of a circuit: inputs, latches, gates, levels, cones of the properties, words.",
		example: `{"file": "fifo.aag"}`,
	},
	{
		name: "convert", command: "convert", inputs: []string{"file"}, needs: []string{"to"}, reads: true, flags: []string{"to"},
		about:   "The circuit in another language: aag, blif or btor2. The answer is its text; that of aig is a file.",
		example: `{"file": "fifo.aag", "to": "blif"}`,
	},
	{
		name: "cone", command: "cone", inputs: []string{"file"}, needs: []string{"signal"}, reads: true, flags: []string{"signal", "levels", "to"},
		about:   "What some signals depend on, as a circuit of its own. The answer is its text.",
		example: `{"file": "fifo.aag", "signal": ["full"]}`,
	},
	{
		name: "format", command: "fmt", inputs: []string{"file"}, flags: []string{inPlace},
		about: "The canonical text of a file. Where the server may write, and with 'w', it takes the place of the file: of the file as it is, or of 'file_text'. " +
			"The answer is then a diff, and 'files' has what the file was before.",
		example: `{"file": "fifo.aag"}`,
	},
}

var witness = parameter{name: "witness", kind: text, isRequired: true, about: "its text"}
