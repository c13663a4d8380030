package syntax

import (
	"strconv"
	"strings"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// meaning resolves the arguments of the row and checks its sorts.
func (r *resolver) meaning() {
	switch op := r.row.op; {
	case op == SortRow:
		r.sortRowMeans()
	case op == Justice:
		r.justice()
	case op.IsAside():
		resolveAside(r)
	case op.IsProperty():
		r.property()
	case op.HasSort() || op >= Const && op <= Zero:
		sort, ok := r.sort(0)
		r.now.sort = sort
		switch {
		case op == Input:
			r.now.usesInput = true
		case op == State:
		case op <= Zero:
			r.constant(sort)
		case op == Init, op == Next:
			r.initNext(sort)
		default:
			r.operator(sort)
		}
		if !ok {
			r.now.sound = false
		}
	}
}

// sortRowMeans reads a row that defines a sort.
func (r *resolver) sortRowMeans() {
	if !r.row.array {
		if len(r.args) == 0 || r.args[0] < 0 {
			r.now.sound = false
			return
		}
		if r.args[0] == 0 {
			r.wrong(codeWidthZero, 0, "a bit-vector has at least 1 bit, found a width of 0")
			return
		}
		if r.args[0] > MaxWidth {
			r.wrong(codeWidthBeyond, 0, "at most %s are read, found %d", bitCount(MaxWidth), r.args[0])
		}
		r.defineSort(span32{width: int32(r.args[0])})
		return
	}
	index, ok := r.sort(0)
	element, ok2 := r.sort(1)
	for i, part := range []span32{index, element} {
		if part.isArray() {
			r.wrong(codeNestedArray, i, "the %s of an array is a bit-vector, found an array: no tool reads nested arrays",
				[]string{"index", "element"}[i])
			ok = false
		}
	}
	if ok && ok2 {
		r.defineSort(span32{element.width, index.width})
	}
}

// defineSort notes the sort of the row, and whether an earlier row defines the same.
func (r *resolver) defineSort(sort span32) {
	r.now.sort = sort
	first, ok := r.sorts.rowOf[sort]
	if !ok {
		r.defineFirst(sort)
		return
	}
	if first == r.n {
		return
	}
	if d := r.wrong(codeSortRepeated, whole, "this is the sort of row %d again: %s", r.idOf(first), sort.sort()); d != nil {
		d.Relate(r.idSpan(first), "the sort is defined here")
		d.Fixes = []source.Fix{{Title: "Use row " + strconv.FormatInt(r.idOf(first), 10) + " and delete this one", Later: r.useInstead(r.n, first)}}
	}
}

// defineFirst notes the first row of a sort.
func (r *resolver) defineFirst(sort span32) {
	if r.hasRows { // the sort is another one than in the version before
		r.isTangled = true
		return
	}
	r.sorts.add(sort, r.n)
}

// target returns the row that an argument names: the one that is known already, or that with its number.
func (r *finder) target(arg int) (row int, ok bool) {
	if ref := r.refs[arg]; ref != NoRef {
		r.refs[arg] = NoRef // until it is found to be of the right kind again
		return ref.Node(), true
	}
	id := r.args[arg]
	return r.ids.find(max(id, -id))
}

// sort resolves an argument that has to be a sort.
func (r *resolver) sort(arg int) (sort span32, ok bool) {
	if arg >= len(r.args) || r.args[arg] == notNumber {
		r.now.sound = false // the writing of the row was wrong
		return span32{}, false
	}
	id := r.args[arg]
	row, ok := r.target(arg)
	switch {
	case !ok:
		d := r.wrong(codeUndefinedSort, arg, "a sort is expected, and no row has the number %d", max(id, -id))
		r.offerSorts(d, arg, 0)
		return span32{}, false
	case row >= r.n:
		r.forward(arg, row)
		return span32{}, false
	case r.rows[row].op != SortRow:
		d := r.wrong(codeSortExpected, arg, "a sort is expected, found row %d, which is %s", max(id, -id), r.rows[row].op.article())
		if d != nil {
			d.Relate(r.idSpan(row), "row %d", max(id, -id))
		}
		r.offerSorts(d, arg, int(r.rows[row].sort.width))
		return span32{}, false
	}
	r.refs[arg] = Ref(2 * row)
	if id < 0 {
		if d := r.wrong(codeSortNegated, arg, "a sort has no negation, found %d", id); d != nil {
			d.AddPreferredFix("Delete the sign", source.Edit{Span: source.Span{Start: d.Span.Start, Length: 1}})
		}
	}
	if !r.rows[row].sound {
		r.now.sound = false
	}
	return r.rows[row].sort, r.rows[row].sort.known()
}

// forward notes an argument that is defined in this row or after it.
func (r *finder) forward(arg, row int) {
	if row == r.n {
		r.wrong(CodeForwardReference, arg, "a row may use only rows before it, and this one uses itself")
		return
	}
	if d := r.wrong(CodeForwardReference, arg, "a row may use only rows before it, and %d is defined after it", r.idOf(row)); d != nil {
		d.Relate(r.idSpan(row), "%d is defined here", r.idOf(row))
	}
}

// value resolves an argument that has to be a value, and returns its sort, which is not known when something is
// wrong.
func (r *resolver) value(arg int) span32 {
	if arg >= len(r.args) || r.args[arg] == notNumber {
		r.now.sound = false
		return span32{}
	}
	id := r.args[arg]
	row, ok := r.target(arg)
	if !ok {
		r.undefined(arg)
		return span32{}
	}
	if row >= r.n {
		r.forward(arg, row)
		return span32{}
	}
	if op := r.rows[row].op; !op.HasValue() {
		if op == NoOp {
			r.refs[arg], r.now.sound = signed(row, id), false // that row has its diagnostic
			r.notChecked(row)
			return span32{}
		}
		if d := r.wrong(codeNoValue, arg, "a value is expected, found row %d, which is %s", max(id, -id), op.article()); d != nil {
			d.Relate(r.idSpan(row), "row %d", max(id, -id))
		}
		return span32{}
	}
	sort := r.rows[row].sort
	r.refs[arg] = signed(row, id)
	if id < 0 && sort.isArray() {
		r.negated(codeNegatedArray, arg, "only bit-vectors have a negation, found that of an array")
		r.refs[arg] = signed(row, 0)
	}
	if !r.rows[row].sound {
		r.now.sound = false
	}
	if r.rows[row].usesInput {
		r.now.usesInput = true
	}
	if !sort.known() {
		r.notChecked(row)
	}
	return sort
}

// signed returns a row, negated where the number that names it has a sign.
func signed(row int, id int64) Ref {
	if id < 0 {
		return Ref(2*row + 1)
	}
	return Ref(2 * row)
}

// notChecked has the chunk read again when a row that has lost its sort may have one again.
func (r *finder) notChecked(row int) {
	if _, isLost := r.lost[row]; isLost {
		r.loud = true
	}
}

// undefined notes an argument that no row defines.
func (r *finder) undefined(arg int) {
	id := r.args[arg]
	r.wrong(codeUndefinedOperand, arg, "no row has the number %d", max(id, -id))
}

// negated notes a sign where none may stand.
func (r *finder) negated(code source.Code, arg int, message string) {
	if d := r.wrong(code, arg, "%s", message); d != nil {
		d.AddPreferredFix("Delete the sign", source.Edit{Span: source.Span{Start: d.Span.Start, Length: 1}})
	}
}

// constant checks the value of a constant.
func (r *resolver) constant(sort span32) {
	if !sort.known() || !r.vector(sort, 0) || !r.row.op.hasDigits() {
		return
	}
	if len(r.args) < 2 || r.args[1] == notNumber {
		r.now.sound = false
		return
	}
	width, needed := int64(sort.width), r.args[1]
	switch {
	case r.row.op == Const && needed != width:
		d := r.wrong(codeConstWidth, 1, "%s are expected, found %d", findings.Count(int(width), "binary digit", "binary digits"), needed)
		r.offerSorts(d, 0, int(needed))
		if d != nil && needed < width && width < 1<<10 {
			d.AddFix("Put zeros in front", source.Edit{Span: source.Span{Start: d.Span.Start}, NewText: strings.Repeat("0", int(width-needed))})
		}
	case r.row.op == Constd && needed > max(width, MaxWidth):
		r.wrong(codeConstTooLarge, 1, "the number needs more than %s, and the sort has %s", bitCount(MaxWidth), bitCount(int(width)))
	case r.row.op != Const && needed > width:
		d := r.wrong(codeConstTooLarge, 1, "the number needs %s, and the sort has %s", bitCount(int(needed)), bitCount(int(width)))
		r.offerSorts(d, 0, int(needed))
	}
}

// vector reports whether a sort is not an array, which the sort at an argument may not be.
func (r *resolver) vector(sort span32, arg int) bool {
	if sort.isArray() {
		r.wrong(codeVectorExpected, arg, "%s is of bit-vectors, found %s", r.row.op, sort.sort())
		return false
	}
	return true
}

// property reads bad, constraint, fair and output.
func (r *resolver) property() {
	sort := r.value(0)
	r.now.sort = span32{width: 1}
	if r.row.op == Output {
		r.now.sort = sort
		if sort.known() {
			r.vector(sort, 0)
		}
		return
	}
	if sort.known() {
		r.oneBit(sort, 0)
	}
	if r.row.op == Fair {
		r.liveness()
	}
}

// oneBit checks that an argument has one bit.
func (r *resolver) oneBit(sort span32, arg int) {
	if sort == (span32{width: 1}) || !sort.known() {
		return
	}
	if d := r.wrong(CodeOneBit, arg, "%s needs 1 bit here, found %s", r.row.op, sort.sort()); d != nil {
		r.relateArg(d, arg)
	}
}

// justice reads a justice row.
func (r *resolver) justice() {
	r.now.sort = span32{width: 1}
	if len(r.args) == 0 || r.args[0] == notNumber {
		r.now.sound = false
		return
	}
	if r.args[0] == 0 {
		r.wrong(codeJusticeEmpty, 0, "a justice property has at least 1 condition, found 0")
		return
	}
	for i := range r.args[1:] {
		if sort := r.value(i + 1); sort.known() {
			r.oneBit(sort, i+1)
		}
	}
	if int64(len(r.args)-1) < r.args[0] {
		r.now.sound = false
	}
	r.liveness()
}

// liveness says that other tools do not read the row.
func (r *finder) liveness() {
	r.wrong(codeLiveness, tagPlace, "%s is checked here; btormc, btorsim and btor2aiger refuse it", r.row.op)
}

// operator checks the sorts of an operator; sort is that of the row, which may not be known.
func (r *resolver) operator(sort span32) {
	var args [3]span32
	op := r.row.op
	n := op.Operands()
	for i := range n {
		args[i] = r.value(i + 1)
	}
	known := sort.known()
	for _, s := range args[:n] {
		known = known && s.known()
	}
	if !known {
		r.now.sound = false
		return
	}
	switch {
	case op == Ite:
		r.oneBit(args[0], 1)
		r.same(sort, args[1:3], 2)
	case op == Read:
		if r.isArray(args[0], 1) {
			r.index(args[0], args[1])
			r.element(args[0], sort, 0)
		}
	case op == Write:
		if r.isArray(args[0], 1) && r.same(sort, args[:1], 1) {
			r.index(args[0], args[1])
			r.element(args[0], args[2], 3)
		}
	case op == Eq || op == Neq:
		if r.result(sort) && args[0] != args[1] {
			r.mismatch(2, "%s compares equal sorts, found %s and %s", op, args[0].sort(), args[1].sort())
		}
	default:
		r.vectors(sort, args[:n])
	}
}

// vectors checks an operator over bit-vectors.
func (r *resolver) vectors(sort span32, args []span32) {
	op := r.row.op
	if !r.vector(sort, 0) {
		return
	}
	for i, s := range args {
		if !r.vector(s, i+1) {
			return
		}
	}
	switch {
	case op == Iff || op == Implies:
		if r.result(sort) {
			for i, s := range args {
				r.oneBit(s, i+1)
			}
		}
	case op == Concat:
		r.computed(codeConcatWidth, sort, int(args[0].width)+int(args[1].width), "the parts have "+
			bitCount(int(args[0].width))+" and "+bitCount(int(args[1].width)))
	case op == Slice:
		r.slice(sort, args[0])
	case op == Uext || op == Sext:
		r.extension(sort, args[0])
	case op >= Redand && op <= Redxor:
		r.result(sort)
	case op >= Ult && op <= Sdivo:
		if r.result(sort) && args[0] != args[1] {
			r.mismatch(2, "%s takes operands of equal width, found %s and %s", op, bitCount(int(args[0].width)), bitCount(int(args[1].width)))
		}
	default:
		r.same(sort, args, 1)
	}
}

// result checks that the row has one bit.
func (r *finder) result(sort span32) bool {
	if sort == (span32{width: 1}) {
		return true
	}
	d := r.wrong(codeResultWidth, 0, "%s has 1 bit, found %s", r.row.op, sort.sort())
	r.offerSorts(d, 0, 1)
	return false
}

// same checks that operands, from an argument on, have the sort of the row.
func (r *resolver) same(sort span32, args []span32, first int) bool {
	for i, s := range args {
		if s == sort {
			continue
		}
		agree := true
		for _, other := range args {
			agree = agree && other == s
		}
		if agree { // the operands agree with each other, and so the sort of the row is wrong
			d := r.mismatch(0, "the operands of %s have %s, and its sort is %s", r.row.op, s.sort(), sort.sort())
			if !s.isArray() {
				r.offerSorts(d, 0, int(s.width))
			}
			return false
		}
		if d := r.mismatch(first+i, "%s needs %s here, found %s", r.row.op, sort.sort(), s.sort()); d != nil {
			r.relateArg(d, first+i)
		}
		return false
	}
	return true
}

func (r *finder) mismatch(arg int, format string, values ...any) *source.Diagnostic {
	return r.wrong(CodeWidthMismatch, arg, format, values...)
}

// computed checks that the row has the width that its operands give.
func (r *finder) computed(code source.Code, sort span32, width int, reason string) {
	if int(sort.width) == width {
		return
	}
	d := r.wrong(code, 0, "%s has %s here, found %s: %s", r.row.op, bitCount(width), sort.sort(), reason)
	r.offerSorts(d, 0, width)
}

// numberAt returns a plain number of the row.
func (r *finder) numberAt(arg int) (int64, bool) {
	if arg >= len(r.args) || r.args[arg] < 0 {
		r.now.sound = false
		return 0, false
	}
	return r.args[arg], true
}

func (r *resolver) slice(sort, of span32) {
	upper, ok := r.numberAt(2)
	lower, ok2 := r.numberAt(3)
	switch {
	case !ok || !ok2:
	case lower > upper:
		if d := r.wrong(codeSliceBounds, 2, "the upper bit comes before the lower one, found %d and %d", upper, lower); d != nil {
			a, b := r.span(2), r.span(3)
			d.AddPreferredFix("Swap them", source.Edit{Span: a, NewText: r.f.text.Slice(b)}, source.Edit{Span: b, NewText: r.f.text.Slice(a)})
		}
	case upper >= int64(of.width):
		if d := r.wrong(codeSliceBounds, 2, "the operand has %s, the highest of which is %d, found %d", bitCount(int(of.width)), of.width-1, upper); d != nil {
			r.relateArg(d, 1)
			if top := lower + int64(sort.width) - 1; top < int64(of.width) {
				d.AddFix("Make the upper bit "+strconv.FormatInt(top, 10), source.Edit{Span: d.Span, NewText: strconv.FormatInt(top, 10)})
			}
		}
	default:
		r.computed(codeSliceWidth, sort, int(upper-lower+1), "bits "+strconv.FormatInt(upper, 10)+" to "+strconv.FormatInt(lower, 10))
	}
}

func (r *resolver) extension(sort, of span32) {
	by, ok := r.numberAt(2)
	if !ok || int64(of.width)+by == int64(sort.width) {
		return
	}
	if by > maxWidth-int64(of.width) {
		by = maxWidth
	}
	d := r.wrong(codeExtensionWidth, 2, "%s and %d more are %s, and the sort is %s", bitCount(int(of.width)), by, bitCount(int(of.width)+int(by)), sort.sort())
	if d == nil {
		return
	}
	if more := sort.width - of.width; more >= 0 {
		d.AddPreferredFix("Extend by "+strconv.Itoa(int(more)), source.Edit{Span: d.Span, NewText: strconv.Itoa(int(more))})
	}
	r.offerSorts(d, 0, int(of.width)+int(by))
}

// isArray checks that an argument is an array.
func (r *finder) isArray(sort span32, arg int) bool {
	if sort.isArray() {
		return true
	}
	if d := r.wrong(codeArrayExpected, arg, "%s needs an array here, found %s", r.row.op, sort.sort()); d != nil {
		r.relateArg(d, arg)
	}
	return false
}

func (r *finder) index(array, index span32) {
	if index != (span32{width: array.index}) {
		r.mismatch(2, "the array has an index of %s, found %s", bitCount(int(array.index)), index.sort())
	}
}

func (r *finder) element(array, element span32, arg int) {
	if element == (span32{width: array.width}) {
		return
	}
	d := r.mismatch(arg, "the array has elements of %s, found %s", bitCount(int(array.width)), element.sort())
	if arg == 0 {
		r.offerSorts(d, 0, int(array.width))
	}
}

// bitCount says how many bits there are.
func bitCount(n int) string { return findings.Count(n, "bit", "bits") }

// String says what values of the sort are.
func (s Sort) String() string {
	switch {
	case s.IsArray():
		return "an array of " + bitCount(s.Width) + " with an index of " + bitCount(s.IndexWidth)
	case s.Width > 0:
		return bitCount(s.Width)
	}
	return "no sort"
}
