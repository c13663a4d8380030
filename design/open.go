package design

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"aiglens/internal/source"
)

// StandardInput is the name of a file that came on standard input and lies in no folder.
const StandardInput = "-"

// Disk is where a format finds the other files that a file needs.
type Disk struct {
	Read  func(ctx context.Context, path string) ([]byte, error) // unpacked
	Limit int64                                                  // bytes of a file
}

// Opening says how files are opened.
type Opening struct {
	Options Options
	Disk    Disk
	// Fallback is the format of a file that is recognised as none; nil refuses such a file.
	Fallback *Format
}

// Open returns the design of a file, which every surface opens in this way. name is its path,
// or StandardInput, and data its content, unpacked. A name that belongs to a format decides;
// otherwise the first word does. Content that is not text stays what it is: see IsBinary and
// AsText. Errors are those of ctx and of the disk, and that the file belongs to no format.
func (t Formats) Open(ctx context.Context, name string, data []byte, o Opening) (*Design, error) {
	if strings.HasSuffix(name, ".xz") {
		return nil, fmt.Errorf("%s is packed by xz: unpack it with xz -d", name)
	}
	content := string(data)
	f := t.of(filepath.ToSlash(name), content)
	if f == nil {
		f = o.Fallback
	}
	if f == nil {
		return nil, t.Foreign(name)
	}
	if f.Load != nil {
		option, err := f.Load(ctx, o.Options.Of(f), o.Disk)
		if err != nil {
			return nil, err
		}
		o.Options = o.Options.With(f, option)
	}
	d := New(name, f, 0, source.NewText(content), o.Options)
	if f.ParseBinary != nil {
		if s, ok := f.ParseBinary(name, content, d.options.Of(f)); ok {
			d.setBinary(s)
		}
	}
	return d, nil
}

// Foreign is the error of a file that belongs to no format.
func (t Formats) Foreign(name string) error {
	return fmt.Errorf("%s is not a circuit that can be read: expected %s", name, t)
}

// NewBinary returns the design of a syntax that rests on no text.
func NewBinary(name string, f *Format, s Syntax) *Design {
	d := New(name, f, 0, source.Text{}, Options{})
	d.setBinary(s)
	return d
}

func (d *Design) setBinary(s Syntax) {
	d.isBinary, d.parse = true, func() Syntax { return s }
}

// IsBinary reports whether the content is not text. Spans are then those of the bytes, and
// elements of the circuit have no rows.
func (d *Design) IsBinary() bool { return d.isBinary }

// AsText returns the design with the text that a binary file stands for, or the design itself.
// The error says what is wrong with the file.
func (d *Design) AsText() (*Design, error) {
	if !d.isBinary {
		return d, nil
	}
	if d.Kind.Decode == nil {
		return nil, errors.New("the file cannot be decoded")
	}
	text, err := d.Kind.Decode(d.URI, []byte(d.Text.Content()))
	if err != nil {
		return nil, err
	}
	return New(d.URI, d.Kind, d.Version, source.NewText(text), d.options), nil
}

// Encoding returns how files with such content end, without the dot.
func (d *Design) Encoding() string {
	for _, file := range d.Kind.Files {
		if file.Binary == d.isBinary && !file.Packed {
			return strings.TrimPrefix(file.Ext, ".")
		}
	}
	return ""
}
