package statement

import "strings"

// Kind says which directive starts a statement.
type Kind uint8

// The kinds of statements.
const (
	KindText    Kind = iota // what stands before the first directive
	KindUnknown             // a directive that no dialect knows
	KindModel
	KindInputs
	KindOutputs
	KindClock
	KindNames
	KindLatch
	KindMlatch
	KindGate
	KindSubckt
	KindSearch
	KindEnd
	KindExdc
	KindStartKiss
	KindEndKiss
	KindKissHeader // .i .o .p .s .r of a state table
	KindLatchOrder
	kindCode
	KindAnnotation // area, delay, clock events and other directives without logic
	KindBlackbox
	KindConstraint
	KindFlop
	KindShort // .short and .barbuf: in out
	KindConn  // from to
	KindCname
	KindAttr
	KindParam
	KindGateInit
	KindMV // a directive of BLIF-MV
)

// directives maps the words to the kinds. Sources: the Berkeley text for most;
// ABC for .constraint .flop .short .onehot .ltlformula .no_merge .attrib .wd
// .and_gate_delay .barbuf; Yosys and VTR for .conn .cname .attr .param; Yosys
// for .gateinit.
var directives = map[string]Kind{
	".model": KindModel, ".inputs": KindInputs, ".input": KindInputs, ".outputs": KindOutputs, ".output": KindOutputs,
	".clock": KindClock, ".names": KindNames, ".latch": KindLatch, ".mlatch": KindMlatch, ".gate": KindGate,
	".subckt": KindSubckt, ".search": KindSearch, ".end": KindEnd, ".exdc": KindExdc,
	".start_kiss": KindStartKiss, ".end_kiss": KindEndKiss, ".latch_order": KindLatchOrder, ".code": kindCode,
	".i": KindKissHeader, ".o": KindKissHeader, ".p": KindKissHeader, ".s": KindKissHeader, ".r": KindKissHeader,
	".blackbox": KindBlackbox, ".constraint": KindConstraint, ".flop": KindFlop, ".short": KindShort,
	".barbuf": KindShort, ".conn": KindConn, ".cname": KindCname, ".attr": KindAttr, ".param": KindParam,
	".gateinit": KindGateInit,
	".table":    KindMV, ".mv": KindMV, ".def": KindMV, ".default": KindMV, ".reset": KindMV,
	".cycle": KindAnnotation, ".clock_event": KindAnnotation, ".area": KindAnnotation, ".delay": KindAnnotation,
	".wire_load_slope": KindAnnotation, ".wire": KindAnnotation, ".input_arrival": KindAnnotation,
	".output_required": KindAnnotation, ".input_drive": KindAnnotation, ".output_load": KindAnnotation,
	".max_input_load": KindAnnotation, ".input_required": KindAnnotation, ".output_arrival": KindAnnotation,
	".onehot": KindAnnotation, ".ltlformula": KindAnnotation, ".no_merge": KindAnnotation, ".attrib": KindAnnotation,
	".wd": KindAnnotation, ".and_gate_delay": KindAnnotation,
}

// kindOf finds the kind of a directive.
func kindOf(word string) Kind {
	switch word { // by far the most frequent ones
	case ".names":
		return KindNames
	case ".latch":
		return KindLatch
	}
	if k, ok := directives[word]; ok {
		return k
	}
	if strings.HasPrefix(word, ".default_") {
		if k, ok := directives["."+word[len(".default_"):]]; ok && k == KindAnnotation {
			return k
		}
	}
	return KindUnknown
}

// HasPins reports whether the arguments are formal=actual, or net=value.
func (k Kind) HasPins() bool {
	return k == KindSubckt || k == KindGate || k == KindMlatch || k == KindFlop || k == KindGateInit
}

// IsInstance reports whether the first argument is a model or a cell.
func (k Kind) IsInstance() bool { return k == KindSubckt || k == KindGate || k == KindMlatch }

// hasNames reports whether the arguments are interned: they hold signals,
// models or states.
func (k Kind) hasNames() bool {
	switch k {
	case KindText, KindAnnotation, KindAttr, KindParam, KindSearch, KindMV, KindCname:
		return false
	}
	return true
}

// isLogic reports whether a statement of this kind stands in the body of a
// model and says nothing about its structure.
func (k Kind) isLogic() bool {
	switch k {
	case KindNames, KindLatch, KindMlatch, KindGate, KindSubckt, KindConn, KindShort, KindFlop:
		return true
	case KindCname, KindAttr, KindParam, KindGateInit, KindAnnotation:
		return true
	}
	return false
}
