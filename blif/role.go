package blif

// Role says what a statement does with a word.
type Role uint8

// The roles.
const (
	RoleNone       Role = iota
	RoleModel           // the name of a model where it is defined
	RoleInstance        // the model or cell of an instance
	RoleFormal          // a pin's name in its model
	RoleInput           // declared as an input
	RoleClock           // declared as a clock
	RoleOutput          // listed as an output
	RoleOperand         // read by .names, .conn, .short
	RoleDefined         // defined by .names, .conn, .short
	RoleNext            // the data input of a latch
	RoleLatch           // the output of a latch
	RoleControl         // the clock or enable of a latch
	RolePinInput        // read by an instance
	RolePinOutput       // driven by an instance
	RolePin             // joined to an instance whose ports are not known
	RoleConstraint      // assumed to be 0 (.constraint)
	RoleProperty        // named by a "# prop:" comment
	RoleMention         // named by an annotation, a state table or the don't-care network
)

// drives reports whether the signal gets its value there.
func (r Role) drives() bool {
	switch r {
	case RoleInput, RoleClock, RoleDefined, RoleLatch, RolePinOutput:
		return true
	}
	return false
}

// reads reports whether the value of the signal matters there.
func (r Role) reads() bool {
	switch r {
	case RoleOutput, RoleOperand, RoleNext, RoleControl, RolePinInput, RoleConstraint, RoleProperty:
		return true
	}
	return false
}

// IsSignal reports whether the word is a signal of the model.
func (r Role) IsSignal() bool {
	return r.drives() || r.reads() || r == RolePin || r == RoleMention
}

// IsDefinition reports whether the signal gets its value there.
func (r Role) IsDefinition() bool { return r.drives() }

// roles calls yield for the words of statement i of chunk k that are names, in
// text order. b is what an instance is made of.
func (f *File) roles(k, i int, b block, yield func(t uint32, role Role)) {
	c := f.chunks[k]
	lo, hi := c.tokens(i)
	all := func(r Role) {
		for t := lo + 1; t < hi; t++ {
			yield(t, r)
		}
	}
	switch c.stmts[i].kind {
	case KindModel:
		if lo+1 < hi {
			yield(lo+1, RoleModel)
		}
	case KindInputs:
		all(RoleInput)
	case KindOutputs:
		all(RoleOutput)
	case KindClock:
		all(RoleClock)
	case KindConstraint:
		all(RoleConstraint)
	case KindNames, KindConn, KindShort:
		for t := lo + 1; t+1 < hi; t++ {
			yield(t, RoleOperand)
		}
		if lo+1 < hi {
			yield(hi-1, RoleDefined)
		}
	case KindLatch:
		f.latchRoles(k, lo, hi, yield)
	case KindSubckt, KindGate, KindMlatch:
		if lo+1 < hi {
			yield(lo+1, RoleInstance)
			f.pinRoles(k, lo+2, hi, c.stmts[i].kind, b, yield)
		}
	case KindFlop:
		f.flopRoles(k, lo+1, hi, yield)
	case KindLatchOrder:
		all(RoleMention)
	case KindGateInit:
		for t := lo + 1; t+1 < hi; t += 2 {
			yield(t, RoleMention)
		}
	case KindUnknown:
		all(RolePin)
	}
}

func (f *File) latchRoles(k int, lo, hi uint32, yield func(t uint32, role Role)) {
	n := hi - lo - 1
	if n < 2 {
		return
	}
	yield(lo+1, RoleNext)
	yield(lo+2, RoleLatch)
	if n >= 4 && f.isControl(k, lo+4, n) {
		yield(lo+4, RoleControl)
	}
}

// isControl reports whether the fourth argument of a latch with n arguments is
// a signal: neither NIL nor an initial value in its place.
func (f *File) isControl(k int, t, n uint32) bool {
	word := f.word(k, f.chunks[k].toks[t])
	return word != "NIL" && (n > 4 || !isInitialValue(word))
}

func isInitialValue(word string) bool { return len(word) == 1 && word[0] >= '0' && word[0] <= '3' }

// pinRoles goes over formal=actual pairs.
func (f *File) pinRoles(k int, t, hi uint32, kind Kind, b block, yield func(t uint32, role Role)) {
	c := f.chunks[k]
	for ; t+1 < hi; t += 2 {
		if c.toks[t+1].length == 0 && !f.chunks[k].isNamedPin(t) {
			if word := f.word(k, c.toks[t]); kind == KindMlatch && word != "NIL" && !isInitialValue(word) {
				yield(t, RoleControl)
			} else if kind != KindMlatch {
				yield(t, RolePin) // by position
			}
			continue
		}
		yield(t, RoleFormal)
		if c.toks[t+1].length == 0 {
			continue
		}
		role := RolePin
		if b.isKnown() {
			switch dir, _, _ := b.port(f.words.text(c.ids[t])); dir {
			case dirIn:
				role = RolePinInput
			case dirOut:
				role = RolePinOutput
			case dirClock:
				role = RoleControl
			}
		}
		yield(t+1, role)
	}
}

// flopRoles goes over the pins of ABC's .flop.
func (f *File) flopRoles(k int, t, hi uint32, yield func(t uint32, role Role)) {
	c := f.chunks[k]
	for ; t+1 < hi; t += 2 {
		if c.toks[t+1].length == 0 {
			continue
		}
		switch f.words.text(c.ids[t]) {
		case "D":
			yield(t+1, RoleNext)
		case "Q":
			yield(t+1, RoleLatch)
		case "C", "R", "S", "E", "SR", "CE", "async", "sync":
			yield(t+1, RoleControl)
		}
	}
}
