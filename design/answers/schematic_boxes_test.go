package answers

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/formats"
)

// drawnAs draws all properties of a text, and returns the kinds and names of what is drawn.
func drawnAs(t *testing.T, name, text string, o DrawOptions) (*Picture, []string) {
	t.Helper()
	d, err := formats.All().Open(t.Context(), name, []byte(text), design.Opening{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := SubjectOf(d, d.PropertyIDs())
	if err != nil {
		t.Fatal(err)
	}
	o.Nodes = MaxNodes
	p, err := Draw(t.Context(), d, s, o)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, n := range p.Nodes() {
		all = append(all, strings.TrimSpace(n.Kind+" "+n.Name))
	}
	return p, all
}

// expectDrawn compares some of what is drawn, and what is not.
func expectDrawn(t *testing.T, drawn, want, never []string) {
	t.Helper()
	for _, one := range want {
		if !slices.Contains(drawn, one) {
			t.Errorf("there is no %s in %q", one, drawn)
		}
	}
	for _, one := range never {
		if slices.Contains(drawn, one) {
			t.Errorf("there is %s in %q", one, drawn)
		}
	}
}

// TestInstancesOfPictures opens and closes the instances of BLIF, and those that names make.
func TestInstancesOfPictures(t *testing.T) {
	text, err := os.ReadFile("../../examples/two_digits.blif")
	if err != nil {
		t.Fatal(err)
	}
	p, drawn := drawnAs(t, "x.blif", string(text), DrawOptions{})
	expectDrawn(t, drawn, []string{"scope ones", "scope tens", "register ones/count", "and overflow"}, []string{"instance ones"})
	for _, want := range []string{`label="− tens: digit"`, ">count<BR/>2 bits", "&amp;<BR/>carry<"} { // by their names inside
		if !strings.Contains(p.DOT(), want) {
			t.Errorf("there is no %s in\n%s", want, p.DOT())
		}
	}
	p, drawn = drawnAs(t, "x.blif", string(text), DrawOptions{Instances: Closed})
	expectDrawn(t, drawn, []string{"instance ones", "instance tens", "or no_digit", "input up"}, []string{"register ones/count", "and overflow"})
	for _, want := range []string{"+ ones<BR/>digit<", ">step<", ">count<", ">carry<", "n4:p2:e -> n2:p0:w", `headlabel="[1]"`} {
		if !strings.Contains(p.DOT(), want) {
			t.Errorf("there is no %s in\n%s", want, p.DOT())
		}
	}
	if p.Instances() != Closed {
		t.Errorf("instances are %q", p.Instances())
	}
	_, drawn = drawnAs(t, "x.blif", string(text), DrawOptions{Instances: Closed, Except: []string{"ones", "missing"}})
	expectDrawn(t, drawn, []string{"scope ones", "instance tens", "register ones/count"}, []string{"register tens/count", "instance ones"})
	_, drawn = drawnAs(t, "x.blif", string(text), DrawOptions{Instances: Opened, Except: []string{"ones"}})
	expectDrawn(t, drawn, []string{"instance ones", "scope tens", "register tens/count"}, []string{"register ones/count", "scope ones"})
	_, drawn = drawnAs(t, "x.blif", string(text), DrawOptions{Instances: Closed, Bits: true})
	expectDrawn(t, drawn, []string{"instance ones"}, nil)

	// One that names make, inside of another one: opening it opens both.
	const flattened = "aag 4 1 2 0 1 1\n2\n4 8\n6 4\n6\n8 5 2\ni0 go\nl0 u1.fifo.full\nl1 u1.last\nb0 stuck\n"
	_, drawn = drawnAs(t, "x.aag", flattened, DrawOptions{})
	expectDrawn(t, drawn, []string{"scope u1", "scope u1.fifo", "latch u1.last", "input go"}, nil)
	_, drawn = drawnAs(t, "x.aag", flattened, DrawOptions{Instances: Closed})
	expectDrawn(t, drawn, []string{"instance u1", "input go"}, []string{"latch u1.last", "latch u1.fifo.full", "and 8"})
	_, drawn = drawnAs(t, "x.aag", flattened, DrawOptions{Instances: Closed, Except: []string{"u1.fifo"}})
	expectDrawn(t, drawn, []string{"scope u1", "scope u1.fifo", "latch u1.fifo.full", "and 8"}, []string{"instance u1"})
}

// TestLargePicturesAreClosed draws a cone that is larger than a screen: its instances are closed, until one
// is opened.
func TestLargePicturesAreClosed(t *testing.T) {
	var text strings.Builder
	text.WriteString(".model top\n.inputs a\n.outputs bad\n# prop: bad bad\n")
	for i := range 20 {
		from := "a"
		if i > 0 {
			from = fmt.Sprintf("w%d", i-1)
		}
		fmt.Fprintf(&text, ".subckt stage i=%s o=w%d\n.cname s%d\n", from, i, i)
	}
	text.WriteString(".names w19 bad\n1 1\n.end\n.model stage\n.inputs i\n.outputs o\n.latch n q 0\n.names i q n\n10 1\n01 1\n.names q i o\n11 1\n.end\n")
	p, drawn := drawnAs(t, "x.blif", text.String(), DrawOptions{})
	expectDrawn(t, drawn, []string{"instance s0", "instance s19"}, []string{"latch s3/q"})
	if p.Instances() != Closed || len(drawn) != 22 {
		t.Errorf("%d boxes, instances are %q", len(drawn), p.Instances())
	}
	_, drawn = drawnAs(t, "x.blif", text.String(), DrawOptions{Instances: p.Instances(), Except: []string{"s3"}})
	expectDrawn(t, drawn, []string{"instance s0", "scope s3", "latch s3/q"}, []string{"instance s3", "latch s4/q"})
	_, drawn = drawnAs(t, "x.blif", text.String(), DrawOptions{Instances: Opened})
	expectDrawn(t, drawn, []string{"scope s0", "scope s19", "latch s3/q"}, nil)
}

// TestSharedSignalsLieAroundInstances draws two instances that compute the same: what they share is in neither
// box, so that no wire leads from one to the other.
func TestSharedSignalsLieAroundInstances(t *testing.T) {
	const text = ".model top\n.inputs a b\n.outputs bad\n# prop: bad bad\n.subckt m i=a j=b o=x\n.cname u1\n.subckt m i=a j=b o=y\n.cname u2\n" +
		".names x y bad\n11 1\n.end\n.model m\n.inputs i j\n.outputs o\n.names i j n\n11 1\n.latch n q 0\n.names q n o\n10 1\n.end\n"
	_, drawn := drawnAs(t, "x.blif", text, DrawOptions{Instances: Closed})
	expectDrawn(t, drawn, []string{"instance u1", "instance u2", "and u1/n"}, nil)
	// A copy of a net is no signal of its own: it lies where what it copies does.
	const copied = ".model top\n.inputs a\n.outputs bad\n# prop: bad bad\n.subckt m i=a o=x\n.cname u1\n.subckt p i=x o=bad\n.cname u2\n.end\n" +
		".model m\n.inputs i\n.outputs o\n.latch i o 0\n.end\n.model p\n.inputs i\n.outputs o\n.names i o\n1 1\n.end\n"
	_, drawn = drawnAs(t, "x.blif", copied, DrawOptions{Instances: Closed})
	expectDrawn(t, drawn, []string{"instance u1", "input a"}, []string{"instance u2"})
}
