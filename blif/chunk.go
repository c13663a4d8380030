package blif

import "aiglens/internal/source"

// chunk is a run of whole statements. Its positions count from its first byte,
// so that versions of a file can share it.
type chunk struct {
	text    string
	stmts   []stmt
	toks    []tok
	ids     []name // by token; 0 for words that are no names
	rows    []row
	pragmas []pragma
	odd     []oddComment
	// marks are the statements that are no plain logic (Kind.isLogic), ascending.
	marks []uint32
	// remarked holds when some statement has a flag that a diagnostic comes of.
	remarked bool
	// annotated holds when some statement is a .cname, .attr, .param or .gateinit.
	annotated bool
}

// stmt is a statement. Its tokens and rows go up to those of the next one.
type stmt struct {
	start uint32 // of its first line
	tok   uint32 // first token: the directive
	row   uint32 // first row
	kind  Kind
	flags flags
}

// flags say what is remarkable about a statement.
type flags uint8

const (
	flagIndented   flags = 1 << iota // the directive does not start in column 1
	flagJoinSpace                    // white space or a comment follows a '\'
	flagComment                      // a comment follows on the line of the directive
	flagCover                        // of .names: a row is malformed, or of another width or phase
	flagOffSet                       // of .names: the first row has output 0
	flagStray                        // rows where none can stand
	flagBackslash                    // a '\' in the last line
	flagArguments                    // of .latch, .names and attributes: the arguments are not of a legal shape
	flagRemarkable = flagIndented | flagJoinSpace | flagComment | flagCover | flagStray | flagBackslash | flagArguments
)

// tok is a word. Of formal=actual there are two; an actual of length 0 is open.
type tok struct{ start, length uint32 }

// row is a line behind a directive.
type row struct {
	start uint32
	// shape is the number of literals of a cube <<2, + 1 for output 1; of a line
	// that is no cube of 0, 1 and - with output 0 or 1, rowOdd + its length <<2.
	shape uint32
}

const rowOdd = 2

func (r row) isOdd() bool    { return r.shape&rowOdd != 0 }
func (r row) width() int     { return int(r.shape >> 2) }
func (r row) output() uint32 { return r.shape & 1 }

// pragma is a comment line "# prop: kind signals": its words behind "prop:".
type pragma struct {
	stmt  uint32 // the statement that it stands in
	start uint32
	toks  []tok
	ids   []name
}

// oddComment is a comment that is not what it seems to be, or is not the same to
// all readers.
type oddComment struct {
	start, length uint32
	code          source.Code
}

// word returns the text of a token.
func (c *chunk) word(t tok) string { return c.text[t.start : t.start+t.length] }

// isNamedPin reports whether the pin with a formal at token t is written with
// a '='.
func (c *chunk) isNamedPin(t uint32) bool {
	at := skipBlank(c.text, int(c.toks[t].start+c.toks[t].length))
	return at < len(c.text) && c.text[at] == '='
}

// tokens returns the range of the tokens of statement i.
func (c *chunk) tokens(i int) (lo, hi uint32) {
	if i+1 < len(c.stmts) {
		return c.stmts[i].tok, c.stmts[i+1].tok
	}
	return c.stmts[i].tok, uint32(len(c.toks))
}

// rowsOf returns the rows of statement i.
func (c *chunk) rowsOf(i int) []row {
	if i+1 < len(c.stmts) {
		return c.rows[c.stmts[i].row:c.stmts[i+1].row]
	}
	return c.rows[c.stmts[i].row:]
}

// end returns the offset behind statement i.
func (c *chunk) end(i int) uint32 {
	if i+1 < len(c.stmts) {
		return c.stmts[i+1].start
	}
	return uint32(len(c.text))
}
