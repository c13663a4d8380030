package comparison

import (
	"fmt"

	"aiglens/internal/source"
)

// maxProposals bounds the edits of which it is found out whether they were made.
const maxProposals = 32

// Rewrites know which of the edits that were proposed for a text were made, so that what a
// circuit was before can be compared with what it is. The zero value knows of none. A copy
// shares what it knows, and does not learn more.
type Rewrites struct {
	saved     source.Text
	proposals []proposal
	made      *made
}

// proposal is an edit that the user may make.
type proposal struct {
	title  string
	before source.Text
	edits  []source.Edit
	size   int // of the text after it
}

// made is an edit that was made.
type made struct {
	proposal
	after source.Text
	found string // by a comparison; "" for nothing yet
	rests bool   // on other files
}

// Propose takes note of edits of a text that are offered under a title. Those of another text
// no longer count, other than ones that have been made.
func (r *Rewrites) Propose(before source.Text, title string, edits []source.Edit) {
	size := before.Len()
	for _, e := range edits {
		size += len(e.NewText) - e.Span.Length
	}
	kept := make([]proposal, 0, maxProposals)
	for _, o := range r.proposals {
		if o.before.Equal(before) && o.title != title {
			kept = append(kept, o)
		}
	}
	if len(kept) == maxProposals {
		kept = append(kept[:0], kept[1:]...)
	}
	r.proposals = append(kept, proposal{title, before, edits, size})
}

// Changed takes note of a new text. It reports whether anything that is shown may
// change.
func (r *Rewrites) Changed(before, now source.Text) (changed bool) {
	_, _, was := r.Latest(before)
	for _, o := range r.proposals {
		if o.size != now.Len() {
			continue
		}
		if after, err := o.before.Apply(o.edits); err == nil && after.Equal(now) && !now.Equal(o.before) {
			r.made = &made{proposal: o, after: now}
			return true
		}
	}
	_, _, is := r.Latest(now)
	return was || is
}

// Saved handles a text that was saved, or read. An edit of ours no longer counts once others
// that came after it have been saved.
func (r *Rewrites) Saved(now source.Text) {
	r.saved = now
	if r.made != nil && !r.made.after.Equal(now) {
		r.made = nil
	}
}

// Compared handles what was found of a text and the one before its last edit, and whether
// that rests on other files.
func (r *Rewrites) Compared(now source.Text, message string, rests bool) {
	if r.made != nil && r.made.after.Equal(now) {
		next := *r.made
		next.found, next.rests = message, rests
		r.made = &next
	}
}

// OthersChanged notes that other files are other ones now, or that all texts are read in
// another way. It reports whether that ends what was found.
func (r *Rewrites) OthersChanged(reread bool) (ends bool) {
	if r.made == nil || r.made.found == "" || !r.made.rests && !reread {
		return false
	}
	next := *r.made
	next.found = ""
	r.made = &next
	return true
}

// Latest returns the title of the edit that has made a text what it is, and what a
// comparison has found; ok is false where no edit of ours has.
func (r *Rewrites) Latest(now source.Text) (title, found string, ok bool) {
	if r.made == nil || !r.made.after.Equal(now) {
		return "", "", false
	}
	return r.made.title, r.made.found, true
}

// Before returns the text before the last edit that was offered and made, else the one that
// was saved last, and says which one that is.
func (r *Rewrites) Before() (text source.Text, words string) {
	if r.made != nil {
		return r.made.before, fmt.Sprintf("the text before “%s”", r.made.title)
	}
	return r.saved, "the text that was saved last"
}
