package aiger

// checkJusticeSize reports a justice property without literals.
func (p *parser) checkJusticeSize(_ SectionKind, r int) {
	if p.file.rows.at(r).num[0] == 0 {
		p.Add(CodeJusticeEmpty, p.file.numberSpan(r, 0), "a justice property without literals: every fair path satisfies it")
	}
}

// checkConstantLatch reports a latch that keeps its reset value, as far as the
// row alone shows it.
func (p *parser) checkConstantLatch(_ SectionKind, r int) {
	row := p.file.rows.at(r)
	if !p.misaligned && row.isSound() && row.n >= 2 && row.num[0] == row.num[1] && (row.n == 2 || row.num[2] <= 1) {
		p.Add(CodeLatchConstant, p.file.numberSpan(r, 0), "the latch keeps its reset value: it is constant")
	}
}

// checkTrivialAnd reports a gate that is none or a copy, as far as the row alone
// shows it.
func (p *parser) checkTrivialAnd(_ SectionKind, r int) {
	f := p.file
	row := f.rows.at(r)
	num := &row.num
	if !p.misaligned && row.isTrivial() && num[1]>>1 != num[0]>>1 && num[2]>>1 != num[0]>>1 {
		p.Add(CodeAndTrivial, f.text.LineSpan(f.lineOf(r)), "the AND simplifies to %d", simplified(num[1], num[2]))
	}
}

// isTrivial reports whether an AND has constant, equal or opposite operands.
func (r *row) isTrivial() bool {
	return r.num[1]>>1 == r.num[2]>>1 || r.num[1] <= 1 || r.num[2] <= 1
}

// simplified returns the literal that an AND with constant, equal or opposite
// operands equals.
func simplified(left, right uint32) uint32 {
	switch {
	case left == 0 || right == 0 || left == right^1:
		return 0
	case left == 1:
		return right
	}
	return left
}
