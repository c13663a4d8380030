package lsp

import (
	"context"
	"fmt"
	"strings"

	"aiglens/design/answers"
	"aiglens/lsp/wire"
)

// executeAt answers with what is known of a place, to be read.
func executeAt(ctx context.Context, s *session, params *wire.AtParams) (answer wire.PlaceText, err error) {
	v, err := openView(ctx, wire.CommandPlaceText.Name, params.URI)
	if err != nil {
		return answer, err
	}
	place, err := s.latestPlace(ctx, v, params, asker{name: v.name, view: params.View, text: true})
	if err != nil {
		return answer, err
	}
	return wire.PlaceText{Version: place.Version, Text: placeText(place)}, nil
}

// placeWriter writes a place as markdown.
type placeWriter struct{ strings.Builder }

func (w *placeWriter) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// section begins a section.
func (w *placeWriter) section(title string) { fmt.Fprintf(w, "\n## %s\n\n", title) }

func (w *placeWriter) list(all []string) {
	for _, text := range all {
		w.line("- %s", strings.ReplaceAll(text, "\n", "\n  ")) // with a list below it
	}
}

// more says how many are left out.
func (w *placeWriter) more(n int) {
	if n > 0 {
		w.line("- %d more", n)
	}
}

func placeText(p *wire.Place) string {
	w := &placeWriter{}
	w.line("%s", p.Title)
	if s := p.Signal; s != nil {
		w.signal(p, s)
	}
	if len(p.Says) > 0 {
		w.line("")
		w.list(p.Says)
	}
	if len(p.Diagnostics) > 0 {
		w.section("Diagnostics")
		for _, d := range p.Diagnostics {
			w.line("- %s", d.Message)
			for _, f := range d.Fixes {
				w.line("  - fix: %s", f.Title)
			}
		}
	}
	if p.Property != nil {
		w.property(p.Property)
	}
	if !p.Settled {
		w.line("\nThe circuit is being read: what it does, and what is proved, is not known yet.")
	}
	if p.Now != nil {
		w.now(p.Now)
	}
	if p.Always != nil {
		w.always(p.Always)
	}
	if p.Signal != nil && len(p.Signal.Readers) > 0 {
		w.section("Read by")
		for _, r := range p.Signal.Readers {
			use := ""
			if r.Use != "" {
				use = " · " + r.Use
			}
			w.line("- %s%s, line %d", answers.Code(r.Name), use, r.Location.Range.Start.Line+1)
		}
		w.more(p.Signal.MoreReaders)
	}
	return w.String()
}

func (w *placeWriter) signal(p *wire.Place, s *wire.PlaceSignal) {
	w.line("")
	if p.Title != s.Title {
		w.line("- %s", s.Title)
	}
	switch {
	case s.Reset != "":
		w.line("- %s", answers.Starts(s.Reset, s.Formula))
	case s.Formula != "":
		w.line("- = %s", answers.Code(s.Formula))
	}
	w.list(s.Says)
	if b := s.Word; b != nil {
		w.line("- bit %d of %s", b.Index, answers.Code(b.Name))
	}
}

// now writes what the run that is shown does.
func (w *placeWriter) now(n *wire.PlaceNow) {
	w.section("Now")
	w.line("- %s, %s", n.Of, n.Words)
	if n.Outside {
		w.line("- the property does not depend on it")
		return
	}
	if n.Instance != "" {
		w.line("- in %s", answers.Code(n.Instance))
	}
	if n.Value != "" {
		w.line("- value %s; from step %d on: %s", n.Value, n.First, answers.Code(n.Values))
	}
	if v := n.Word; v != nil {
		w.line("- %s = %s; from step %d on: %s", answers.Code(v.Name), v.Value, n.First, answers.Code(strings.Join(v.Values, " ")))
	}
	w.list(n.Says)
	what := "change"
	if n.Kind == wire.RunDerivation {
		what = "step of it"
	}
	if n.Previous != nil {
		w.line("- last %s: step %d", what, *n.Previous)
	}
	if n.Next != nil {
		w.line("- next %s: step %d", what, *n.Next)
	}
	if n.Why != nil {
		w.section("Why")
		w.causes(*n.Why, 0)
	}
}

// always writes what is proved, and what depends on the signal.
func (w *placeWriter) always(a *wire.PlaceAlways) {
	w.section("Always")
	if a.Nothing != "" {
		w.line("- %s", a.Nothing)
	}
	for _, f := range a.Facts {
		w.line("- %s · the proof of %s", answers.Code(f.Text), answers.Code(f.Name))
	}
	w.more(a.MoreFacts)
	if len(a.Properties) == 0 && a.Unsearched == 0 {
		return
	}
	w.section("Properties that depend on it")
	for _, p := range a.Properties {
		w.line("- %s: %s", answers.Code(p.Name), p.Text)
	}
	w.more(a.MoreProperties)
	if a.Unsearched > 0 {
		w.line("- of %d more it is not known: there are too many", a.Unsearched)
	}
}

func (w *placeWriter) property(p *wire.PlaceProperty) {
	w.section("Property")
	w.line("- %s", p.Words)
	w.list(p.Says)
	for _, part := range []struct{ name, text string }{
		{"found by", p.Engine}, {"checked", p.Certificate}, {"in the way", p.Obstacle},
	} {
		if part.text != "" {
			w.line("- %s: %s", part.name, part.text)
		}
	}
	if len(p.Facts) > 0 {
		w.line("- it holds because of:")
		for _, f := range p.Facts {
			w.line("  - %s", answers.Code(f))
		}
		w.more(p.MoreFacts)
	}
	if len(p.Sharing) > 0 {
		w.line("- properties of this row:")
		for _, s := range p.Sharing {
			w.line("  - %s: %s", answers.Code(s.Name), s.Text)
		}
	}
	if p.Why != nil {
		w.section(whyTitle(p))
		w.causes(*p.Why, 0)
	}
}

// whyTitle is the title of the tree of causes of a property.
func whyTitle(p *wire.PlaceProperty) string {
	if p.Why.Value == "" && p.Why.At != "" {
		return "How it is reached"
	}
	return "Why it fails"
}

// causes writes a tree of causes.
func (w *placeWriter) causes(c wire.Cause, depth int) {
	text := answers.Code(causeWords(c))
	if note := causeNote(c); note != "" {
		text += " · " + note
	}
	w.line("%s- %s", strings.Repeat("  ", depth), text)
	for _, cause := range c.Causes {
		w.causes(cause, depth+1)
	}
}

// causeWords say a value as runs.Cause does.
func causeWords(c wire.Cause) string {
	switch {
	case c.At == "":
		return c.Name + " fails in the loop"
	case c.Value == "":
		return c.Name + " at " + c.At
	}
	return fmt.Sprintf("%s = %s at %s", c.Name, c.Value, c.At)
}

func causeNote(c wire.Cause) string {
	switch {
	case c.Repeated:
		return "as above"
	case c.Cut:
		return "…"
	}
	return c.Reason
}
