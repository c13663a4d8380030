package design

// Operator is a row of a language of words as it is drawn: a box with what it does, and wires of words.
type Operator struct {
	Signal   Signal // of the row that is drawn: of a row that only names another one, of that
	Kind     SignalKind
	Symbol   string   // what it does: "+", "[7:0]"; of a constant its value
	Entries  []string // what the operands are, by their places, where that matters; "" for the others
	Operands []Lit    // of a latch the next value and, unless that is a constant or any value, the one at the start
	Type     string   // in words, "8 bits"; "" for one bit
	Width    string   // in short, "8"; "" for one bit
	Reset    string   // of a latch: how it starts; "" where an operand says it
}

// OperatorOf returns how the row of a signal is drawn; ok is false in languages of bits, whose gates are drawn.
func OperatorOf(d *Design, s Signal) (o Operator, ok bool) { return d.parse().Operator(s) }
