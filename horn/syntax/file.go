package syntax

import (
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"aiglens/horn"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// File is a file of Horn clauses. It is immutable and safe for concurrent use.
//
// A form is a list of the text that stands in no other, with the blanks and comments before it; forms are numbered
// from 0, and each is what the clauses of its number come from.
type File struct {
	text   source.Text
	forms  []*form
	starts []int // starts[k] is where form k starts; one more entry than forms
	// open is the first form in which a string or a symbol between bars has no end, or the number of forms: where
	// one would end depends on the rest of the text.
	open  int
	words wordSet // commands that the text declares as symbols

	resolved func() *resolution
	system   func() *horn.System
	preds    func() []horn.Predicate

	// known is what the forms mean together once that is worked out. before is that of an earlier version until then.
	known, before atomic.Pointer[resolution]
}

// Parse reads a text. What before, an earlier version, has in common with it is not taken apart again; before may
// be nil.
func Parse(text source.Text, before *File) *File {
	content := text.Content()
	f := &File{text: text, words: declaredWords(content)}
	if before != nil && maps.Equal(f.words, before.words) {
		f.forms = revised(text, content, before)
	} else {
		f.forms = scanForms(content, f.words, false, func(int) bool { return false })
	}
	f.starts = make([]int, len(f.forms)+1)
	for k, form := range f.forms {
		f.starts[k+1] = f.starts[k] + len(form.text)
	}
	f.open = slices.IndexFunc(f.forms, (*form).isOpenEnded)
	if f.open < 0 {
		f.open = len(f.forms)
	}
	if before != nil {
		f.before.Store(before.latest())
	}
	f.resolved = sync.OnceValue(func() *resolution {
		r := f.resolve(f.before.Load())
		f.known.Store(r)
		f.before.Store(nil)
		return r
	})
	f.system = sync.OnceValue(func() *horn.System { return f.resolved().system() })
	f.preds = sync.OnceValue(func() []horn.Predicate { return predicates(f.resolved().preds) })
	return f
}

// latest returns what the forms of the version mean together, or those of one before it; nil where none is known.
func (f *File) latest() *resolution {
	before := f.before.Load() // first, since known is there before it goes
	if known := f.known.Load(); known != nil {
		return known
	}
	return before
}

// isOpenEnded reports whether the form depends on the rest of the text.
func (f *form) isOpenEnded() bool {
	return slices.ContainsFunc(f.faults, func(x fault) bool { return x.kind == faultBar || x.kind == faultString })
}

// scanForms reads forms until the text ends, or until stop holds for the place after one. own says that each keeps
// a text of its own.
func scanForms(s string, words wordSet, own bool, stop func(end int) bool) []*form {
	var forms []*form
	for at := 0; at < len(s) && !(at > 0 && stop(at)); {
		form := scanForm(s[at:], words)
		at += len(form.text)
		if own {
			form.text = strings.Clone(form.text)
		}
		forms = append(forms, form)
	}
	return forms
}

// revised returns the forms of a text with a content, of an earlier version those that it has, too. Those before the
// first difference stay, but for the last: where it ends can depend on the word after it. Reading goes on until a form
// ends where one of the earlier version does, after the last difference.
func revised(text source.Text, content string, before *File) []*form {
	head, tail := source.Common(before.text, text)
	if head == before.text.Len() && head == text.Len() {
		return before.forms
	}
	first := max(0, min(before.formAt(head)-1, before.open))
	from, shift := before.starts[first], text.Len()-before.text.Len()
	last := len(before.forms) // the first form that is taken after the difference
	read := scanForms(content[from:], before.words, true, func(end int) bool {
		if end += from; end < text.Len()-tail {
			return false
		}
		k, ok := slices.BinarySearch(before.starts, end-shift)
		if ok {
			last = k
		}
		return ok
	})
	return slices.Concat(before.forms[:first], read, before.forms[last:])
}

// Reparse reads another version of the text.
func (f *File) Reparse(text source.Text) *File { return Parse(text, f) }

// Text returns the text that was read, unchanged.
func (f *File) Text() source.Text { return f.text }

// NumForms returns the number of forms.
func (f *File) NumForms() int { return len(f.forms) }

// IsEmpty reports whether the text holds nothing but blanks and comments.
func (f *File) IsEmpty() bool {
	return len(f.forms) == 0 || len(f.forms) == 1 && len(f.forms[0].nodes) == 0 && len(f.forms[0].faults) == 0
}

// formAt returns the form that holds an offset; the last one at the end of the text.
func (f *File) formAt(offset int) int {
	return max(0, min(len(f.forms)-1, sort.SearchInts(f.starts, offset+1)-1))
}

// FormAt returns the form whose list holds an offset, or ends there; ok is false between lists.
func (f *File) FormAt(offset int) (form int, ok bool) {
	for k := f.formAt(offset); k >= 0 && k < len(f.forms) && f.starts[k+1] >= offset; k-- {
		if len(f.forms[k].nodes) > 0 && f.FormSpan(k).Contains(offset) {
			return k, true
		}
	}
	return 0, false
}

// FormSpan returns the list of a form, without what stands before it; of a form without a list, its end.
func (f *File) FormSpan(form int) source.Span {
	if len(f.forms[form].nodes) == 0 {
		return source.Span{Start: f.starts[form+1]}
	}
	return f.span(form, 0)
}

// span returns the place of a node.
func (f *File) span(form, i int) source.Span {
	n := f.forms[form].nodes[i]
	return source.SpanFromTo(f.starts[form]+int(n.start), f.starts[form]+int(n.end))
}

// Diagnostics returns what is wrong with each form and with all of them together, sorted by place. Of each code
// there are at most a thousand.
func (f *File) Diagnostics() []source.Diagnostic { return findings.Values(f.resolved().diags) }

// System returns the clauses of the text. The origin of a clause is the number of its form. Forms with errors are
// left out: see Structural. All of the text is read once more for it.
func (f *File) System() *horn.System { return f.system() }

// Preds returns the predicates of the text, which must not be changed.
func (f *File) Preds() []horn.Predicate { return f.preds() }

// Shapes returns the clauses of the text without their terms, which costs nothing; they must not be changed.
func (f *File) Shapes() []horn.Shape { return f.resolved().clauses }

// ClausesOf returns the clauses of a form as a system with the predicates that they use.
func (f *File) ClausesOf(form int) *horn.System { return f.resolved().again(form).system() }

// Fingerprint returns that of the clauses.
func (f *File) Fingerprint() Fingerprint { return f.resolved().fingerprint() }

// FingerprintOf returns that of the clauses of a form, which does not depend on the other clauses.
func (f *File) FingerprintOf(form int) Fingerprint { return f.resolved().readings[form].digest }

// Structural returns the first error, which leaves the meaning of the text open, or nil.
func (f *File) Structural() *source.Diagnostic { return f.resolved().structural }

// Status returns what the text says about itself by (set-info :status …): "sat", "unsat" or "unknown"; "" for
// nothing.
func (f *File) Status() string { return f.resolved().status }

// HasRules reports whether the text is written with the rules and queries of Z3's fixed points. Z3 then answers the
// other way round: sat says that a query can be derived, so that the system of clauses is unsatisfiable.
func (f *File) HasRules() bool { return f.resolved().hasRules }

// Declaration returns the place of the name of a predicate where it is declared.
func (f *File) Declaration(p horn.Pred) source.Span {
	r := f.resolved()
	return r.nameOf(r.globals[r.preds[p].name])
}
