package runs

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/words"
	"aiglens/internal/findings"
	"aiglens/internal/wave"
)

// maxWaveValues bounds the values of a wave, one byte each.
const maxWaveValues = 256 << 20

// WaveOptions say what a wave has besides constraints and properties.
type WaveOptions struct {
	Rounds int  // of a loop; 0 is one
	Short  bool // of inputs and latches those that the violation rests on, and no nets
	InCone bool // of inputs and latches those of the property's cone
	Nets   bool // all nets of the hierarchy
}

// probe is a signal of a wave before it has values.
type probe struct {
	wave.Signal
	lit  circuit.Lit
	name string // in full, of one that may be a bit of a word; else ""
}

// waveMaker makes a wave of a run of a design.
type waveMaker struct {
	d      *design.Design
	run    *trace.Replay
	probes []probe
}

// PropertyTitle names a property: "bad:0 (safe)", without a name of its own "bad:0"; a query "query 0".
func PropertyTitle(d *design.Design, p circuit.Property) string {
	found, _ := d.Property(p)
	switch {
	case design.HasClauses(d):
		return found.Name
	case found.Statement != "":
		return found.Statement + " " + found.Name
	case found.Given != "":
		return fmt.Sprintf("%s (%s)", p, found.Given)
	}
	return p.String()
}

// Words say what the run shows of a property.
func (v Violation) Words(p circuit.Property) string {
	last := v.Run.Steps() - 1
	switch {
	case v.Loop >= 0:
		return fmt.Sprintf("violated: %s repeats for ever", cert.LoopWords(v.Loop, last))
	case p.Kind == circuit.PropertyCover:
		return fmt.Sprintf("reached in step %d", last)
	}
	return fmt.Sprintf("violated in step %d", last)
}

// Wave returns the signals of a violation of a property, whose run is over all inputs of the
// circuit. The error is a sentence for the user, or that of ctx.
func (v Violation) Wave(ctx context.Context, d *design.Design, p circuit.Property, o WaveOptions) (w wave.Wave, err error) {
	w.Title = titleOf(d, PropertyTitle(d, p)+": "+v.Words(p))
	w.Steps = v.Run.Steps()
	m := waveMaker{d: d}
	if v.Loop < 0 {
		m.run, err = trace.New(ctx, d.Circuit(), v.Run)
	} else {
		m.run, err = trace.NewLasso(ctx, d.Circuit(), cert.Lasso{Trace: v.Run, Loop: v.Loop})
		w.Loop = wave.Loop{Length: w.Steps - v.Loop, Rounds: max(o.Rounds, 1)}
		if w.Loop.Rounds > maxWaveValues/w.Loop.Length {
			return w, fmt.Errorf("%d rounds are too many for a file", w.Loop.Rounds)
		}
		w.Steps = v.Loop + w.Loop.Length*w.Loop.Rounds
	}
	if err != nil {
		return w, err
	}
	if err := m.addLeaves(ctx, p, v, o); err != nil {
		return w, err
	}
	m.addConstraints()
	m.addProperty(p)
	if o.Nets && !o.Short {
		m.addNets()
	}
	w.Signals, err = m.valued(ctx, w.Steps, o)
	return w, err
}

// addLeaves adds the inputs and latches of a violation.
func (m *waveMaker) addLeaves(ctx context.Context, p circuit.Property, v Violation, o WaveOptions) error {
	c := m.d.Circuit()
	switch {
	case o.Short:
		if bad, ok := c.Bad(p); ok {
			return m.addSupport(ctx, trace.Event{Lit: bad, Step: v.Run.Steps() - 1})
		}
		events, _, _ := evidenceIn(ctx, m.run, c.Goals(p.Index), v.Loop)
		return m.addSupport(ctx, events...)
	case o.InCone:
		cone, err := c.ConeContext(ctx, p)
		if err != nil {
			return err
		}
		for _, i := range slices.Sorted(slices.Values(cone.Inputs)) {
			m.add(wave.Input, c.Inputs()[i].Lit)
		}
		for _, i := range slices.Sorted(slices.Values(cone.Latches)) {
			m.add(wave.Latch, c.Latches()[i].Lit)
		}
	default:
		m.addAll()
	}
	return nil
}

// PlayedWave returns the signals of a run without a property: inputs, latches,
// constraints and the literals of some properties. Errors are as those of Violation.Wave.
func PlayedWave(ctx context.Context, d *design.Design, t cert.Trace, shown []circuit.Property, o WaveOptions) (w wave.Wave, err error) {
	w = wave.Wave{Title: titleOf(d, PlayedWords), Steps: t.Steps()}
	m := waveMaker{d: d}
	if m.run, err = trace.New(ctx, d.Circuit(), t); err != nil {
		return w, err
	}
	m.addAll()
	m.addConstraints()
	for _, p := range shown {
		if _, ok := d.Circuit().Bad(p); ok {
			m.addProperty(p)
		}
	}
	if o.Nets && !o.Short {
		m.addNets()
	}
	w.Signals, err = m.valued(ctx, w.Steps, o)
	return w, err
}

// PlayedWords are what a run shows that stands for no property.
const PlayedWords = "a run without a property"

// ReachedWave returns the signals of a run in whose last step a literal is 1, which comes last and
// goes by a name; a short one of inputs and latches those that it rests on, and no constraints.
// The literal is one of c, the circuit of the text or that with more gates. sources are those of the
// signals. Errors are as those of Violation.Wave.
func ReachedWave(ctx context.Context, d *design.Design, c *circuit.Circuit, t cert.Trace, l circuit.Lit, name, words string, o WaveOptions) (w wave.Wave, sources []WaveSource, err error) {
	w = wave.Wave{Title: titleOf(d, words), Steps: t.Steps()}
	m := waveMaker{d: d}
	if m.run, err = trace.New(ctx, c, t); err != nil {
		return w, nil, err
	}
	if o.Short {
		if err := m.addSupport(ctx, trace.Event{Lit: l, Step: w.Steps - 1}); err != nil {
			return w, nil, err
		}
	} else {
		m.addAll()
		m.addConstraints()
	}
	for i, p := range m.probes {
		if p.lit == l && p.Group != wave.Constraint { // at the end, under the name that was asked for
			m.probes = append(m.probes[:i:i], m.probes[i+1:]...)
			break
		}
	}
	m.probes = append(m.probes, probe{Signal: wave.Signal{Name: name, Group: wave.Property}, lit: l})
	for _, p := range m.probes {
		source := WaveSource{p.lit, p.Name}
		if p.name != "" {
			_, source.Name = d.Scopes(p.name)
		}
		if int(p.lit.Var()) >= d.Circuit().NumVars() {
			source.Lit = circuit.False
		}
		sources = append(sources, source)
	}
	w.Signals, err = m.valued(ctx, w.Steps, WaveOptions{Short: true}) // sources has the signals, and no others
	return w, sources, err
}

// WaveSource is what a signal of a wave is in the circuit of the text.
type WaveSource struct {
	Lit  circuit.Lit // False for one that the text does not have
	Name string      // inside of its instance
}

// titleOf returns the title of a wave: the file, and what its run shows.
func titleOf(d *design.Design, words string) string { return design.FileName(d.URI) + ": " + words }

// add adds an input or latch.
func (m *waveMaker) add(group wave.Group, l circuit.Lit) {
	if design.IsAuxiliary(m.d, l) {
		return
	}
	name, shown := shownAs(m.d, l)
	m.addNamed(group, name, shown)
}

// addNamed adds a signal that may be a bit of a word, by its name in full.
func (m *waveMaker) addNamed(group wave.Group, name string, l circuit.Lit) {
	path, local := words.Scopes(m.d, name)
	m.probes = append(m.probes, probe{wave.Signal{Path: path, Name: local, Group: group}, l, name})
}

// addAll adds inputs, without those in place of errors, and latches.
func (m *waveMaker) addAll() {
	for _, in := range m.d.Circuit().Inputs()[:m.d.NumInputs()] {
		m.add(wave.Input, in.Lit)
	}
	for _, l := range m.d.Circuit().Latches() {
		m.add(wave.Latch, l.Lit)
	}
}

// addSupport adds the inputs and latches that values rest on, latches in the order in which they
// come in.
func (m *waveMaker) addSupport(ctx context.Context, events ...trace.Event) error {
	support, err := m.run.Support(ctx, events...)
	if err != nil {
		return err
	}
	c := m.d.Circuit()
	used := map[circuit.Lit]bool{}
	for _, leaf := range support.Leaves {
		used[leaf.Lit] = true
	}
	for _, in := range c.Inputs()[:m.d.NumInputs()] {
		if used[in.Lit] {
			m.add(wave.Input, in.Lit)
		}
	}
	for _, l := range support.Latches {
		m.add(wave.Latch, c.Latches()[l.Index].Lit)
	}
	return nil
}

// addNumbered adds a signal that has a name of its own, else goes by another.
func (m *waveMaker) addNumbered(names []string, index int, other string, group wave.Group, l circuit.Lit) {
	s := wave.Signal{Name: other, Group: group}
	if index < len(names) && names[index] != "" {
		s.Name = names[index]
		if found, _ := m.d.SourceOf(l); found.Name == s.Name {
			s.Path, s.Name = words.Scopes(m.d, s.Name)
		}
	}
	m.probes = append(m.probes, probe{Signal: s, lit: l})
}

// addConstraints adds what a run has to keep to.
func (m *waveMaker) addConstraints() {
	names := m.d.Names().Elements().Constraints
	for i, s := range m.d.Circuit().Constraints() {
		m.addNumbered(names, i, "c"+strconv.Itoa(i), wave.Constraint, s.Lit)
	}
}

// addProperty adds what a property looks at. A bad literal is 1 where the property fails, also
// that of an assertion.
func (m *waveMaker) addProperty(p circuit.Property) {
	c := m.d.Circuit()
	if bad, ok := design.BadOf(m.d, p); ok {
		name := m.d.PropertyName(p)
		switch {
		case name != "":
		case p.Kind == circuit.PropertyBad || p.Kind == circuit.PropertyOutput:
			name = p.Kind.String()[:1] + strconv.Itoa(p.Index)
		default:
			name = strings.ReplaceAll(p.String(), ":", "")
		}
		m.probes = append(m.probes, probe{Signal: wave.Signal{Name: name, Group: wave.Property}, lit: bad})
		return
	}
	names := m.d.Names().Elements()
	for i, s := range c.Fairness() {
		m.addNumbered(names.Fairness, i, "f"+strconv.Itoa(i), wave.Property, s.Lit)
	}
	for i, l := range c.Justice()[p.Index].Lits {
		m.addNumbered(names.Justice, p.Index, "j"+strconv.Itoa(p.Index), wave.Property, l)
		m.probes[len(m.probes)-1].Name += "." + strconv.Itoa(i)
	}
}

// addNets adds the nets of a file, and outputs with names, that are not there yet.
func (m *waveMaker) addNets() {
	known := map[string]bool{"": true}
	for _, p := range m.probes {
		known[p.name] = true
	}
	add := func(name string, l circuit.Lit) {
		if !known[name] {
			known[name] = true
			m.addNamed(wave.Gate, name, l)
		}
	}
	for net, l := range m.d.Names().Nets() {
		add(net, l)
	}
	names := m.d.Names().Elements().Outputs
	for i, s := range m.d.Circuit().Outputs() {
		if i < len(names) {
			add(names[i], s.Lit)
		}
	}
}

// fold puts the signals into words, and adds words that have none of them: those that the text or
// a map gives, and with the nets those that names make.
func (m *waveMaker) fold(ctx context.Context, o WaveOptions) (*Folding, error) {
	f, err := NewFolding(ctx, m.d)
	if err != nil {
		return nil, err
	}
	for i := range m.probes {
		f.Put(&m.probes[i].Signal, m.probes[i].name, m.probes[i].lit)
	}
	if o.Short || o.InCone {
		return f, nil
	}
	for _, word := range f.known.All() {
		if f.Has(word) || word.Origin == design.FromNames && !o.Nets {
			continue
		}
		for i, bit := range word.Bits {
			if !bit.Missing {
				s := wave.Signal{Path: word.Path, Name: fmt.Sprintf("%s[%d]", word.Local, word.Index(i)), Group: wave.Gate}
				f.put(&s, words.Place{Word: word, Position: i})
				m.probes = append(m.probes, probe{Signal: s, lit: bit.Lit})
			}
		}
	}
	return f, nil
}

// valued returns the signals with their values in the first steps of the run.
func (m *waveMaker) valued(ctx context.Context, steps int, o WaveOptions) (signals []wave.Signal, err error) {
	f, err := m.fold(ctx, o)
	if err != nil {
		return nil, err
	}
	lits := f.Lits()
	seen := map[circuit.Lit]bool{}
	for _, l := range lits {
		seen[l] = true
	}
	for _, p := range m.probes {
		if !seen[p.lit] {
			seen[p.lit] = true
			lits = append(lits, p.lit)
		}
	}
	if n := max(len(m.probes), len(lits)); n > maxWaveValues/max(steps, 1) {
		return nil, fmt.Errorf("%s over %s are too many for a file", findings.Count(n, "signal", "signals"), findings.Count(steps, "step", "steps"))
	}
	all, err := m.run.Values(ctx, steps, lits...)
	if err != nil {
		return nil, err
	}
	digits := map[circuit.Lit]string{}
	for i, values := range all {
		digits[lits[i]] = trace.Digits(values)
	}
	f.Set(digits)
	for _, p := range m.probes {
		p.Values = digits[p.lit]
		signals = append(signals, p.Signal)
	}
	return signals, nil
}
