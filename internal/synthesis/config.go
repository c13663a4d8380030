package synthesis

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// ConfigName is the name of the file beside sources that says which of them make a design.
const ConfigName = "aiglens.json"

// Config is the content of such a file. Paths are relative to its folder.
type Config struct {
	Sources []string          `json:"sources"`
	Top     string            `json:"top"`
	Reset   string            `json:"reset"` // an input that is active in the first step; ! in front: at 0
	Defines map[string]string `json:"defines"`
	Include []string          `json:"include"`
}

// ReadConfig reads a file of that name. Errors have the line.
func ReadConfig(data []byte) (Config, error) {
	var c Config
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(&c)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("expected the end of the file after the object")
		}
	}
	at := int(d.InputOffset())
	if err == nil {
		at, err = checkNames(json.NewDecoder(bytes.NewReader(data)), memberNames())
	}
	if err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at = int(syntax.Offset)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err, at = errors.New("the file ends before the object does"), len(data)
		}
		line := bytes.Count(data[:min(at, len(data))], []byte("\n")) + 1
		return c, fmt.Errorf("line %d: %s", line, strings.TrimPrefix(err.Error(), "json: "))
	}
	for _, s := range c.Sources {
		if !IsSource(s) {
			return c, fmt.Errorf("source %q: expected a file that ends in .v or .sv", s)
		}
	}
	return c, nil
}

// ConfigOf returns the design that a source belongs to, with paths: that of the file of the name
// ConfigName beside it where it is about the source, else the source alone.
func ConfigOf(path string, read func(path string) ([]byte, error)) (c Config, err error) {
	data, err := read(filepath.Join(filepath.Dir(path), ConfigName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return c, err
	default:
		if c, err = ReadConfig(data); err != nil {
			return c, fmt.Errorf("%s: %w", ConfigName, err)
		}
		if c = c.In(filepath.Dir(path)); !c.IsAbout(path) {
			c = Config{}
		}
	}
	if len(c.Sources) == 0 {
		c.Sources = []string{path}
	}
	for i, s := range c.Sources {
		c.Sources[i] = filepath.Clean(s)
	}
	return c, nil
}

// memberNames returns those of a configuration.
func memberNames() (names []string) {
	t := reflect.TypeFor[Config]()
	for i := range t.NumField() {
		names = append(names, t.Field(i).Tag.Get("json"))
	}
	return names
}

// checkNames returns an error, and its place, where an object of a valid text has a name twice, or the
// outermost one has a name that is not known: encoding/json takes "Top" for "top", and the last of two.
func checkNames(d *json.Decoder, known []string) (at int, err error) {
	begin, _ := d.Token()
	if _, isNested := begin.(json.Delim); !isNested {
		return 0, nil
	}
	seen := map[any]bool{}
	for d.More() {
		if begin == json.Delim('{') {
			name, _ := d.Token()
			switch text, _ := name.(string); {
			case known != nil && !slices.Contains(known, text):
				return int(d.InputOffset()), fmt.Errorf("unknown field %q", text)
			case seen[name]:
				return int(d.InputOffset()), fmt.Errorf("%q stands twice", text)
			}
			seen[name] = true
		}
		if at, err := checkNames(d, nil); err != nil {
			return at, err
		}
	}
	_, err = d.Token() // the end
	return int(d.InputOffset()), err
}

// IsSource reports whether a file is called like one of Verilog.
func IsSource(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".v" || ext == ".sv"
}

// In returns the configuration with the paths of a folder.
func (c Config) In(folder string) Config {
	below := func(paths []string) []string {
		all := make([]string, len(paths))
		for i, p := range paths {
			if all[i] = filepath.FromSlash(p); !filepath.IsAbs(all[i]) {
				all[i] = filepath.Join(folder, all[i])
			}
		}
		return all
	}
	c.Sources, c.Include = below(c.Sources), below(c.Include)
	return c
}

// DefineList returns the macros as a request has them.
func (c Config) DefineList() []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(c.Defines)) {
		if value := c.Defines[name]; value != "" {
			name += "=" + value
		}
		all = append(all, name)
	}
	return all
}

// IsAbout reports whether a configuration, with its paths, says what a source belongs to: it names the
// source, or it names none and is about each one of its folder.
func (c Config) IsAbout(source string) bool {
	return len(c.Sources) == 0 || slices.ContainsFunc(c.Sources, func(s string) bool { return filepath.Clean(s) == filepath.Clean(source) })
}
