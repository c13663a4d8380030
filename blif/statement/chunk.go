package statement

import "sync/atomic"

// Chunk is a run of whole statements. Its positions count from its first byte,
// so that versions of a file can share it. It never changes, except that its filter is computed from Names when it
// is first needed. Token and row numbers count within the chunk.
type Chunk struct {
	Text    string
	Stmts   []Stmt
	Tokens  []Token
	Names   []Name // by token; 0 for words that are not names
	rows    []RawRow
	Pragmas []Pragma
	Words   []Pragma // comment lines "# word: …": the signals that they name as bits
	Odd     []oddComment
	// Marks are the statements that are not plain logic (Kind.isLogic), ascending.
	Marks []uint32
	// Remarked holds when some statement has a flag that a diagnostic comes of.
	Remarked bool
	// Annotated holds when some statement is a .cname, .attr, .param or .gateinit.
	Annotated bool
	HasNUL    bool // a NUL stands somewhere in the text

	filter atomic.Pointer[nameFilter] // of Names, once it has been asked for
}

// nameFilter has a bit set for each name of a chunk: one in seven of the others has that bit, too.
type nameFilter [filterBits / 64]uint64

const filterBits = 8192 // more than five for each word of a chunk

func filterBit(id Name) (word, bit uint32) {
	at := uint32(id) * 2654435769 >> (32 - 13) // Knuth's multiplicative hash, to 13 bits
	return at / 64, at % 64
}

// MayHold reports whether a name may be among those of a chunk: false is certain. The names must not change after the
// first call, which looks at all.
func (c *Chunk) MayHold(id Name) bool {
	f := c.filter.Load()
	if f == nil {
		f = new(nameFilter)
		for _, own := range c.Names {
			word, bit := filterBit(own)
			f[word] |= 1 << bit
		}
		c.filter.Store(f)
	}
	word, bit := filterBit(id)
	return f[word]>>bit&1 == 1
}

// Stmt is a statement as a chunk stores it. Its tokens and rows go up to those of
// the next one. Tree.Statement makes a Statement of it.
type Stmt struct {
	Start uint32 // of its first line
	Token uint32 // first token: the directive
	row   uint32 // first row
	Kind  Kind
	Flags flags
}

// flags say what is remarkable about a statement.
type flags uint8

// The flags.
const (
	FlagIndented   flags = 1 << iota // the directive does not start in column 1
	FlagJoinSpace                    // white space or a comment follows a '\'
	FlagComment                      // a comment follows on the line of the directive
	FlagCover                        // of .names: a row is malformed, or of another width or phase
	FlagOffSet                       // of .names: the first row has output 0
	FlagStray                        // rows where none can stand
	FlagBackslash                    // a '\' in the last line
	FlagArguments                    // of .latch, .names and attributes: the arguments are not of a legal shape
	FlagRemarkable = FlagIndented | FlagJoinSpace | FlagComment | FlagCover | FlagStray | FlagBackslash | FlagArguments
)

// Token is a word. Of formal=actual there are two; an actual of length 0 is open.
type Token struct{ Start, Length uint32 }

// RawRow is a line after a directive as a chunk stores it. Tree.RowAt makes a
// Row of it.
type RawRow struct {
	Start uint32
	// shape is the number of literals of a cube <<2, + 1 for output 1; of a line
	// that is not a cube of 0, 1 and - with output 0 or 1, rowOdd + its length <<2.
	shape uint32
}

const rowOdd = 2

// IsOdd reports whether the line is not a cube with an output.
func (r RawRow) IsOdd() bool { return r.shape&rowOdd != 0 }

// Width returns the number of literals of a cube, or the length of an odd line.
func (r RawRow) Width() int { return int(r.shape >> 2) }

// Output returns the output of a cube, 0 or 1.
func (r RawRow) Output() uint32 { return r.shape & 1 }

// Pragma is a comment line "# prop: kind signals": its words after "prop:".
type Pragma struct {
	Statement uint32 // the statement that it stands in
	Start     uint32
	Tokens    []Token
	Names     []Name
}

// oddComment is a comment that is not what it seems to be, or is not the same to
// all readers.
type oddComment struct {
	Start, Length uint32
	Joins         bool // a comment line that ends in a '\'; else one that looks like a property
}

// Word returns the text of a token.
func (c *Chunk) Word(t Token) string { return c.Text[t.Start : t.Start+t.Length] }

// IsNamedPin reports whether the pin with a formal at token t is written with
// a '='.
func (c *Chunk) IsNamedPin(t uint32) bool {
	at := SkipBlank(c.Text, int(c.Tokens[t].Start+c.Tokens[t].Length))
	return at < len(c.Text) && c.Text[at] == '='
}

// TokensOf returns the range of the tokens of statement i.
func (c *Chunk) TokensOf(i int) (lo, hi uint32) {
	if i+1 < len(c.Stmts) {
		return c.Stmts[i].Token, c.Stmts[i+1].Token
	}
	return c.Stmts[i].Token, uint32(len(c.Tokens))
}

// RowsOf returns the rows of statement i.
func (c *Chunk) RowsOf(i int) []RawRow {
	if i+1 < len(c.Stmts) {
		return c.rows[c.Stmts[i].row:c.Stmts[i+1].row]
	}
	return c.rows[c.Stmts[i].row:]
}

// End returns the offset after statement i.
func (c *Chunk) End(i int) uint32 {
	if i+1 < len(c.Stmts) {
		return c.Stmts[i+1].Start
	}
	return uint32(len(c.Text))
}
