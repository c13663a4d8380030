package shared

import (
	"slices"
	"testing"
	"time"

	"aiglens/internal/source"
)

// Keystrokes types a piece into a text and takes it out again, has each text read, and reports how long that took: on the
// clock, and of the processor, which other programs do not change.
func Keystrokes(b *testing.B, text source.Text, at int, piece string, read func(source.Text)) {
	var wall, used []time.Duration
	for i := 0; b.Loop(); i++ {
		start, cpu := time.Now(), CPUTime(b)
		if i%2 == 0 {
			text = text.Replace(source.Span{Start: at}, piece)
		} else {
			text = text.Replace(source.Span{Start: at, Length: len(piece)}, "")
		}
		read(text)
		wall, used = append(wall, time.Since(start)), append(used, CPUTime(b)-cpu)
	}
	Percentiles(b, "", wall)
	Percentiles(b, "cpu-", used)
}

// Percentiles reports half of the times and the slowest in a hundred, in milliseconds.
func Percentiles(b *testing.B, name string, times []time.Duration) {
	slices.Sort(times)
	for _, of := range []struct {
		unit      string
		thousands int
	}{{"p50-ms", 500}, {"p99-ms", 990}} {
		at := times[(len(times)-1)*of.thousands/1000]
		b.ReportMetric(float64(at.Microseconds())/1000, name+of.unit)
	}
}
