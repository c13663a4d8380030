package synthesis

import (
	"fmt"
	"strings"
)

// The files of a run, in its folder. Sources are s0/source.sv, s1/source.v and so on.
const (
	scriptFile    = "script.ys"
	checksFile    = "checks.txt" // cells that make properties, of all modules
	coversFile    = "covers.v"
	hierarchyFile = "hierarchy.json" // modules with processes made into flip-flops
	flatFile      = "flat.json"      // one module, with its clocks
	steppedFile   = "stepped.json"   // the same without clocks
	netlistFile   = "netlist.json"   // what the circuit is written from
	mapFile       = "circuit.vmap"
	circuitFile   = "circuit.aig"
)

// undefined makes x an input of its own, before anything may choose its value. techmap leaves x
// where an index lies outside of a vector.
const undefined = "setundef -undriven -anyseq"

// functionPart is in the names that Yosys gives the variables of a call of a function.
const functionPart = "$func$"

// IsOfCall reports whether a name is that of a variable of a call.
func IsOfCall(name string) bool { return strings.Contains(name, functionPart) }

// CoverAttribute marks the asserts of a netlist that stand for covers.
const CoverAttribute = "aiglens_cover"

// covers makes covers asserts of the negation, since AIGER has no covers.
const covers = `(* techmap_celltype = "$cover" *)
module cover_as_assert(input A, input EN);
  \$assert _TECHMAP_REPLACE_ (.A(~A), .EN(EN));
endmodule
`

// script returns the commands of Yosys. It follows that of SymbiYosys for its AIGER engines, but
// keeps wires with names, so that they have values, and covers. With one clock a step is a cycle
// of it, and an assert of a clocked block fails in the step whose end would report it; with
// several a step is one of a clock that no source knows.
func (r *run) script(severalClocks bool) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	for i := range r.request.Files {
		say("%s", r.readCommand(i, ""))
	}
	if r.request.Top == "" {
		say("select -write %s t:$assert t:$cover t:$live t:$check", checksFile)
		say("hierarchy -check -auto-top")
	} else {
		say("hierarchy -check -top %s", r.request.Top)
	}
	say("proc")
	say("write_json %s", hierarchyFile)
	say("flatten")
	say("setattr -set keep 1 w:*") // for opt_clean to leave out memories that nothing reads, and no more
	say("opt_clean")
	say("setattr -unset keep w:*")
	say("memory_collect")
	say("write_json %s", flatFile)
	if severalClocks {
		say("clk2fflogic")
	} else {
		say("async2sync")
		say("write_json %s", steppedFile)
		say("dffunmap")
	}
	if r.version.atLeast(0, 37) { // asserts are cells of another type until then
		say("chformal -lower")
	}
	if !severalClocks {
		say("chformal -early")
	}
	say("memory_map -formal")
	if severalClocks {
		say("formalff -ff2anyinit")
	} else {
		say("formalff -clk2ff -ff2anyinit")
	}
	say(undefined)
	say("delete -output")
	say("setattr -unset keep")
	say("setattr -set keep 1 t:$assert t:$assume t:$cover t:$live t:$fair") // opt merges equal ones
	say("setattr -set keep 1 w:* w:$* %%d w:*" + functionPart + "* %%d")
	for _, command := range []string{"opt -keepdc", "techmap", undefined, "opt -full", "dffunmap", "simplemap", "aigmap"} {
		say("%s", command)
	}
	say("setattr -set %s 1 t:$cover", CoverAttribute)
	say("techmap -map %s t:$cover", coversFile)
	say("aigmap")
	say("opt_clean")
	say("write_json %s", netlistFile)
	say("write_aiger -vmap %s %s", mapFile, circuitFile)
	return b.String()
}

// readCommand has Yosys read a source; flags end in a blank.
func (r *run) readCommand(i int, flags string) string {
	return "read_verilog -formal " + flags + r.dialect(i) + strings.Join(r.includes, "") + r.defines() + r.names[i]
}

// dialect is the flag for a file: one called .v may use words that SystemVerilog reserves.
func (r *run) dialect(i int) string {
	if strings.HasSuffix(r.names[i], ".sv") {
		return "-sv "
	}
	return ""
}

func (r *run) defines() string {
	var b strings.Builder
	for _, d := range r.request.Defines {
		fmt.Fprintf(&b, "-D%s ", d)
	}
	return b.String()
}
