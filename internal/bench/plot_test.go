package bench

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
)

// elements counts the elements of an XML document by name, or by name and the
// first class; it fails when the document is not well-formed.
func elements(t *testing.T, text []byte) map[string]int {
	t.Helper()
	count := map[string]int{}
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return count
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if e, ok := token.(xml.StartElement); ok {
			count[e.Name.Local]++
			for _, a := range e.Attr {
				if a.Name.Local == "class" {
					count[e.Name.Local+" "+a.Value]++
				}
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Errorf("%s=%q", a.Name.Local, a.Value)
				}
			}
		}
	}
}

func TestPlots(t *testing.T) {
	var a, b []Row
	for i, cpu := range []float64{0, 0.02, 0.5, 9.99} {
		file := fmt.Sprintf("<dir>/\"%d\"&.aig", i)
		verdict := Proved
		if i == 1 {
			verdict = Refuted
		}
		a = append(a, rowOf("a", file, verdict, cpu, "", 0))
		b = append(b, rowOf("b", file, verdict, 2*cpu, "", 0)) // the last one is late
	}
	a = append(a, rowOf("a", "neither", Unknown, 10, "", 0))
	b = append(b, rowOf("b", "neither", Unknown, 10, "", 0))

	var out bytes.Buffer
	if err := WriteScatter(&out, "a<b", "b", Pair(Medians(a), Medians(b))); err != nil {
		t.Fatal(err)
	}
	count := elements(t, out.Bytes())
	// One more of each in the legend.
	if count["circle mark s0"] != 3+1 || count["rect mark s1"] != 1+1 {
		t.Errorf("marks: %v", count)
	}
	for _, want := range []string{"prefers-color-scheme: dark", "b no", "&lt;dir&gt;"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in the scatter plot", want)
		}
	}

	out.Reset()
	curves := []Curve{{"a", Medians(a)}, {"b", Medians(b)}, {"none", nil}}
	if err := WriteCactus(&out, curves); err != nil {
		t.Fatal(err)
	}
	count = elements(t, out.Bytes())
	if count["path curve s0"] != 2 || count["path curve s1"] != 2 || count["path curve s2"] != 1 {
		t.Errorf("curves: %v", count)
	}
	for _, want := range []string{"a (4)", "b (3)", "none (0)"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in the cactus plot", want)
		}
	}
}

// TestEmptyPlots: there may be nothing to draw, with a limit of one second.
func TestEmptyPlots(t *testing.T) {
	r := rowOf("a", "f", Unknown, 1, "", 0)
	r.CPULimit = 1
	m := Medians([]Row{r})
	for _, write := range []func(io.Writer) error{
		func(w io.Writer) error { return WriteScatter(w, "a", "b", Pair(m, m)) },
		func(w io.Writer) error { return WriteCactus(w, []Curve{{"a", m}}) },
		func(w io.Writer) error { return WriteCactus(w, nil) },
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		elements(t, out.Bytes())
	}
}

func TestTickStep(t *testing.T) {
	for most, want := range map[int]int{1: 1, 10: 1, 11: 2, 20: 2, 21: 5, 50: 5, 51: 10, 1000: 100, 1001: 200} {
		if got := tickStep(most); got != want {
			t.Errorf("tickStep(%d) = %d, want %d", most, got, want)
		}
	}
}
