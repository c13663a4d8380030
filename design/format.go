package design

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"aiglens/design/format"
	"aiglens/internal/files"
	"aiglens/internal/source"
)

// Format is a row of the table of formats: how its files are recognised, and what
// reads them.
type Format struct {
	format.Format
	// Parse reads a text.
	Parse func(Unparsed) Syntax
	// IsText reports whether the content of a file, which nothing has decoded, is text
	// of the format; nil says always. What is none has no syntax, so that
	// mangled bytes are not read as text.
	IsText func(path, content string) bool
	// Decode returns the text of a binary file, or one that was packed; nil where there
	// are none. The name, in lower case and without .gz, tells how it is kept.
	Decode func(name string, data []byte) (string, error)
	// ParseBinary reads content that is not text, without making a text of it; ok is false
	// for text, right or wrong. The option is the format's own, as in Unparsed. nil for a format
	// that has nothing but text.
	ParseBinary func(name, content string, option any) (s Syntax, ok bool)
	// Settings returns the format's own settings as the user leaves them alone; nil for
	// none.
	Settings func() Settings
	// Load returns an option of the format with what it needs of other files: libraries of
	// cells, models. nil for a format whose files stand for themselves.
	Load func(ctx context.Context, option any, disk Disk) (any, error)
	// HasModels says that files use models of each other; package design/hierarchy
	// finds them.
	HasModels bool
	// HasClauses says that texts hold Horn clauses in the place of a circuit: their circuit is empty, and their
	// properties are queries.
	HasClauses bool
	// MadeFrom answers MadeFromAt; nil for a format whose texts name no such places.
	MadeFrom func(s Syntax, offset int) []MadeFrom
}

// Unparsed is what a syntax is made of.
type Unparsed struct {
	URI    string
	Text   source.Text
	Option any // the format's own, of Options; nil for the usual
	// Before is the format's syntax of an earlier version of the text, or of the same
	// text with another option; nil for none. What has not changed is taken from it.
	Before Syntax
}

// Settings are a format's own settings: a pointer to a struct whose fields are
// filled from the JSON members of their names.
type Settings interface {
	// Option returns how texts are read with the settings, a comparable value.
	Option() any
}

// parse reads a text, with the help of what is known of an earlier version.
func (f *Format) parse(uri string, text source.Text, opts Options, before *Syntax) Syntax {
	if f == nil {
		return Base{nothing{}, text}
	}
	in := Unparsed{URI: uri, Text: text, Option: opts.Of(f)}
	if before != nil {
		in.Before = *before
	}
	return f.Parse(in)
}

// HasModels reports whether the text is one that uses models of other files, or that
// others may use the models of.
func (d *Design) HasModels() bool { return d.Kind != nil && d.Kind.HasModels }

// ErrClauses is the answer to a question about the circuit of a text of clauses.
var ErrClauses = errors.New("the file has Horn clauses, and no circuit")

// HasClauses reports whether the text is one of clauses, which has no circuit.
func HasClauses(d *Design) bool { return d.Kind != nil && d.Kind.HasClauses }

// Formats is a table of formats. It is never written.
type Formats []*Format

// String names the formats with the extensions of their files.
func (t Formats) String() string {
	words := make([]string, len(t))
	for i, f := range t {
		words[i] = fmt.Sprintf("%s (%s)", f.Name, strings.Join(f.Extensions(), ", "))
	}
	return strings.Join(words, " or ")
}

// ByLanguage returns the format with one of its identifiers, or nil.
func (t Formats) ByLanguage(name string) *Format {
	for _, f := range t {
		for _, known := range f.Languages {
			if known == name {
				return f
			}
		}
	}
	return nil
}

// ByPath returns the format that a file is called like, or nil.
func (t Formats) ByPath(path string) *Format {
	for _, f := range t {
		if f.Has(path) {
			return f
		}
	}
	return nil
}

// Recognise tells the format of a text by the client's language, else by the path,
// else by the first word; nil for a text of none.
func (t Formats) Recognise(language, filePath, content string) *Format {
	f := t.ByLanguage(language)
	if f == nil {
		f = t.of(filePath, content)
	}
	if f != nil && f.IsText != nil && !f.IsText(filePath, content) {
		return nil
	}
	return f
}

// of returns the format of a file by its path, else by its first word; nil for a file of none.
func (t Formats) of(filePath, content string) *Format {
	f := t.ByPath(filePath)
	if f == nil {
		f = t.ByLanguage(strings.TrimPrefix(strings.ToLower(path.Ext(filePath)), "."))
	}
	if f == nil {
		f = t.beginning(content)
	}
	return f
}

func (t Formats) beginning(content string) *Format {
	for _, f := range t {
		if f.Begins(content) {
			return f
		}
	}
	return nil
}

// HasCircuit reports whether a file is called like one of the formats that have a circuit.
func (t Formats) HasCircuit(path string) bool {
	f := t.ByPath(path)
	return f != nil && !f.HasClauses
}

// HasText reports whether a file is called like one of the formats, whose bytes are the text.
func (t Formats) HasText(path string) bool {
	f := t.ByPath(path)
	return f != nil && f.HasText(path)
}

// Glob returns the pattern of the files of all formats in every folder.
func (t Formats) Glob() string {
	var all []string
	for _, f := range t {
		all = append(all, f.Extensions()...)
	}
	return "**/" + format.Glob(all)
}

// decoder returns the format that decodes a file, or nil for one whose bytes are the
// text. A packed file that is called like none belongs to the first that can.
func (t Formats) decoder(name string) *Format {
	if f := t.ByPath(name); f != nil {
		if file, _ := f.FileOf(name); file.IsEncoded() {
			return f
		}
		return nil
	}
	if strings.EqualFold(path.Ext(name), ".gz") {
		return t.anyDecoder()
	}
	return nil
}

func (t Formats) anyDecoder() *Format {
	for _, f := range t {
		if f.Decode != nil {
			return f
		}
	}
	return nil
}

// Decode returns the text of a file by its name. One that is not called like a
// binary or packed file counts as such: the caller knows better. What a packed file holds
// is read up to limit bytes; beyond them the error is a *files.TooLargeError.
func (t Formats) Decode(name string, data []byte, limit int64) (string, error) {
	f := t.decoder(name)
	if f == nil {
		f = t.anyDecoder()
	}
	if f == nil {
		return "", fmt.Errorf("%s cannot be decoded", path.Base(name))
	}
	return f.decode(name, data, limit)
}

func (f *Format) decode(name string, data []byte, limit int64) (string, error) {
	name = strings.ToLower(name)
	if plain, isPacked := strings.CutSuffix(name, ".gz"); isPacked {
		var err error
		if data, err = files.Unpack(context.Background(), path.Base(name), bytes.NewReader(data), limit); err != nil {
			return "", err
		}
		name = plain
	}
	return f.Decode(name, data)
}

// Read returns the text of a file and its format, which is nil for none. decoded
// says that the bytes of the file are not the text. The limit is that of Decode.
func (t Formats) Read(name string, data []byte, limit int64) (text string, f *Format, decoded bool, err error) {
	if f = t.decoder(name); f == nil {
		text = string(data)
		return text, t.Recognise("", name, text), false, nil
	}
	text, err = f.decode(name, data, limit)
	return text, f, true, err
}
