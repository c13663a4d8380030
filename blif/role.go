package blif

import (
	"aiglens/blif/cells"
	"aiglens/blif/statement"
)

// Role says what a statement does with a word.
type Role uint8

// The roles.
const (
	_              Role = iota
	RoleModel           // the name of a model where it is defined
	RoleInstance        // the model or cell of an instance
	RoleFormal          // a pin's name in its model
	roleInput           // declared as an input
	roleClock           // declared as a clock
	RoleOutput          // listed as an output
	RoleOperand         // read by .names, .conn, .short
	roleDefined         // defined by .names, .conn, .short
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
	case roleInput, roleClock, roleDefined, RoleLatch, RolePinOutput:
		return true
	}
	return false
}

// Reads reports whether the value of the signal matters there.
func (r Role) Reads() bool {
	switch r {
	case RoleOutput, RoleOperand, RoleNext, RoleControl, RolePinInput, RoleConstraint, RoleProperty:
		return true
	}
	return false
}

// IsSignal reports whether the word is a signal of the model.
func (r Role) IsSignal() bool {
	return r.drives() || r.Reads() || r == RolePin || r == RoleMention
}

// IsDefinition reports whether the signal gets its value there.
func (r Role) IsDefinition() bool { return r.drives() }

// Roles calls yield for the words of statement i of chunk k that are names, in
// text order. b is what an instance is made of.
func (f *File) Roles(k, i int, b Block, yield func(t uint32, role Role)) {
	c := f.Chunks[k]
	lo, hi := c.TokensOf(i)
	all := func(r Role) {
		for t := lo + 1; t < hi; t++ {
			yield(t, r)
		}
	}
	switch c.Stmts[i].Kind {
	case statement.KindModel:
		if lo+1 < hi {
			yield(lo+1, RoleModel)
		}
	case statement.KindInputs:
		all(roleInput)
	case statement.KindOutputs:
		all(RoleOutput)
	case statement.KindClock:
		all(roleClock)
	case statement.KindConstraint:
		all(RoleConstraint)
	case statement.KindNames, statement.KindConn, statement.KindShort:
		for t := lo + 1; t+1 < hi; t++ {
			yield(t, RoleOperand)
		}
		if lo+1 < hi {
			yield(hi-1, roleDefined)
		}
	case statement.KindLatch:
		f.latchRoles(k, lo, hi, yield)
	case statement.KindSubckt, statement.KindGate, statement.KindMlatch:
		if lo+1 < hi {
			yield(lo+1, RoleInstance)
			f.pinRoles(k, lo+2, hi, c.Stmts[i].Kind, b, yield)
		}
	case statement.KindFlop:
		f.flopRoles(k, lo+1, hi, yield)
	case statement.KindLatchOrder:
		all(RoleMention)
	case statement.KindGateInit:
		for t := lo + 1; t+1 < hi; t += 2 {
			yield(t, RoleMention)
		}
	case statement.KindUnknown:
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
	if n >= 4 && f.IsControl(k, lo+4, n) {
		yield(lo+4, RoleControl)
	}
}

// pinRoles goes over formal=actual pairs.
func (f *File) pinRoles(k int, t, hi uint32, kind statement.Kind, b Block, yield func(t uint32, role Role)) {
	c := f.Chunks[k]
	for ; t+1 < hi; t += 2 {
		if c.Tokens[t+1].Length == 0 && !f.Chunks[k].IsNamedPin(t) {
			if word := f.WordOf(k, c.Tokens[t]); kind == statement.KindMlatch && word != "NIL" && !statement.IsInitialValue(word) {
				yield(t, RoleControl)
			} else if kind != statement.KindMlatch {
				yield(t, RolePin) // by position
			}
			continue
		}
		yield(t, RoleFormal)
		if c.Tokens[t+1].Length == 0 {
			continue
		}
		role := RolePin
		if b.IsKnown() {
			switch dir, _, _ := b.Port(f.NameText(c.Names[t])); dir {
			case cells.Input:
				role = RolePinInput
			case cells.Output:
				role = RolePinOutput
			case cells.Clock:
				role = RoleControl
			}
		}
		yield(t+1, role)
	}
}

// flopRoles goes over the pins of ABC's .flop.
func (f *File) flopRoles(k int, t, hi uint32, yield func(t uint32, role Role)) {
	c := f.Chunks[k]
	for ; t+1 < hi; t += 2 {
		if c.Tokens[t+1].Length == 0 {
			continue
		}
		switch f.NameText(c.Names[t]) {
		case "D":
			yield(t+1, RoleNext)
		case "Q":
			yield(t+1, RoleLatch)
		case "C", "R", "S", "E", "SR", "CE", "async", "sync":
			yield(t+1, RoleControl)
		}
	}
}
