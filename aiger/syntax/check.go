package syntax

import (
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// rowCheck is a check of single rows. A new diagnostic on a row is an entry of
// rowChecks and the function that it names, and nothing else: the entry says
// which rows are suspects, and only those are looked at.
type rowCheck struct {
	// finds are the kinds of diagnostics that the check reports, for the
	// catalogue. One that several checks report stands with the first.
	finds    []findings.Kind
	sections []SectionKind // whose rows the check looks at; nil for all
	// when and also say which rows it looks at: those with one of the traits,
	// and those of the right shape for which also holds. What also looks at
	// besides the row must be what an edit follows: the definitions of the row's
	// variables, and maxLit. It is asked for every row, so it must be quick.
	when traits
	also func(f *File, k SectionKind, r int, row *Numbers) bool
	// run reports what is wrong with row r of a section. It finds nothing on a
	// row that neither when nor also names.
	run func(p *parser, k SectionKind, r int)
}

// traits are what shows of a row so quickly that every row is asked.
type traits uint16

const (
	// isMisshapen says that a row has other numbers than its section asks for.
	// Of the other traits it then has only those that any row may have:
	// hasLeadingZero and keepsValue.
	isMisshapen    traits = 1 << iota
	hasLeadingZero        // a number starts with a superfluous 0
	keepsValue            // a latch that is its own next state
	isMisdefined          // defines no variable, or one that it should not
	usesUndefined         // uses a literal that is not defined
	isEmptyJustice        // a justice property without literals
	isTrivialGate         // constant, equal or opposite operands
)

// rowChecks are the checks of rows, in the order in which they are made.
var rowChecks = []rowCheck{
	{
		finds: []findings.Kind{
			findings.NewKind(CodeLeadingZero, source.Warning, findings.ReachNone, "a number starts with a superfluous 0"),
		},
		when: hasLeadingZero,
		run:  (*parser).checkLeadingZeros,
	},
	{
		finds: []findings.Kind{
			findings.NewKind(codeNotANumber, source.Error, findings.ReachCone, "a number is expected and something else stands there"),
			findings.NewKind(codeNumberTooLarge, source.Error, findings.ReachCone, "a number does not fit: literals are 32-bit, variables 31-bit"),
			findings.NewKind(CodeSurplus, source.Error, findings.ReachCone, "a line goes on after its last number"),
			findings.NewKind(CodeLatchNextMissing, source.Error, findings.ReachCone, "a latch row has no next-state literal"),
			findings.NewKind(CodeAndOperandMissing, source.Error, findings.ReachCone, "an AND row has fewer than two operands"),
		},
		when: isMisshapen,
		run:  (*parser).checkShape,
	},
	{
		finds: []findings.Kind{
			findings.NewKind(CodeDefinitionConstant, source.Error, findings.ReachCone, "a row defines the constant"),
			findings.NewKind(CodeDefinitionOdd, source.Error, findings.ReachCone, "the literal that a row defines is negated"),
			findings.NewKind(CodeDefinitionTwice, source.Error, findings.ReachCone, "a variable is defined by two rows"),
			findings.NewKind(CodeLiteralOutOfRange, source.Error, findings.ReachCone, "a literal exceeds 2M+1"),
		},
		sections: []SectionKind{SectionInputs, SectionLatches, SectionAnds},
		when:     isMisdefined,
		run:      (*parser).checkDefinition,
	},
	{
		finds: []findings.Kind{
			findings.NewKind(CodeUndefinedLiteral, source.Error, findings.ReachCone, "a literal is used that no input, latch or AND defines"),
		},
		sections: []SectionKind{SectionLatches, SectionOutputs, SectionBads, SectionConstraints, SectionJusticeLits, SectionFairness, SectionAnds},
		when:     usesUndefined,
		run:      (*parser).checkUses,
	},
	{
		finds: []findings.Kind{
			findings.NewKind(codeJusticeEmpty, source.Warning, findings.ReachNone, "a justice property has no literal: every fair run violates it"),
		},
		sections: []SectionKind{SectionJustice},
		when:     isEmptyJustice,
		run:      (*parser).checkJusticeSize,
	},
	{
		finds: []findings.Kind{
			findings.NewKind(CodeLatchConstant, source.Hint, findings.ReachNone, "a latch that never leaves its reset value"),
		},
		sections: []SectionKind{SectionLatches},
		when:     keepsValue,
		run:      (*parser).checkConstantLatch,
	},
	{
		finds: []findings.Kind{
			findings.NewKind(CodeAndTrivial, source.Hint, findings.ReachNone, "an AND with constant, equal or opposite operands"),
		},
		sections: []SectionKind{SectionAnds},
		when:     isTrivialGate,
		run:      (*parser).checkTrivialAnd,
	},
}

// checkSet is a list of checks, arranged for the look at every row.
type checkSet struct {
	bySection [numRowSections]sectionChecks
}

// sectionChecks are the checks of the rows of a section.
type sectionChecks struct {
	all  []*rowCheck
	when traits      // of any of them
	also []*rowCheck // those that have a condition of their own
}

// standardChecks are those of every file.
var standardChecks = newCheckSet(rowChecks)

func newCheckSet(checks []rowCheck) *checkSet {
	var set checkSet
	for i := range checks {
		c := &checks[i]
		sections := c.sections
		if sections == nil {
			for k := range SectionKind(numRowSections) {
				sections = append(sections, k)
			}
		}
		for _, k := range sections {
			s := &set.bySection[k]
			s.all = append(s.all, c)
			s.when |= c.when
			if c.also != nil {
				s.also = append(s.also, c)
			}
		}
	}
	return &set
}

// findSuspects looks at every row.
func (f *File) findSuspects() []uint32 {
	var suspects []uint32
	defined := uint32(0) // literals up to this one are defined
	if f.isUnique {
		defined = min(2*f.defs.all+1, f.maxLit)
	}
	lo := 0
	for k, n := range f.counts {
		skipPlain := SectionKind(k) == SectionAnds && len(f.checks.bySection[k].also) == 0
		for base, rows := range f.rows.runs(lo, lo+n) {
			for i := range rows {
				if skipPlain && rows[i].isPlainGate(defined) {
					continue
				}
				if f.isSuspect(SectionKind(k), base+i, &rows[i]) {
					suspects = append(suspects, uint32(base+i))
				}
			}
		}
		lo += n
	}
	return suspects
}

// isPlainGate reports that an AND row has no trait, given that all literals up
// to defined are defined, each by one row. It holds for the usual gate and is
// quicker than traitsOf; another gate without traits it may miss.
func (r *Numbers) isPlainGate(defined uint32) bool {
	return r.N == 3 && r.flags == 0 && r.Num[0]&1 == 0 && r.Num[0] > 1 &&
		max(r.Num[0], r.Num[1], r.Num[2]) <= defined && !r.IsTrivial()
}

// isSuspect reports whether a check has to look at row r of a section. It is
// false for nearly all rows of an ordinary file. What it looks at besides the
// row itself, newRowDiff follows through an edit: the definitions of the row's
// variables, and maxLit.
func (f *File) isSuspect(k SectionKind, r int, row *Numbers) bool {
	checks := &f.checks.bySection[k]
	t := f.traitsOf(k, r, row)
	if t&checks.when != 0 {
		return true
	}
	for _, c := range checks.also {
		if t&isMisshapen == 0 && c.also(f, k, r, row) {
			return true
		}
	}
	return false
}

// traitsOf returns the traits of row r of a section.
func (f *File) traitsOf(k SectionKind, r int, row *Numbers) (t traits) {
	num := &row.Num
	if row.flags&rowZero != 0 {
		t = hasLeadingZero
	}
	if k == SectionLatches && row.N >= 2 && num[0] == num[1] {
		t |= keepsValue
	}
	if !row.fits(k) {
		return t | isMisshapen
	}
	if k.defines() && !f.IsFirst(num[0], r) {
		t |= isMisdefined
	}
	switch k {
	case SectionInputs:
	case SectionAnds:
		if !f.isDefined(num[1]) || !f.isDefined(num[2]) {
			t |= usesUndefined
		}
		if row.IsTrivial() {
			t |= isTrivialGate
		}
	case SectionLatches:
		if !f.isDefined(num[1]) || row.hasReset() && !f.isDefined(num[2]) {
			t |= usesUndefined
		}
	case SectionJustice:
		if num[0] == 0 {
			t |= isEmptyJustice
		}
	default:
		if !f.isDefined(num[0]) {
			t |= usesUndefined
		}
	}
	return t
}

// hasReset reports whether a latch row has a reset that is neither the latch itself, which
// leaves it free, nor left out.
func (r *Numbers) hasReset() bool { return r.N == 3 && r.Num[2] != r.Num[0] }

// fits reports whether a row has the numbers that a section asks for, and
// nothing else.
func (r *Numbers) fits(k SectionKind) bool {
	least, most := rowSize(k)
	return r.IsSound() && least <= r.N && r.N <= most
}

// checkRows checks the suspects, each by itself and against the definitions.
func (p *parser) checkRows() {
	f := p.file
	p.findMisnumbered()
	for _, r := range f.suspects {
		k, _, ok := f.Place(int(r))
		if !ok {
			continue
		}
		row := f.rows.at(int(r))
		t := f.traitsOf(k, int(r), row)
		for _, c := range f.checks.bySection[k].all {
			if t&c.when != 0 || c.also != nil && t&isMisshapen == 0 && c.also(f, k, int(r), row) {
				c.run(p, k, int(r))
			}
		}
	}
	p.settleMisnumbered()
}
