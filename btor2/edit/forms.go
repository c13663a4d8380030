package edit

import (
	"fmt"
	"strings"

	"aiglens/btor2/syntax"
)

// circuitForm is a whole file: a counter that stops at a limit, which it never passes. It has no diagnostic.
const circuitForm = `1 sort bitvec 1
2 sort bitvec ${1:8}
3 input 1 ${2:enable}
4 zero 2
5 constd 2 ${3:10}
6 state 2 ${4:count}
7 init 2 6 4
8 inc 2 6
9 ult 1 6 5 ${5:below}
10 and 1 3 9
11 ite 2 10 8 6
12 next 2 6 11
13 ugt 1 6 5
14 bad 13 ${6:overflow}
`

// maxForm is how many rows a form has at most.
const maxForm = 3

// form is a row, or some that belong together, with places to fill in. ID stands for the number of the first row, ID1 and
// ID2 for the next ones; SORT for that of the last sort of bit-vectors, BIT for that of 1 bit, and ZERO for a row that is 0
// in SORT. A form is offered where there is all that it names.
type form struct{ label, detail, snippet string }

// forms are those of single rows and of states, as they follow each other in a file.
var forms = [...]form{
	{"sort", "bit-vectors of some bits", "ID sort bitvec ${1:8}"},
	{"array", "sort: arrays, by the sorts of their indices and elements", "ID sort array ${1:SORT} ${2:SORT}"},
	{"input", "any value in each step", "ID input ${1:SORT} ${2:name}"},
	{"state", "a state; an init and a next follow", "ID state ${1:SORT} ${2:name}"},
	{"register", "a state that starts with 0, with its next state", "ID state SORT ${1:name}\nID1 init SORT ID ZERO\nID2 next SORT ID ${2:VALUE}"},
	{"free", "a value that is chosen once: a state that keeps it", "ID state SORT ${1:name}\nID1 next SORT ID ID"},
	{"constant", "a number", "ID ${1|constd,const,consth|} SORT ${2:1}"},
	{"choice", "one of two values, by a condition", "ID ite SORT ${1:CONDITION} ${2:THEN} ${3:ELSE}"},
	{"compare", "whether two values are equal, or one is less", "ID ${1|eq,neq,ult,ulte,ugt,ugte,slt,slte,sgt,sgte|} BIT ${2:LEFT} ${3:RIGHT}"},
	{"bad", "what must not happen", "ID bad ${1:CONDITION} ${2:name}"},
	{"constraint", "what holds in each step", "ID constraint ${1:CONDITION}"},
	{"justice", "conditions that are not all true infinitely often", "ID justice 1 ${1:CONDITION} ${2:name}"},
	{"fair", "what is true infinitely often", "ID fair ${1:CONDITION}"},
	{"output", "a value that others look at", "ID output ${1:VALUE} ${2:name}"},
}

// forms offers those that begin with the word, where so many numbers from one on are free.
func (c *completer) forms(id, free int64) {
	known := c.known()
	for _, f := range forms {
		if rows := int64(strings.Count(f.snippet, "\n") + 1); rows > free || !strings.HasPrefix(f.label, c.word) {
			continue
		}
		snippet := f.snippet
		for i := int64(maxForm - 1); i > 0; i-- {
			snippet = strings.ReplaceAll(snippet, fmt.Sprintf("ID%d", i), fmt.Sprint(id+i))
		}
		snippet = strings.ReplaceAll(snippet, "ID", fmt.Sprint(id))
		for name, row := range known {
			if row > 0 {
				snippet = strings.ReplaceAll(snippet, name, fmt.Sprint(row))
			}
		}
		if !namesRow(snippet, known) && (known["SORT"] > 0 || f.label == "sort") {
			c.add(Completion{Kind: CompleteForm, Label: f.label, Filter: f.label, Detail: f.detail, Snippet: snippet})
		}
	}
}

// namesRow reports whether a snippet names a row that the file lacks.
func namesRow(snippet string, known map[string]int64) bool {
	for name := range known {
		if strings.Contains(snippet, name) {
			return true
		}
	}
	return false
}

// known returns the rows before the line that forms name; 0 for one that is missing.
func (c *completer) known() map[string]int64 {
	rows := map[string]int64{"SORT": 0, "BIT": 0, "ZERO": 0}
	sort := c.lastSort()
	if sort == nil {
		return rows
	}
	rows["SORT"] = sort.ID
	for i := range c.rows {
		switch n := &c.m.Nodes[i]; {
		case !n.Sound:
		case n.Op == syntax.SortRow && isBit(n.Sort):
			rows["BIT"] = n.ID
		case n.Sort == sort.Sort && n.IsConstant(0):
			rows["ZERO"] = n.ID
		}
	}
	return rows
}
