package bench

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// style has colours for light and dark backgrounds. The series keep apart for
// colour-blind eyes: Okabe and Ito, "Color Universal Design", 2008.
const style = `svg { --back: #ffffff; --ink: #1f2328; --soft: #59636e; --grid: #e3e7eb; --s0: #0072b2; --s1: #d55e00; --s2: #009e73; --s3: #a5568b; --s4: #8a6d00; --s5: #3d8fc4; font: 12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
@media (prefers-color-scheme: dark) {
svg { --back: #0d1117; --ink: #e6edf3; --soft: #9198a1; --grid: #262c34; --s0: #58a6e8; --s1: #ff9142; --s2: #2fc494; --s3: #dd90bf; --s4: #e2c541; --s5: #9ad0f5; }
}
.back { fill: var(--back); }
text { fill: var(--soft); }
.head { fill: var(--ink); font-size: 15px; font-weight: 600; }
.name { fill: var(--ink); }
.grid { stroke: var(--grid); }
.frame { fill: none; stroke: var(--soft); }
.guide { fill: none; stroke: var(--soft); stroke-dasharray: 2 4; }
.equal { fill: none; stroke: var(--soft); }
.limit { fill: none; stroke: var(--soft); stroke-dasharray: 7 4; }
.mark { fill-opacity: 0.4; stroke-width: 1.2; }
`

// escaped gives the text of an element.
var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// writeSVG draws d. It uses no text/template: a program that has one is linked with
// every exported method of its types, because a template calls methods by name.
func (d *plot) writeSVG(w io.Writer) error {
	var b bytes.Buffer
	put := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	text := func(attributes, label string) { put("<text %s>%s</text>", attributes, escaped.Replace(label)) }
	at := func(x, y float64) string { return fmt.Sprintf(`x="%.1f" y="%.1f"`, x, y) }

	put(`<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d" role="img">`, d.Width, d.Height)
	put("\n<title>%s</title>\n<style>\n%s", escaped.Replace(d.Title), style)
	for i := range seriesColors {
		put(".mark.s%[1]d { fill: var(--s%[1]d); stroke: var(--s%[1]d); } "+
			".curve.s%[1]d { fill: none; stroke: var(--s%[1]d); stroke-width: 2; stroke-linejoin: round; }\n", i)
	}
	put("</style>\n<rect class=\"back\" width=\"100%%\" height=\"100%%\"/>\n")
	text(fmt.Sprintf(`class="head" x="%.1f" y="26"`, d.Left), d.Title)
	put("\n")
	for _, t := range d.XTicks {
		put(`<line class="grid" x1="%.1[1]f" x2="%.1[1]f" y1="%.1[2]f" y2="%.1[3]f"/>`, t.At, d.Top, d.Bottom)
		text(at(t.At, d.Bottom+18)+` text-anchor="middle"`, t.Label)
		put("\n")
	}
	for _, t := range d.YTicks {
		put(`<line class="grid" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1[3]f"/>`, d.Left, d.Right, t.At)
		text(at(d.Left-8, t.At+4)+` text-anchor="end"`, t.Label)
		put("\n")
	}
	put(`<path class="frame" d="M%.1f %.1fV%.1fH%.1f"/>`, d.Left, d.Top, d.Bottom, d.Right)
	put("\n")
	for _, l := range d.Lines {
		put(`<path class="%s" d="%s">`, l.Class, l.Path)
		if l.Tip != "" {
			put("<title>%s</title>", escaped.Replace(l.Tip))
		}
		put("</path>\n")
	}
	square := func(class string, x, y float64) string {
		return fmt.Sprintf(`<rect class="mark %s" %s width="7" height="7"`, class, at(x-3.5, y-3.5))
	}
	circle := func(class string, x, y float64) string {
		return fmt.Sprintf(`<circle class="mark %s" cx="%.1f" cy="%.1f" r="4"`, class, x, y)
	}
	for _, m := range d.Marks {
		if m.Square {
			put("%s><title>%s</title></rect>\n", square(m.Class, m.X, m.Y), escaped.Replace(m.Tip))
		} else {
			put("%s><title>%s</title></circle>\n", circle(m.Class, m.X, m.Y), escaped.Replace(m.Tip))
		}
	}
	for _, e := range d.Legend {
		switch {
		case e.Line:
			put(`<path class="curve %s" d="M%.1f %.1fh18"/>`, e.Class, e.X-9, e.Y)
		case e.Square:
			put("%s/>", square(e.Class, e.X, e.Y))
		default:
			put("%s/>", circle(e.Class, e.X, e.Y))
		}
		text(`class="name" `+at(e.X+13, e.Y+4), e.Text)
		put("\n")
	}
	text(`class="name" `+at((d.Left+d.Right)/2, d.Bottom+44)+` text-anchor="middle"`, d.XTitle)
	put("\n")
	text(fmt.Sprintf(`class="name" transform="translate(20 %.1f) rotate(-90)" text-anchor="middle"`, (d.Top+d.Bottom)/2), d.YTitle)
	put("\n</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}
