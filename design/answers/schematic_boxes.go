package answers

import (
	"context"
	"fmt"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/picture"
	"aiglens/design"
	"aiglens/design/words"
	"aiglens/internal/nearest"
)

// Instances says how the instances of a design are drawn.
type Instances string

// The ways. By themselves instances are open where the picture is no larger than a screen.
const (
	ByThemselves Instances = ""
	Opened       Instances = "open"   // with what lies inside
	Closed       Instances = "closed" // as boxes with pins
)

// screenful is about how many boxes a screen shows with words that can be read.
const screenful = 60

// FindInstance returns an error, which is a sentence for the user, where a design has no instance of a
// name.
func FindInstance(ctx context.Context, d *design.Design, name string) error {
	s, err := derivedScopes.Of(ctx, d)
	if err != nil {
		return err
	}
	if _, ok := s.find(name); ok {
		return nil
	}
	var known []string
	for at := 1; at < min(len(s.all), maxNear); at++ {
		known = append(known, s.name(at))
	}
	return fmt.Errorf("there is no instance %q%s", name, nearest.Hint(name, known))
}

// maxNear bounds the names that one is compared with.
const maxNear = 1000

// boxes are the instances of a picture: those that are closed, and their pins.
type boxes struct {
	*scopes
	words  *words.Words // nil where bits are drawn
	way    Instances
	except map[int]bool     // scopes that are the other way; of those that are open all around them, too
	outer  map[int]int      // by scope, once it is asked for: the outermost closed one, or 0
	ports  map[int][]pinned // by closed scope
	pins   map[int]map[string]*pinned
}

// pinned is a pin of a box.
type pinned struct {
	name string
	key  int
	word *design.Word // nil for a bit
	bit  int          // 1 + that of the word, of a port
	port design.Port
}

// newBoxes returns the instances of a design, drawn in one way but for those with some names.
func newBoxes(ctx context.Context, d *design.Design, way Instances, except []string, bits bool) (*boxes, error) {
	s, err := derivedScopes.Of(ctx, d)
	if err != nil {
		return nil, err
	}
	b := &boxes{scopes: s, way: way, except: map[int]bool{}, outer: map[int]int{}, ports: map[int][]pinned{}, pins: map[int]map[string]*pinned{}}
	if !bits {
		if b.words, err = words.Of(ctx, d); err != nil {
			return nil, err
		}
	}
	for _, name := range except {
		at, ok := s.find(name)
		for ; ok && at > 0; at = s.all[at].parent {
			if b.except[at] = true; way == Opened {
				break
			}
		}
	}
	return b, nil
}

// isClosed reports whether a scope is drawn as a box.
func (b *boxes) isClosed(at int) bool { return at > 0 && (b.way == Closed) != b.except[at] }

// box returns the outermost closed scope that a variable lies in, or 0.
func (b *boxes) box(v circuit.Var) int {
	at := b.at(v)
	if box, isKnown := b.outer[at]; isKnown {
		return box
	}
	box := 0
	for s := at; s > 0; s = b.all[s].parent {
		if b.isClosed(s) {
			box = s
		}
	}
	b.outer[at] = box
	return box
}

// around returns the open scopes that something of a scope is drawn in, outermost first.
func (b *boxes) around(at int) (all []int) {
	for ; at > 0; at = b.all[at].parent {
		all = append(all, at)
	}
	slices.Reverse(all)
	return all
}

// pin says where a literal enters or leaves a box: at a port of its model, else at a pin of its name.
func (b *boxes) pin(box int, l circuit.Lit, leaves bool) (key, bit int, at circuit.Lit) {
	for _, p := range b.portsOf(box) {
		if p.port.Lit.Var() == l.Var() && p.port.IsOutput == leaves {
			b.note(box, fmt.Sprint(p.key), p)
			return p.key, p.bit, p.port.Lit
		}
	}
	found, ok := b.d.SourceOf(l)
	at = l.Positive().NotIf(ok && found.Negated)
	p := pinned{name: pictureName(b.d, at)}
	if b.words != nil {
		if place, ok := b.words.At(l); ok {
			p.word, bit, at = place.Word, place.Position+1, place.Word.Bits[place.Position].Lit
			p.name = p.word.Name
		}
	}
	if leaves {
		p.name = b.inside(box, p.name)
	}
	as := fmt.Sprintf("%t %s %d", leaves, p.name, at.Var())
	if p.word != nil {
		as = fmt.Sprintf("%t %s", leaves, p.name)
	}
	p.key = firstNamed + len(b.pins[box])
	return b.note(box, as, p).key, bit, at
}

// firstNamed is the first key of pins that are no ports, which stand after these.
const firstNamed = 1 << 24

// note keeps a pin of a box, and returns the one that is kept.
func (b *boxes) note(box int, as string, p pinned) *pinned {
	if b.pins[box] == nil {
		b.pins[box] = map[string]*pinned{}
	}
	if b.pins[box][as] == nil {
		b.pins[box][as] = &p
	}
	return b.pins[box][as]
}

// portsOf returns the ports of a closed scope; those of a word have one key.
func (b *boxes) portsOf(box int) []pinned {
	if all, isKnown := b.ports[box]; isKnown {
		return all
	}
	var all []pinned
	if in := b.all[box].instance; in > 0 {
		keys := map[*design.Word]int{}
		for i, port := range b.d.Names().Ports(in) {
			p := pinned{name: port.Name, key: i, port: port}
			if b.words != nil {
				if place, ok := b.words.Bit(b.name(box) + "/" + port.Name); ok {
					if _, has := keys[place.Word]; !has {
						keys[place.Word] = i
					}
					p.word, p.bit, p.key = place.Word, place.Position+1, keys[place.Word]
					p.name = b.inside(box, place.Word.Name)
				}
			}
			all = append(all, p)
		}
	}
	b.ports[box] = all
	return all
}

// local returns what a literal is called inside of a scope; name is what it is called outside, where it
// may have another name.
func (b *boxes) local(at int, l circuit.Lit, name string) string {
	local := b.inside(at, name)
	if local != name {
		return local
	}
	for _, p := range b.portsOf(at) {
		if p.port.Lit == l && p.port.IsOutput {
			return p.port.Name
		}
	}
	return name
}

// pinOf returns a pin of a node.
func (b *boxes) pinOf(n *picture.Node, pin int) *pinned {
	for _, p := range b.pins[n.Box] {
		if p.key == n.Pins[pin].Key {
			return p
		}
	}
	return &pinned{}
}
