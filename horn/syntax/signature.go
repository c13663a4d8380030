package syntax

import (
	"iter"
	"maps"
	"slices"

	"aiglens/horn/term"
)

// signatures say how operators are applied. NoSort stands for the sort of the arguments.
var signatures = map[string]OperatorSignature{
	"true": {nil, term.Bool, "holds always"}, "false": {nil, term.Bool, "holds never; as the head of a clause it makes a query"},
	"not": {[]string{"Bool"}, term.Bool, "holds if its argument does not"},
	"and": {[]string{"Bool", "Bool …"}, term.Bool, "holds if all arguments do"},
	"or":  {[]string{"Bool", "Bool …"}, term.Bool, "holds if one argument does"},
	"=>":  {[]string{"Bool", "Bool …"}, term.Bool, "the last argument follows from all others"},
	"xor": {[]string{"Bool", "Bool …"}, term.Bool, "holds if an odd number of arguments does"},
	"=":   {[]string{"A", "A …"}, term.Bool, "all arguments, of one sort, are equal"}, "distinct": {[]string{"A", "A …"}, term.Bool, "no two arguments are equal"},
	"ite": {[]string{"Bool", "A", "A"}, term.NoSort, "the second argument if the first holds, else the third"},
	"<=":  {[]string{"Number", "Number …"}, term.Bool, "each argument is at most the next"}, "<": {[]string{"Number", "Number …"}, term.Bool, "each argument is less than the next"},
	">=": {[]string{"Number", "Number …"}, term.Bool, "each argument is at least the next"}, ">": {[]string{"Number", "Number …"}, term.Bool, "each argument is greater than the next"},
	"+": {[]string{"Number", "Number …"}, term.NoSort, "the sum"},
	"-": {[]string{"Number", "Number …"}, term.NoSort, "the difference; of one argument, its negation"},
	"*": {[]string{"Number", "Number …"}, term.NoSort, "the product, in which all arguments but one are constants"},
	"/": {[]string{"Real", "Real …"}, term.Real, "the quotient by constants"}, "div": {[]string{"Int", "Int …"}, term.Int, "the quotient by constants, rounded so that the remainder is never negative"},
	"mod": {[]string{"Int", "Int"}, term.Int, "the remainder by a constant, which is never negative"},
	"abs": {[]string{"Int"}, term.Int, "the argument without its sign"}, "to_real": {[]string{"Int"}, term.Real, "the same number as a Real"},
	"forall": {[]string{"((NAME SORT) …)", "Bool"}, term.Bool, "holds for all values of the variables"}, "exists": {[]string{"((NAME SORT) …)", "Bool"}, term.Bool, "holds for some values of the variables"},
	"let": {[]string{"((NAME TERM) …)", "TERM"}, term.NoSort, "the last term, in which the names stand for the terms"},
}

// sortedKeys yields the keys of a table.
func sortedKeys[V any](table map[string]V) iter.Seq[string] {
	return slices.Values(slices.Sorted(maps.Keys(table)))
}
