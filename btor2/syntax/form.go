package syntax

// Form returns what a row with the tag looks like.
func (o Op) Form() string {
	switch {
	case o == NoOp:
		return ""
	case o.IsAside():
		return "; prop: " + opNames[o] + " NODE \"label\""
	}
	return "ID " + opNames[o] + " " + formOf(o)
}

func formOf(o Op) string {
	switch {
	case o == SortRow:
		return "bitvec WIDTH, or array INDEX ELEMENT"
	case o == Input || o == State || o >= One && o <= Zero:
		return "SORT"
	case o == Const:
		return "SORT BITS"
	case o == Constd:
		return "SORT NUMBER"
	case o == Consth:
		return "SORT DIGITS"
	case o == Init || o == Next:
		return "SORT STATE VALUE"
	case o == Justice:
		return "COUNT CONDITION …"
	case o == Output:
		return "VALUE"
	case o.IsProperty():
		return "CONDITION"
	case o == Slice:
		return "SORT VALUE UPPER LOWER"
	case o == Uext || o == Sext:
		return "SORT VALUE BITS"
	case o == Concat:
		return "SORT UPPER LOWER"
	case o == Ite:
		return "SORT CONDITION THEN ELSE"
	case o == Read:
		return "SORT ARRAY INDEX"
	case o == Write:
		return "SORT ARRAY INDEX VALUE"
	case o.Operands() == 1:
		return "SORT VALUE"
	}
	return "SORT LEFT RIGHT"
}
