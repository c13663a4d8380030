// Package blifdesign reads BLIF files as designs: the row of the table of formats for
// BLIF, with the adapter of package blif to design.Syntax.
//
// It converts what blif says into the words of package design, models of other
// files included, which package hierarchy finds. It reads other files only to load
// libraries and models for a file that is opened, and knows no other format and no editor.
package blifdesign

import (
	"context"
	"fmt"
	"strings"

	"aiglens/blif"
	"aiglens/blif/cells"
	"aiglens/design"
	"aiglens/design/format"
	"aiglens/design/hierarchy"
	"aiglens/internal/source"
)

// Format is the row of BLIF.
var Format = &design.Format{
	Format:    format.BLIF,
	Parse:     parse,
	Settings:  func() design.Settings { return new(Settings) },
	Load:      load,
	HasModels: true,
	MadeFrom:  madeFromAt,
}

// Option says how BLIF files are read; see blif.Options. Patterns are separated by
// spaces.
type Option struct {
	Bad, Assert, Assume                 string
	NoNames                             bool // names of outputs say nothing
	OutputLimit                         int
	Combinational, CutUndriven, OneStep bool
	Genlib                              string // path of the library that Cells are read from
	Cells                               *Cells // of .gate and .mlatch; nil for none
	Models                              Models // of other files; nil for none
	// ModelsRevision counts the changes of the files behind Models.
	ModelsRevision int
}

// OptionOf returns the option of BLIF among those of all formats.
func OptionOf(all design.Options) Option {
	o, _ := all.Of(Format).(Option)
	return o
}

// Models finds the models of other files for the file at an address; the view is
// nil for one that lies in no folder.
type Models interface {
	For(uri string) *hierarchy.View
}

// Cells is a cell library in genlib format. Its Problems are what could not be
// read.
type Cells = cells.Genlib

// ReadCells reads a cell library.
func ReadCells(text source.Text) *Cells { return cells.ReadGenlib(text.Content()) }

// NewLibrary returns a library of other files, which are read like the document.
func NewLibrary(files hierarchy.Files, o Option, before *hierarchy.Library) *hierarchy.Library {
	return hierarchy.New(files, o.forFile(""), before)
}

// load returns an option with its library of cells, and with the models of the folders in which
// files lie.
func load(ctx context.Context, option any, disk design.Disk) (any, error) {
	o, _ := option.(Option)
	if o.Genlib != "" {
		data, err := disk.Read(ctx, o.Genlib)
		if err != nil {
			return nil, err
		}
		o.Cells = ReadCells(source.NewText(string(data)))
		if len(o.Cells.Problems) > 0 {
			return nil, fmt.Errorf("%s: %s", o.Genlib, o.Cells.Problems[0])
		}
		if len(o.Cells.Names()) == 0 {
			return nil, fmt.Errorf("%s: there is no cell: expected a library in genlib format, with lines such as GATE inv 1 O=!a; PIN * INV 1 999 1 0 1 0", o.Genlib)
		}
	}
	o.Models = folders{NewLibrary(hierarchy.NewDisk(ctx, disk.Limit), o, nil)}
	return o, nil
}

// folders are the models of the folders in which files lie, by their paths.
type folders struct{ library *hierarchy.Library }

func (f folders) For(name string) *hierarchy.View {
	if name == design.StandardInput {
		return nil
	}
	return f.library.ForFile(name)
}

// forFile returns the options of package blif for the file at an address.
func (o Option) forFile(uri string) blif.Options {
	name := design.FileName(uri)
	if uri == design.StandardInput {
		name = ""
	}
	bad := strings.Fields(o.Bad)
	if o.NoNames {
		bad = []string{""} // the name of no net
	}
	return blif.Options{
		FileName: name,
		Properties: blif.PropertyOptions{
			Bad: bad, Assert: strings.Fields(o.Assert), Assume: strings.Fields(o.Assume),
			OutputLimit: o.OutputLimit, Combinational: o.Combinational,
		},
		CutUndriven: o.CutUndriven, OneStep: o.OneStep, Cells: o.Cells,
	}
}

// Settings are {"badOutputs", "assertOutputs", "assumeOutputs", "outputLimit",
// "combinationalOutputs", "freeUndriven", "oneStep", "genlib"}.
type Settings struct {
	BadOutputs, AssertOutputs, AssumeOutputs    []string
	OutputLimit                                 *int
	CombinationalOutputs, FreeUndriven, OneStep bool
	Genlib                                      string
}

// Option returns an Option without cells and models. Without any pattern names say
// nothing, while absent lists stand for the usual patterns. A limit of 0 is none of
// the outputs, which blif.PropertyOptions say with a negative number.
func (s *Settings) Option() any {
	o := Option{
		Bad: strings.Join(s.BadOutputs, " "), Assert: strings.Join(s.AssertOutputs, " "), Assume: strings.Join(s.AssumeOutputs, " "),
		Combinational: s.CombinationalOutputs, CutUndriven: s.FreeUndriven, OneStep: s.OneStep, Genlib: s.Genlib,
	}
	given := s.BadOutputs != nil && s.AssertOutputs != nil && s.AssumeOutputs != nil
	o.NoNames = given && len(s.BadOutputs)+len(s.AssertOutputs)+len(s.AssumeOutputs) == 0
	if limit := s.OutputLimit; limit != nil {
		o.OutputLimit = *limit
		if *limit <= 0 {
			o.OutputLimit = -1
		}
	}
	return o
}
