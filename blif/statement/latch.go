package statement

// InitialValue returns the initial value that a latch statement gives, or "".
func (f *Tree) InitialValue(id int) string {
	k, i := f.Locate(id)
	c := f.Chunks[k]
	lo, hi := c.TokensOf(i)
	n := hi - lo - 1
	switch c.Stmts[i].Kind {
	case KindLatch:
		if n == 3 || n == 5 {
			return f.WordOf(k, c.Tokens[hi-1])
		}
	case KindMlatch: // after the control signal
		if hi-lo >= 4 && c.Tokens[hi-1].Length == 0 && !f.Chunks[k].IsNamedPin(hi-2) {
			if word := f.WordOf(k, c.Tokens[hi-2]); IsInitialValue(word) {
				return word
			}
		}
	case KindFlop:
		for t := lo + 1; t+1 < hi; t += 2 {
			if f.NameText(c.Names[t]) == "init" {
				return f.WordOf(k, c.Tokens[t+1])
			}
		}
	}
	return ""
}

// latchFault is what is wrong with the arguments of a .latch.
type latchFault uint8

// The faults.
const (
	latchSound     latchFault = iota
	LatchCount                // fewer than 2 arguments, or more than 5
	LatchInit                 // the last one is not an initial value
	LatchType                 // the third of four or five is not a type
	LatchNoControl            // a type without a control after it
)

// latchFault checks the four legal shapes of a .latch.
func (l *lexer) latchFault(args []Token) latchFault {
	word := func(i int) string { return l.s[l.base+int(args[i].Start):][:args[i].Length] }
	return LatchFaultOf(len(args), word)
}

// LatchFaultOf checks n arguments, which word returns.
func LatchFaultOf(n int, word func(i int) string) latchFault {
	switch {
	case n < 2 || n > 5:
		return LatchCount
	case n == 3 && isLatchType(word(2)):
		return LatchNoControl
	case n == 3 && !IsInitialValue(word(2)):
		return LatchInit
	case n >= 4 && !isLatchType(word(2)):
		return LatchType
	case n == 4 && IsInitialValue(word(3)):
		return LatchNoControl
	case n == 5 && !IsInitialValue(word(4)):
		return LatchInit
	}
	return latchSound
}

func isLatchType(word string) bool {
	switch word {
	case "re", "fe", "ah", "al", "as":
		return true
	}
	return false
}

// IsControl reports whether the fourth argument of a latch with n arguments is
// a signal: neither NIL nor an initial value in its place.
func (f *Tree) IsControl(k int, t, n uint32) bool {
	word := f.WordOf(k, f.Chunks[k].Tokens[t])
	return word != "NIL" && (n > 4 || !IsInitialValue(word))
}

// IsInitialValue reports whether a word is 0, 1, 2 or 3.
func IsInitialValue(word string) bool { return len(word) == 1 && word[0] >= '0' && word[0] <= '3' }
