package syntax

// command is what a form does.
type command uint8

const (
	noCommand command = iota
	setLogic
	setInfo
	setOption
	declareFun
	declareConst
	declareRel
	declareVar
	defineFun
	assert
	rule
	query
	checkSat
	getModel // and what else asks for an answer
	ignored  // says nothing about the clauses
	exit
	outside // of what is read
)

// IsSMTLIB reports whether a text starts with a command of SMT-LIB.
func IsSMTLIB(text string) bool {
	f := scanForm(text, nil)
	if len(f.nodes) < 2 || f.nodes[1].kind != kindSymbol {
		return false
	}
	_, ok := commands[f.word(1)]
	return ok
}

// commands are those of SMT-LIB 2.6, and those of Z3's fixed points.
var commands = map[string]command{
	"set-logic": setLogic, "set-info": setInfo, "set-option": setOption,
	"declare-fun": declareFun, "declare-const": declareConst, "declare-rel": declareRel, "declare-var": declareVar,
	"define-fun": defineFun, "assert": assert, "rule": rule, "query": query, "check-sat": checkSat,
	"get-model": getModel, "get-proof": getModel, "get-value": getModel, "get-unsat-core": getModel,
	"get-info": ignored, "get-option": ignored, "get-assertions": ignored, "echo": ignored, "exit": exit,
	"push": outside, "pop": outside, "reset": outside, "reset-assertions": outside, "check-sat-assuming": outside,
	"declare-sort": outside, "define-sort": outside, "declare-datatype": outside, "declare-datatypes": outside,
	"define-fun-rec": outside, "define-funs-rec": outside, "define-const": outside,
}
