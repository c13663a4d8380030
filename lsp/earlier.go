package lsp

import (
	"aiglens/circuit"
	"aiglens/internal/findings"
	"aiglens/internal/source"
	"aiglens/lsp/checks"
	"aiglens/lsp/document"
	"aiglens/lsp/ide"
)

// earlier is what the circuit of the last text that was analysed has shown, at its places
// in the present text. It is shown with what is wrong with the present text until the
// circuit of that is known, so that nothing flickers while somebody types. What the
// edits since have touched is no longer there.
type earlier struct {
	linted []source.Diagnostic
	faults []source.Diagnostic // that no diagnostic of the text repeats
	// faulty holds the properties without verdict for an error. Its verdicts on earlier
	// texts are not shown beside that.
	faulty map[circuit.Property]bool
}

// after returns what is left of it behind an edit of a text.
func (e earlier) after(text source.Text, edit source.Edit) earlier {
	e.linted, e.faults = findings.Moved(e.linted, text, edit), findings.Moved(e.faults, text, edit)
	return e
}

// status is that of the view, without verdicts on properties that had an error.
func (e *earlier) status(known ide.Statuses) ide.Statuses {
	return func(p circuit.Property) ide.Status {
		if e.faulty[p] {
			return ide.Status{}
		}
		return known(p)
	}
}

// findingsOf returns what the circuit of a text that was analysed has shown.
func findingsOf(doc *document.Document, a *checks.Analysis) earlier {
	linted, _ := doc.Linted()
	text := doc.TextDiagnostics()
	return earlier{linted: linted, faults: findings.Union(text, a.Faults())[len(text):], faulty: a.Faulty()}
}

// findings are those of the text and of its circuit, of which those of an earlier one stand
// in as far as it is not known.
func (v *view) findings() []source.Diagnostic {
	if v.earlier == nil {
		return findings.Union(v.doc.Diagnostics(), v.faults)
	}
	linted, isLinted := v.doc.Linted()
	if !isLinted {
		linted = v.earlier.linted
	}
	return findings.Union(v.doc.TextDiagnostics(), append(linted[:len(linted):len(linted)], v.earlier.faults...))
}

// shownStatus is status for diagnostics.
func (v *view) shownStatus() ide.Statuses {
	if v.earlier == nil {
		return v.status
	}
	return v.earlier.status(v.status)
}
