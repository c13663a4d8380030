package ide_test

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/formula"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
)

func TestHover(t *testing.T) {
	check(t, "hover", func(s *scene, offset int) string {
		span, markdown, err := ide.Hover(s.t.Context(), s.doc, offset, s.status, ide.HoverOptions{Depth: s.depth, Shown: s.shown()})
		if must(s, markdown, err) == "" {
			return ""
		}
		return s.at(span) + "\n" + markdown
	})
}

// TestNavigation covers definition, references and highlights, which agree on what a
// place is.
func TestNavigation(t *testing.T) {
	roles := [...]string{design.RoleDefinition: "definition", design.RoleUse: "use", design.RoleName: "name"}
	check(t, "navigation", func(s *scene, offset int) string {
		var b strings.Builder
		if target, ok := s.doc.TargetAt(offset); ok {
			fmt.Fprintf(&b, "defined in %s at %s\n", path.Base(target.Path), at(target.Text, target.Span))
		}
		if span, ok := ide.Definition(s.doc, offset); ok {
			fmt.Fprintf(&b, "defined at %s\n", s.at(span))
		}
		all := ide.References(s.doc, offset, true)
		for _, o := range all {
			fmt.Fprintf(&b, "%s at %s\n", roles[o.Role], s.at(o.Span))
		}
		uses := slices.DeleteFunc(slices.Clone(all), func(o design.Occurrence) bool { return o.Role == design.RoleDefinition })
		if without := ide.References(s.doc, offset, false); !slices.Equal(without, uses) {
			s.t.Errorf("without the definition: %v, want %v", without, uses)
		}
		if marked := ide.Highlights(s.doc, offset); !slices.Equal(marked, all) {
			for _, o := range marked {
				fmt.Fprintf(&b, "marked: %s\n", s.at(o.Span))
			}
		}
		return b.String()
	})
}

func TestOutline(t *testing.T) {
	check(t, "outline", func(s *scene, _ int) string {
		var b strings.Builder
		for _, section := range ide.Symbols(s.doc) {
			fmt.Fprintf(&b, "%s, %s\n", section.Name, s.lines(section.Span))
			for _, row := range section.Rows {
				fmt.Fprintf(&b, "  %s · %s · %q, select %s\n", row.Name, row.Kind, row.Detail, s.at(row.Focus))
			}
		}
		return b.String()
	})
}

// TestStructure covers what can be folded, and what a selection grows into.
func TestStructure(t *testing.T) {
	check(t, "structure", func(s *scene, offset int) string {
		var b strings.Builder
		if len(s.marks) > 0 {
			for _, span := range ide.Selections(s.doc, offset) {
				fmt.Fprintf(&b, "%s %.40q\n", s.lines(span), s.doc.Text.Slice(span))
			}
			return b.String()
		}
		for _, f := range ide.Folds(s.doc) {
			comment := ""
			if f.Comment {
				comment = ", comment"
			}
			fmt.Fprintf(&b, "lines %d to %d%s\n", f.First+1, f.Last+1, comment)
		}
		return b.String()
	})
}

func TestLinks(t *testing.T) {
	check(t, "links", func(s *scene, _ int) string {
		var b strings.Builder
		for _, l := range ide.Links(s.doc) {
			fmt.Fprintf(&b, "%s: %s\n", s.at(l.Span), cmp.Or(l.URL, "file "+l.Path))
		}
		return b.String()
	})
}

func TestCalls(t *testing.T) {
	check(t, "calls", func(s *scene, offset int) string {
		root, ok := ide.CallRoot(s.doc, offset)
		if !ok {
			return ""
		}
		var b strings.Builder
		item := func(i ide.CallItem) string { return fmt.Sprintf("%s · %s, %s", i.Name, i.Detail, s.at(i.Focus)) }
		list := func(word string, calls []ide.Call, err error) {
			for _, c := range must(s, calls, err) {
				fmt.Fprintf(&b, "%s %s:", word, item(c.Item))
				for _, span := range c.At {
					fmt.Fprintf(&b, " %s", s.at(span))
				}
				b.WriteByte('\n')
			}
		}
		fmt.Fprintf(&b, "%s\n", item(root))
		reads, err := ide.OutgoingCalls(s.t.Context(), s.doc, root.Focus.Start)
		list("reads", reads, err)
		readers, err := ide.IncomingCalls(s.t.Context(), s.doc, root.Focus.Start)
		list("read by", readers, err)
		return b.String()
	})
}

func TestConeOfPlaces(t *testing.T) {
	check(t, "cone", func(s *scene, offset int) string {
		o, ok := s.doc.OccurrenceAt(offset)
		if !ok {
			return ""
		}
		level := "no level"
		if n, ok := answers.Level(s.doc, o.Lit.Signal()); ok {
			level = fmt.Sprintf("level %d", n)
		}
		return fmt.Sprintf("%s; %s", answers.Cone(s.t.Context(), s.doc, o.Lit.Signal()), level)
	})
}

// TestExpressions writes a literal at growing depths, and its short name.
func TestExpressions(t *testing.T) {
	expression := func(s *scene, offset int) string {
		o, ok := s.doc.OccurrenceAt(offset)
		if !ok {
			return ""
		}
		var b strings.Builder
		before := ""
		for depth := range s.depth + 1 {
			if text := formula.Expression(s.doc, o.Lit, depth); text != before {
				fmt.Fprintf(&b, "depth %d: %s\n", depth, text)
				before = text
			}
		}
		if name := formula.ShortName(s.doc, o.Lit); name != "" {
			fmt.Fprintf(&b, "in short: %s\n", name)
		}
		return b.String()
	}
	check(t, "expression", expression)
	check(t, "cover", expression)
}

// TestInlayHints writes the text with the hints in it.
func TestInlayHints(t *testing.T) {
	check(t, "inlay", func(s *scene, _ int) string {
		hints, err := ide.InlayHints(s.t.Context(), s.doc, s.all(), ide.HintOptions{Names: true, Sections: true})
		return s.withHints(must(s, hints, err))
	})
}

// TestSteps writes the text with the values of a step in it.
func TestSteps(t *testing.T) {
	check(t, "step", func(s *scene, _ int) string {
		x := s.counterexample()
		if x == nil {
			return ""
		}
		hints, err := ide.StepHints(s.t.Context(), s.doc, s.all(), x.InInstance(s.instance), *s.step)
		return s.withHints(must(s, hints, err))
	})
}

// TestNotes writes the text with the notes at the ends of rows.
func TestNotes(t *testing.T) {
	check(t, "notes", func(s *scene, _ int) string {
		opts := ide.NoteOptions{HintOptions: ide.HintOptions{Names: s.names, Sections: s.sections}, Depth: s.depth}
		if s.step != nil {
			opts.Shown, opts.Step = s.counterexample().InInstance(s.instance), *s.step
		}
		notes, err := ide.Notes(s.t.Context(), s.doc, s.all(), opts)
		must(s, notes, err)
		text := s.withHints(ide.NoteHints(s.doc, notes))
		if s.looks {
			text += "\n" + looksOf(notes)
		}
		return strings.ReplaceAll(text, "\r", "")
	})
}

// looksOf writes the parts of notes that are more than text.
func looksOf(notes []ide.Note) string {
	words := [...]string{
		ide.LookNumber: "number", ide.LookBlank: "blank", ide.LookUnchanged: "unchanged",
		ide.LookChanged: "changed", ide.LookUndetermined: "undetermined", ide.LookNext: "next",
	}
	var b strings.Builder
	for _, n := range notes {
		for _, p := range slices.Concat(n.Value, n.Words) {
			if p.Look != ide.LookText {
				fmt.Fprintf(&b, "%s %q ", words[p.Look], p.Text)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (s *scene) withHints(hints []ide.InlayHint) string {
	slices.SortStableFunc(hints, func(a, b ide.InlayHint) int { return a.Offset - b.Offset })
	var b strings.Builder
	last := 0
	for _, h := range hints {
		b.WriteString(s.doc.Text.Slice(source.SpanFromTo(last, h.Offset)))
		last = h.Offset
		switch {
		case h.Before:
			fmt.Fprintf(&b, "‹%s:›", h.Label)
		case h.Gap > 0:
			fmt.Fprintf(&b, "%*s%s", h.Gap, "", h.Label)
		default:
			fmt.Fprintf(&b, "‹%s›", h.Label)
		}
	}
	b.WriteString(s.doc.Text.Slice(source.SpanFromTo(last, s.doc.Text.Len())))
	return b.String()
}

func TestTokens(t *testing.T) {
	check(t, "tokens", func(s *scene, _ int) string {
		var b strings.Builder
		tokens, err := ide.Tokens(s.t.Context(), s.doc, s.all())
		for _, token := range must(s, tokens, err) {
			fmt.Fprintf(&b, "%s %s", s.at(token.Span), ide.TokenTypes[token.Type])
			for i, name := range ide.TokenModifiers {
				if token.Modifiers>>i&1 == 1 {
					b.WriteString(" " + name)
				}
			}
			b.WriteByte('\n')
		}
		return b.String()
	})
}

// TestCompletion covers what may be typed, and what is said of a literal among it.
func TestCompletion(t *testing.T) {
	kinds := [...]string{
		design.CompletionLiteral: "literal", design.CompletionNumber: "number",
		design.CompletionName: "name", design.CompletionKeyword: "keyword", design.CompletionForm: "form",
	}
	check(t, "completion", func(s *scene, offset int) string {
		var b strings.Builder
		found := s.doc.Complete(offset)
		for _, c := range found.Items {
			fmt.Fprintf(&b, "%s %q for %s: %q", kinds[c.Kind], c.Label, s.at(found.Span), c.Insert)
			if c.Detail != "" {
				fmt.Fprintf(&b, " · %s", c.Detail)
			}
			b.WriteByte('\n')
			if c.Kind == design.CompletionLiteral {
				text, err := ide.CompletionDocumentation(s.t.Context(), s.doc, c.Lit, s.status, ide.HoverOptions{Depth: s.depth})
				first, _, _ := strings.Cut(must(s, text, err), "\n")
				fmt.Fprintf(&b, "  %s\n", first)
			}
		}
		return b.String()
	})
}
