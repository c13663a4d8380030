package ide

import (
	"strings"

	"aiglens/design"
	"aiglens/internal/lazy"
	"aiglens/internal/source"
)

// Link is something in a comment that may be opened.
type Link struct {
	Span source.Span
	URL  string // "" for a file
	Path string // as written; whether it exists is for the caller to find out
}

const (
	maxLinkText = 1 << 20 // bytes of a comment that are searched
	maxLinks    = 1000
)

var (
	urlPattern = lazy.Pattern(`https?://[^\s<>"'` + "`" + `]+`)
	// A file name has an extension; a number such as 1.5 is none.
	pathPattern = lazy.Pattern(`[\w./+\-]*[\w+\-]\.[A-Za-z][\w]{0,9}\b`)
)

// Links returns what looks like an address or the name of a file in the
// comments, in text order, after the files that the text itself names.
func Links(d *design.Design) []Link {
	var all []Link
	for _, r := range d.FileReferences() {
		all = append(all, Link{Span: r.Span, Path: r.Path})
	}
	for _, s := range d.SectionSpans() {
		if !s.Comment {
			continue
		}
		start := s.Span.Start
		text := d.Text.Slice(source.Span{Start: start, Length: min(s.Span.Length, maxLinkText)})
		urls := urlPattern().FindAllStringIndex(text, maxLinks)
		for _, at := range urls {
			url := trimURL(text[at[0]:at[1]])
			all = append(all, Link{Span: source.Span{Start: start + at[0], Length: len(url)}, URL: url})
		}
		for _, at := range pathPattern().FindAllStringIndex(text, maxLinks) {
			for len(urls) > 0 && urls[0][1] <= at[0] {
				urls = urls[1:]
			}
			if len(urls) > 0 && urls[0][0] < at[1] {
				continue // part of an address
			}
			all = append(all, Link{Span: source.SpanFromTo(start+at[0], start+at[1]), Path: text[at[0]:at[1]]})
		}
	}
	return all
}

// trimURL drops what ends the sentence around an address.
func trimURL(url string) string {
	url = strings.TrimRight(url, ".,;:!?")
	if strings.HasSuffix(url, ")") && !strings.Contains(url, "(") {
		url = strings.TrimRight(url, ").,;:!?")
	}
	return url
}
