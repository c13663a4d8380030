package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"aiglens/design"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// exitDiffers is the code of fmt -d for a file that is not canonical.
const exitDiffers = 1

// format prints the canonical text of files, or writes it, or says how it
// differs.
func format(ctx context.Context, e env, args []string) int {
	fs := newFlags("fmt")
	inPlace := fs.Bool("w", false, "write the text back to the file instead of printing it")
	diff := fs.Bool("d", false, "print how the file differs from its canonical text; exit with 1 when it does")
	var options readFlags
	options.registerLimit(fs)
	files, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(files) == 0:
		return problem(e, "fmt needs a file")
	case *inPlace && *diff:
		return problem(e, "fmt: choose -w or -d")
	}
	if *diff {
		files, code = e.expand(ctx, files, isReadText)
	}
	for _, name := range files {
		differs, err := formatFile(ctx, e, name, &options, *inPlace, *diff)
		switch {
		case err != nil:
			code = problem(e, "%v", err)
		case differs && *diff && code == exitOK:
			code = exitDiffers
		}
	}
	return code
}

func formatFile(ctx context.Context, e env, name string, options *readFlags, inPlace, diff bool) (differs bool, err error) {
	in, err := readAny(ctx, e, name, options)
	if err != nil {
		return false, err
	}
	if differs, err = formatText(ctx, e, in, inPlace, diff); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return differs, err
}

// formatText formats the text of a file.
func formatText(ctx context.Context, e env, in *design.Design, inPlace, diff bool) (differs bool, err error) {
	name, is := in.URI, findings.WhatIsIt(in.Text.Content())
	switch {
	case in.IsBinary():
		return false, errors.New("a binary file has no white space to format; aiglens convert --to aag prints it as text")
	case inPlace && (name == "-" || strings.HasSuffix(name, ".gz")):
		return false, errors.New("-w writes ASCII files only, neither standard input nor a packed one")
	case is.Name != "" && is.Name != in.Kind.Name:
		return false, errors.New(is.Not(in.Kind.Name))
	}
	edits, err := in.Format(ctx)
	if err != nil {
		return false, err
	}
	text, err := in.Text.Apply(edits)
	if err != nil {
		return false, err
	}
	differs = text.Content() != in.Text.Content()
	left, err := in.LeftByFormat(ctx)
	if err != nil {
		return false, err
	}
	for _, d := range left {
		tell(e.stderr, in, d)
	}
	switch {
	case diff:
		writeDiff(e.stdout, name, " (formatted)", in.Text, text)
	case !inPlace:
		_, _ = io.WriteString(e.stdout, text.Content())
	case differs || e.write != nil: // the text of an agent need not be that of the file
		err = e.rewrite(name, []byte(in.Text.Content()), []byte(text.Content()))
	}
	return differs, err
}

// withoutName drops the name from an error about a file, which the caller puts
// before it.
func withoutName(err error) error {
	if path := new(os.PathError); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// contextLines is how many equal lines a diff shows around different ones.
const contextLines = 3

// writeDiff prints two texts in the unified format; about is said of the second one.
func writeDiff(w io.Writer, name, about string, old, next source.Text) {
	var out strings.Builder
	hunks := source.DiffLines(old, next)
	if len(hunks) > 0 {
		fmt.Fprintf(&out, "--- %s\n+++ %s%s\n", name, name, about)
	}
	for len(hunks) > 0 {
		n := 1
		for n < len(hunks) && hunks[n].OldFrom-hunks[n-1].OldTo <= 2*contextLines {
			n++
		}
		writeHunk(&out, old, next, hunks[:n])
		hunks = hunks[n:]
	}
	_, _ = io.WriteString(w, out.String())
}

// writeHunk prints differences that stand close together.
func writeHunk(out *strings.Builder, old, next source.Text, hunks []source.Hunk) {
	first, last := hunks[0], hunks[len(hunks)-1]
	before := min(contextLines, first.OldFrom)
	after := min(contextLines, lines(old)-last.OldTo)
	from, to := first.OldFrom-before, last.OldTo+after
	nextFrom, nextTo := first.NewFrom-before, last.NewTo+after
	fmt.Fprintf(out, "@@ -%s +%s @@\n", lineRange(from, to), lineRange(nextFrom, nextTo))
	for _, h := range hunks {
		writeLines(out, ' ', old, from, h.OldFrom)
		writeLines(out, '-', old, h.OldFrom, h.OldTo)
		writeLines(out, '+', next, h.NewFrom, h.NewTo)
		from = h.OldTo
	}
	writeLines(out, ' ', old, from, to)
}

// lines returns the number of lines without the empty one after the last line
// end.
func lines(t source.Text) int {
	n := t.NumLines()
	if t.LineStart(n-1) == t.Len() {
		n--
	}
	return n
}

// lineRange writes a run of lines as diff does: first line and how many.
func lineRange(from, to int) string {
	if from == to { // the line before
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

func writeLines(out *strings.Builder, mark byte, t source.Text, from, to int) {
	for line := from; line < to; line++ {
		fmt.Fprintf(out, "%c%s\n", mark, t.Line(line))
		if t.LineStart(line+1) == t.Len() && !strings.HasSuffix(t.Content(), "\n") {
			out.WriteString("\\ No newline at end of file\n")
		}
	}
}
