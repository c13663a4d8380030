package bench

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// A plot has axes with ticks, lines and marks, all in pixels of the drawing.
type plot struct {
	Title, XTitle, YTitle    string
	Width, Height            int
	Left, Right, Top, Bottom float64 // edges of the field
	XTicks, YTicks           []tick
	Lines                    []line
	Marks                    []mark
	Legend                   []entry
}

type tick struct {
	At    float64
	Label string
}

type line struct {
	Class, Path, Tip string
}

type mark struct {
	Class  string
	X, Y   float64
	Square bool
	Tip    string
}

type entry struct {
	Class, Text string
	X, Y        float64
	Line        bool
	Square      bool
}

// Sizes in pixels.
const (
	marginLeft   = 76
	marginTop    = 66
	marginRight  = 24
	marginBottom = 62
)

// seriesColors is the number of colours; more series repeat them.
const seriesColors = 6

func series(i int) string { return fmt.Sprintf("s%d", i%seriesColors) }

func newPlot(title, x, y string, width, height int) *plot {
	return &plot{
		Title: title, XTitle: x, YTitle: y, Width: width, Height: height,
		Left: marginLeft, Right: float64(width - marginRight), Top: marginTop, Bottom: float64(height - marginBottom),
	}
}

// logAxis maps seconds to pixels; what lies outside is moved to the edge.
type logAxis struct{ low, high, from, to float64 }

func (a logAxis) at(seconds float64) float64 {
	seconds = min(max(seconds, a.low), a.high)
	return a.from + (a.to-a.from)*math.Log(seconds/a.low)/math.Log(a.high/a.low)
}

// ticks are the powers of ten up to limit.
func (a logAxis) ticks(limit float64) []tick {
	var ticks []tick
	for e := math.Ceil(math.Log10(a.low) - 1e-9); math.Pow(10, e) <= limit; e++ {
		v := math.Pow(10, e)
		ticks = append(ticks, tick{a.at(v), fmt.Sprintf("%.4g", v)})
	}
	return ticks
}

// lowest returns the power of ten below the smallest time, 0.1 at most.
func lowest(times []float64) float64 {
	smallest := 0.1
	for _, t := range times {
		smallest = min(smallest, max(t, floor))
	}
	return math.Pow(10, math.Floor(math.Log10(smallest)+1e-9))
}

// WriteScatter draws a point for each question: the CPU time of A upwards, that
// of B to the right. What one did not solve stands after its limit; what
// neither solved is left out.
func WriteScatter(w io.Writer, nameA, nameB string, p Pairing) error {
	points := slices.DeleteFunc(slices.Clone(p.All), func(c Change) bool { return !c.A.Solved() && !c.B.Solved() })
	limit := 1.0
	var times []float64
	for _, c := range points {
		limit = max(limit, c.A.CPULimit, c.B.CPULimit)
		times = append(times, c.A.CPU, c.B.CPU)
	}
	d := newPlot(fmt.Sprintf("%s and %s: CPU seconds", nameA, nameB), nameB, nameA, 560, 588)
	low, high := lowest(times), limit*2
	x, y := logAxis{low, high, d.Left, d.Right}, logAxis{low, high, d.Bottom, d.Top}
	d.XTicks, d.YTicks = x.ticks(limit/2), y.ticks(limit/2)
	d.XTicks = append(d.XTicks, tick{x.at(limit), fmt.Sprintf("%g", limit)}, tick{x.at(limit * 1.6), "no"})
	d.YTicks = append(d.YTicks, tick{y.at(limit), fmt.Sprintf("%g", limit)}, tick{y.at(limit * 1.6), "no"})
	segment := func(class string, x1, y1, x2, y2 float64) {
		d.Lines = append(d.Lines, line{Class: class, Path: fmt.Sprintf("M%.1f %.1fL%.1f %.1f", x.at(x1), y.at(y1), x.at(x2), y.at(y2))})
	}
	segment("equal", low, low, limit, limit)
	segment("guide", low, 10*low, limit/10, limit)
	segment("guide", 10*low, low, limit, limit/10)
	segment("limit", low, limit, high, limit)
	segment("limit", limit, low, limit, high)
	for _, c := range points {
		timeOf := func(r Row) (float64, string) {
			if !r.Solved() {
				return limit * 1.6, "no"
			}
			return r.CPU, fmt.Sprintf("%.3g s", r.CPU)
		}
		ta, textA := timeOf(c.A)
		tb, textB := timeOf(c.B)
		refuted := c.A.Solved() && c.A.Verdict == Refuted || c.B.Solved() && c.B.Verdict == Refuted
		m := mark{Class: series(0), X: x.at(tb), Y: y.at(ta), Square: refuted}
		if refuted {
			m.Class = series(1)
		}
		m.Tip = strings.TrimSpace(fmt.Sprintf("%s %s: %s %s, %s %s", c.File, c.Property, nameA, textA, nameB, textB))
		d.Marks = append(d.Marks, m)
	}
	d.Legend = []entry{
		{Class: series(0), Text: "proved", X: d.Left + 6, Y: 46},
		{Class: series(1), Text: "refuted", X: d.Left + 96, Y: 46, Square: true},
	}
	return d.writeSVG(w)
}

// Curve is one line of a cactus plot.
type Curve struct {
	Name    string
	Medians map[Question]Row
}

// WriteCactus draws, for each checker, how many questions it solves each within
// how much CPU time: further to the right is better.
func WriteCactus(w io.Writer, curves []Curve) error {
	var times [][]float64
	var all []float64
	limit, most := 1.0, 1
	for _, c := range curves {
		var solved []float64
		for _, r := range c.Medians {
			limit = max(limit, r.CPULimit)
			if r.Solved() {
				solved = append(solved, r.CPU)
			}
		}
		slices.Sort(solved)
		times, all = append(times, solved), append(all, solved...)
		most = max(most, len(solved))
	}
	const column = 170 // of the legend
	perRow := (720 - marginLeft - marginRight) / column
	rows := (len(curves) + perRow - 1) / perRow
	d := newPlot("Solved within CPU time", "questions solved", "CPU seconds for each", 720, 480)
	d.Top += float64(18 * (rows - 1))
	y := logAxis{lowest(all), limit, d.Bottom, d.Top}
	across := func(n int) float64 { return d.Left + (d.Right-d.Left)*float64(n)/float64(most) }
	d.YTicks = y.ticks(limit)
	for n, step := 0, tickStep(most); n <= most; n += step {
		d.XTicks = append(d.XTicks, tick{across(n), fmt.Sprint(n)})
	}
	for i, c := range curves {
		name := fmt.Sprintf("%s (%d)", c.Name, len(times[i]))
		d.Legend = append(d.Legend, entry{
			Class: series(i), Text: name, Line: true,
			X: d.Left + 10 + float64(i%perRow*column), Y: float64(46 + 18*(i/perRow)),
		})
		if len(times[i]) == 0 {
			continue
		}
		path := fmt.Sprintf("M%.1f %.1f", across(0), y.at(times[i][0]))
		for n, t := range times[i] {
			path += fmt.Sprintf("V%.1fH%.1f", y.at(t), across(n+1))
		}
		d.Lines = append(d.Lines, line{"curve " + series(i), path, name})
	}
	return d.writeSVG(w)
}

// tickStep returns 1, 2 or 5 times a power of ten, for ten ticks at most.
func tickStep(most int) int {
	for step := 1; ; step *= 10 {
		for _, k := range []int{1, 2, 5} {
			if most <= 10*k*step {
				return k * step
			}
		}
	}
}
