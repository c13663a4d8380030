package debug

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/blifdesign"
	"aiglens/design/btor2design"
	"aiglens/design/formats"
	"aiglens/design/runs"
	"aiglens/design/words"
	"aiglens/ic3/verify"
	"aiglens/internal/files"
	"aiglens/internal/source"
	"aiglens/internal/synthesis"
)

// launchArguments are those of the launch request; docs/debugging.md explains them.
type launchArguments struct {
	Program     string   `json:"program"`
	Text        *string  `json:"text"`   // instead of what the file holds
	Source      string   `json:"source"` // what the client calls the text; else Program
	Property    string   `json:"property"`
	Witness     string   `json:"witness"`     // a file
	WitnessText string   `json:"witnessText"` // instead of a file
	StopOnEntry *bool    `json:"stopOnEntry"`
	Timeout     *float64 `json:"timeout"` // seconds for each property; 0: no limit
	MaxSize     int64    `json:"maxSize"` // megabytes that are read of a file; 0 goes by the machine's memory
	// Simulate begins a run at reset. Inputs are those of the steps that continue adds, at most
	// Steps at once; random ones follow from Seed, where that is not 0.
	Simulate bool   `json:"simulate"`
	Inputs   string `json:"inputs"`
	Steps    *int   `json:"steps"`
	Seed     uint32 `json:"seed"`
	// BLIF are the settings of the editor below aiglens.blif, and mean the same.
	BLIF blifdesign.Settings `json:"blif"`
	// BTOR2 are those below aiglens.btor2.
	BTOR2 btor2design.Settings `json:"btor2"`
	// Verilog are those below aiglens.verilog that say what reads it, and Texts those of other sources
	// of the design, by path, instead of what the files hold.
	Verilog verilogArguments  `json:"verilog"`
	Texts   map[string]string `json:"texts"`
	// Radices are those in which values of words are written, by the names of these.
	Radices map[string]string `json:"radices"`
}

// progress is what there is to say while a counterexample is looked for.
type progress func(property, message string)

// load reads a circuit and finds a counterexample that passes its check. The error is a
// sentence for the user.
func (o Options) load(ctx context.Context, args launchArguments, report progress) (*target, error) {
	text, err := args.read(ctx)
	if err != nil {
		return nil, err
	}
	doc := text.doc
	properties := text.properties()
	if len(properties) == 0 {
		return nil, fmt.Errorf("%s has no property: nothing can fail in it%s", args.Program, firstError(doc))
	}
	if args.Property != "" {
		p, ok := propertyNamed(properties, args.Property)
		if !ok {
			return nil, fmt.Errorf("there is no property %q in %s; it has %s", args.Property, args.Program, listOf(properties))
		}
		properties = []design.Property{p}
	}
	p, checked, err := o.refutation(ctx, doc, properties, args, report)
	if err != nil {
		return nil, err
	}
	t, err := newTarget(ctx, text, p, checked)
	if err != nil {
		return nil, err
	}
	t.standsFor(args)
	return t, nil
}

// standsFor says how the client calls the text of a launch, and whether it is not what the file
// holds.
func (t *target) standsFor(args launchArguments) {
	t.path, t.program = args.Source, args.Program
	if args.Source == "" {
		t.path = filepath.FromSlash(t.doc.URI)
	}
	t.decoded = t.decoded && args.Source == ""
	t.radices = args.radicesOf(t.doc)
}

// radicesOf are the radices of a launch, which has been read, for its text.
func (a launchArguments) radicesOf(d *design.Design) *words.Radices {
	all := map[string]design.Radix{}
	for name, radix := range a.Radices {
		all[name], _ = words.RadixNamed(radix)
	}
	var none *words.Radices
	return none.With(d.URI, all)
}

// text is the text of a launch.
type text struct {
	doc     *design.Design
	decoded bool // it is not that of the file
	// elsewhere are the other texts of the same circuit, by path: the sources of a design in Verilog.
	elsewhere map[string]*design.Design
	places    map[circuit.Property]place // of the properties that stand in these
}

// properties returns those of the circuit, first those that stand in the text.
func (x text) properties() []design.Property {
	all := x.doc.Properties()
	slices.SortStableFunc(all, func(a, b design.Property) int { return cmp.Compare(x.places[a.ID].path, x.places[b.ID].path) })
	return all
}

// read returns the text of a launch.
func (a launchArguments) read(ctx context.Context) (found text, err error) {
	switch {
	case a.Program == "":
		return found, errors.New(`"program" is missing: the path of the circuit`)
	case a.MaxSize < 0 || a.MaxSize >= 1e9:
		return found, fmt.Errorf(`"maxSize" is %d, expected megabytes`, a.MaxSize)
	}
	for name, radix := range a.Radices {
		if _, ok := words.RadixNamed(radix); !ok {
			return found, fmt.Errorf(`"radices" has %q for %s, expected binary, decimal, hex or signed`, radix, name)
		}
	}
	path := pathOf(a.Program)
	if synthesis.IsSource(path) {
		return a.readVerilog(ctx, path)
	}
	var data []byte
	if a.Text != nil {
		data = []byte(*a.Text)
	} else if data, err = a.readFile(ctx, path); err != nil {
		return found, err
	}
	option := a.BLIF.Option().(blifdesign.Option)
	if option.Genlib != "" {
		option.Genlib = pathOf(option.Genlib)
	}
	opened, err := formats.All().Open(ctx, filepath.ToSlash(path), data, design.Opening{
		Options: design.Options{}.With(blifdesign.Format, option).With(btor2design.Format, a.BTOR2.Option()),
		Disk:    design.Disk{Read: a.readFile, Limit: a.limit()},
	})
	if err != nil {
		return found, err
	}
	if found.doc, err = opened.AsText(); err != nil {
		return found, fmt.Errorf("%s: %w", a.Program, err)
	}
	found.decoded = a.Text == nil && (opened.IsBinary() || strings.HasSuffix(strings.ToLower(path), ".gz"))
	return found, nil
}

// limit returns how many bytes are read of a file.
func (a launchArguments) limit() int64 {
	if a.MaxSize == 0 {
		return files.DefaultLimit()
	}
	return a.MaxSize << 20
}

// readFile returns the bytes of a file, unpacked.
func (a launchArguments) readFile(ctx context.Context, path string) ([]byte, error) {
	data, err := files.Read(ctx, path, a.limit())
	if _, isTooLarge := errors.AsType[*files.TooLargeError](err); isTooLarge {
		return nil, fmt.Errorf(`%w; "maxSize" raises it`, err)
	}
	return data, err
}

// pathOf returns the absolute path of a file that a client names by a path or a URI.
func pathOf(name string) string {
	if rest, isURI := strings.CutPrefix(name, "file://"); isURI {
		if unescaped, err := url.PathUnescape(rest); err == nil {
			rest = unescaped
		}
		if len(rest) > 2 && rest[0] == '/' && rest[2] == ':' { // a drive of Windows
			rest = rest[1:]
		}
		name = filepath.FromSlash(rest)
	}
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name
}

// propertyNamed finds a property by its id ("bad:0") or its name.
func propertyNamed(all []design.Property, name string) (design.Property, bool) {
	for _, called := range []func(design.Property) string{
		func(p design.Property) string { return p.ID.String() },
		func(p design.Property) string { return p.Name },
	} {
		if i := slices.IndexFunc(all, func(p design.Property) bool { return called(p) == name }); i >= 0 {
			return all[i], true
		}
	}
	return design.Property{}, false
}

// maxListed bounds the names of an error.
const maxListed = 10

func listOf(all []design.Property) string {
	var words []string
	for i, p := range all {
		if i == maxListed {
			words = append(words, fmt.Sprintf("and %d more", len(all)-i))
			break
		}
		words = append(words, fmt.Sprintf("%s (%s)", p.Name, p.ID))
	}
	return strings.Join(words, ", ")
}

// firstError says the first error of a text, after another sentence.
func firstError(doc *design.Design) string {
	for _, d := range doc.Diagnostics() {
		if d.Severity == source.Error {
			return "; " + inLine(doc, d)
		}
	}
	return ""
}

func inLine(doc *design.Design, d source.Diagnostic) string {
	line, _ := doc.Text.LineColumn(d.Span.Start)
	return fmt.Sprintf("line %d: %s", line, d.Message)
}

// refutation returns the first of some properties with a counterexample that passes its
// check: that of a witness, else of the cache, else of the engine.
func (o Options) refutation(ctx context.Context, doc *design.Design, properties []design.Property, args launchArguments, report progress) (design.Property, cert.Checked, error) {
	none := design.Property{}
	if err := doc.Elaborate(ctx); err != nil {
		return none, cert.Checked{}, err
	}
	if args.Witness != "" || args.WitnessText != "" {
		return fromWitness(ctx, doc, properties, args)
	}
	var refusals []string
	var left []design.Property
	for _, p := range properties {
		if d := design.FaultOfCheck(doc, p.ID); d != nil {
			refusals = append(refusals, fmt.Sprintf("%s cannot be checked: %s", p.Name, inLine(doc, *d)))
			continue
		}
		left = append(left, p)
	}
	limits := verify.Limits{Wall: verify.DefaultWall}
	if args.Timeout != nil {
		limits.Wall = time.Duration(*args.Timeout * float64(time.Second))
	}
	for _, recall := range []bool{true, false} {
		if recall && o.Cache == nil {
			continue
		}
		for _, p := range left {
			if !recall {
				report(p.Name, "checking")
			}
			r := verify.Run(ctx, verify.Job{
				Circuit: doc.Circuit(), Property: p.ID, Engine: o.Engine(), Limits: limits, Cache: o.Cache, Recall: recall,
			}, func(now verify.Progress) {
				if !recall {
					report(p.Name, fmt.Sprintf("depth %d", now.Depth))
				}
			})
			switch {
			case ctx.Err() != nil:
				return none, cert.Checked{}, errCancelled
			case r.Checked.Outcome() == cert.Refuted && r.Checked.Certified():
				return p, r.Checked, nil
			case !recall:
				refusals = append(refusals, p.Name+": "+r.Checked.String())
			}
		}
	}
	return none, cert.Checked{}, fmt.Errorf("there is no counterexample to walk through: %s", strings.Join(refusals[:min(len(refusals), maxListed)], "; "))
}

var errCancelled = errors.New("the check was cancelled")

// fromWitness takes the counterexample of a witness that fits one of the properties.
func fromWitness(ctx context.Context, doc *design.Design, properties []design.Property, args launchArguments) (design.Property, cert.Checked, error) {
	none := design.Property{}
	name, data := "the witness", []byte(args.WitnessText)
	if args.WitnessText == "" {
		var err error
		name = args.Witness
		if data, err = args.readFile(ctx, pathOf(args.Witness)); err != nil {
			return none, cert.Checked{}, err
		}
	}
	witnesses, diagnostics, err := runs.ReadCounterexamples(ctx, doc, data)
	if err != nil {
		return none, cert.Checked{}, fmt.Errorf("%s: %w", name, err)
	}
	if len(witnesses) == 0 {
		reason := "it holds no counterexample"
		if len(diagnostics) > 0 {
			line, _ := source.NewText(string(data)).LineColumn(diagnostics[0].Span.Start)
			reason = fmt.Sprintf("line %d: %s", line, diagnostics[0].Message)
		}
		return none, cert.Checked{}, fmt.Errorf("%s: %s", name, reason)
	}
	var chosen []circuit.Property
	if args.Property != "" {
		chosen = append(chosen, properties[0].ID)
	}
	w, id, err := runs.Choose(doc, witnesses, chosen)
	if err != nil {
		return none, cert.Checked{}, fmt.Errorf("%s: %w", name, err)
	}
	p, _ := doc.Property(id)
	if d := design.FaultOfCheck(doc, p.ID); d != nil {
		return none, cert.Checked{}, fmt.Errorf("%s cannot be checked: %s", p.Name, inLine(doc, *d))
	}
	checked, err := certify(ctx, doc, p.ID, w.Trace)
	if err != nil {
		return none, cert.Checked{}, fmt.Errorf("%s does not violate %s: %w", name, p.Name, err)
	}
	return p, checked, nil
}

// certify checks a run of unknown origin. The error says at which step what is wrong.
func certify(ctx context.Context, d *design.Design, p circuit.Property, t cert.Trace) (cert.Checked, error) {
	v, err := runs.Violate(ctx, d, p, t)
	if err != nil {
		return cert.Checked{}, err
	}
	checked, err := cert.Check(ctx, d.Circuit(), p, v.Claim())
	if rejected, ok := errors.AsType[*cert.RejectedError](err); ok {
		return cert.Checked{}, errors.New(rejected.Detail)
	}
	return checked, err
}

// launchFromJSON reads the arguments of a launch.
func launchFromJSON(raw json.RawMessage) (launchArguments, error) {
	var a launchArguments
	if len(raw) == 0 {
		return a, nil
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return a, fmt.Errorf("the launch configuration: %w", err)
	}
	return a, nil
}
