package aigerdesign

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"aiglens/design"
	"aiglens/design/format"
	"aiglens/design/hierarchy"
	"aiglens/internal/yosys"
)

// Option says how AIGER files are read.
type Option struct {
	// Map is the path of a map of Yosys, in the place of those that lie beside a file. A '*' in it
	// stands for the name of the file without its extension, and a relative path begins in its folder.
	Map    string
	Others Others // finds maps; nil for none
	// Maps are maps that have been read already, in the place of others; nil for none.
	Maps *Maps
	// Revision counts the changes of the files that Others finds.
	Revision int
}

// Others finds other files for the file at an address; the view is nil for one that lies in no
// folder.
type Others interface {
	For(uri string) *hierarchy.View
}

// OptionOf returns the option of AIGER among those of all formats.
func OptionOf(all design.Options) Option {
	o, _ := all.Of(Format).(Option)
	return o
}

// Settings are {"map"}.
type Settings struct{ Map string }

// Option returns an Option that finds no other files.
func (s *Settings) Option() any { return Option{Map: s.Map} }

// load returns an option that finds the maps beside files. A map that is given by its whole name must
// be there.
func load(ctx context.Context, option any, disk design.Disk) (any, error) {
	o, _ := option.(Option)
	if o.Map != "" && !strings.Contains(o.Map, "*") {
		if _, err := disk.Read(ctx, o.Map); err != nil {
			return nil, err
		}
	}
	o.Others = folders{hierarchy.NewTexts(hierarchy.NewDisk(ctx, disk.Limit))}
	return o, nil
}

// folders are the files beside others, by their paths.
type folders struct{ library *hierarchy.Library }

func (f folders) For(name string) *hierarchy.View {
	if name == design.StandardInput {
		return nil
	}
	return f.library.ForFile(name)
}

// Maps are the maps of one circuit.
type Maps struct {
	Map     *yosys.Map        // of -map or -vmap; nil for none
	Witness *yosys.WitnessMap // of -ywmap; nil for none
	// Names are what messages call the files.
	MapName, WitnessName string
	// Faults say why a file counts for nothing.
	Faults []string
}

// pathsOf returns where the maps of a file may be.
func pathsOf(view *hierarchy.View, o Option) (paths []string) {
	stem := stemOf(view.File())
	if o.Map != "" {
		return []string{view.Path(strings.ReplaceAll(o.Map, "*", filepath.Base(stem)))}
	}
	for _, ext := range mapExtensions {
		paths = append(paths, stem+ext)
	}
	return paths
}

// MapPaths returns where maps of a file may be; none for another format, and for a file that lies in
// no folder.
func MapPaths(d *design.Design) []string {
	o := OptionOf(d.Options())
	if d.Kind != Format {
		return nil
	}
	if view := o.viewOf(d.URI); view != nil {
		return pathsOf(view, o)
	}
	return nil
}

// HasOtherMaps reports whether a file that has been read has other maps in a library than it has
// read.
func HasOtherMaps(d *design.Design, now *hierarchy.Library) bool {
	s, ok := design.Latest(d).(*fileSyntax)
	if !ok || s.view == nil {
		return false
	}
	return slices.ContainsFunc(pathsOf(s.view, OptionOf(d.Options())), func(path string) bool { return s.view.HasOther(path, now) })
}

// WitnessMapOf returns the map of -ywmap that is used for an AIGER file. The error says why there is none.
func WitnessMapOf(d *design.Design) (*yosys.WitnessMap, error) {
	var o *overlay
	switch s := d.Syntax().(type) {
	case *fileSyntax:
		o = s.overlay()
	case *binarySyntax:
		o = s.overlay()
	default:
		return nil, fmt.Errorf("%s is no AIGER file, and traces of Yosys are about one with a map beside it", d.URI)
	}
	switch {
	case o != nil && o.witness != nil:
		return o.witness, nil
	case o != nil && len(o.faults) > 0:
		return nil, fmt.Errorf("%s: there is no map to the signals of the source: %s", d.URI, strings.Join(o.faults, "; "))
	}
	return nil, fmt.Errorf("%s: there is no map to the signals of the source; write_aiger -ywmap writes it, as %s", d.URI, filepath.Base(stemOf(d.URI))+mapExtensions[0])
}

// mapExtensions are those of the files that are looked for beside a circuit.
var mapExtensions = [...]string{".ywa", ".aim"}

// findMaps returns the maps of a file, as a view of it has them; nil for none. What last has read is
// not read again where the texts are the same.
func findMaps(view *hierarchy.View, o Option, last *lastOverlay) *Maps {
	if o.Maps != nil || view == nil {
		return o.Maps
	}
	var texts []mapText
	for _, path := range pathsOf(view, o) {
		if text, ok := view.Text(path); ok || o.Map != "" && !strings.Contains(o.Map, "*") {
			texts = append(texts, mapText{filepath.Base(path), text, ok})
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return last.mapsOf(texts)
}

// readMaps reads maps.
func readMaps(texts []mapText) *Maps {
	m := &Maps{}
	for _, t := range texts {
		if t.ok {
			m.read(t.name, t.text.Content())
		} else {
			m.Faults = append(m.Faults, t.name+" cannot be read")
		}
	}
	return m
}

// viewOf returns the view of the file at an address; nil for none.
func (o Option) viewOf(uri string) *hierarchy.View {
	if o.Others == nil {
		return nil
	}
	return o.Others.For(uri)
}

// stemOf returns the path of a circuit without its extension.
func stemOf(path string) string {
	if f, ok := format.AIGER.FileOf(path); ok {
		return path[:len(path)-len(f.Ext)]
	}
	return strings.TrimSuffix(path, filepath.Ext(path))
}

// read reads a map, whose first character tells its format.
func (m *Maps) read(name, content string) {
	var err *yosys.Error
	if strings.HasPrefix(strings.TrimLeft(content, " \t\r\n"), "{") {
		m.WitnessName = name
		m.Witness, err = yosys.ReadWitnessMap([]byte(content))
	} else {
		m.MapName = name
		m.Map, err = yosys.ReadMap([]byte(content))
	}
	if err != nil {
		m.Faults = append(m.Faults, name+" is not used: "+err.Error())
	}
}
