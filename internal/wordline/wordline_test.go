package wordline

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// described writes what was read of a line.
func described(l Line) string {
	if l.Error != nil {
		return fmt.Sprintf("%d-%d %s", l.Error.From, l.Error.To, l.Error.Message)
	}
	s := l.Name.Text
	if l.Signed {
		s += " signed"
	}
	if l.Radix != "" {
		s += " " + l.Radix
	}
	s += ":"
	for _, b := range l.Bits {
		switch {
		case b.IsMissing:
			s += " none"
		case b.IsNegated:
			s += " not " + b.Text
		default:
			s += " " + b.Text
		}
	}
	for _, v := range l.Values {
		s += fmt.Sprintf(" %s=%s", v.Name.Text, v.Value)
	}
	return s
}

func TestRead(t *testing.T) {
	for line, want := range map[string]string{
		"word: state = s2 s1 s0":                      "state: s2 s1 s0",
		"  word:state=s1 s0":                          "state: s1 s0",
		"word: q = a[1] !a[0] - 12 !13":               "q: a[1] not a[0] none 12 not 13",
		`word: "my word" = "a b" !"c d" "-"`:          `my word: a b not c d -`,
		"word: s (signed) = a b":                      "s signed: a b",
		"word: s (hex , signed)= a b":                 "s signed hex: a b",
		"word: s = a b {idle = 0, wait = 0b1,go=0x3}": "s: a b idle=0 wait=1 go=3",
		"word: s = a b {}":                            "s: a b",
		"word: s = a b{idle=0,}":                      "s: a b idle=0",
		"word: s (signed) = a b {low = -2}":           "s signed: a b low=2",
		"word:":                                       `5-5 expected the name of the word, found the end of the line; one is written "word: state = s1 s0"`,
		"word: = a":                                   `6-7 expected the name of the word, found =; one is written "word: state = s1 s0"`,
		"word: s a":                                   "8-9 expected = and the bits of s, found a",
		"word: s =":                                   "9-9 expected the bits of s, the most significant first, found the end of the line",
		"word: s = {a = 1}":                           "10-12 expected the bits of s, the most significant first, found {a",
		"word: s = ! a":                               "10-11 expected a signal after !",
		`word: s = "a`:                                "10-12 expected a closing quote, found the end of the line",
		`word: s = ""`:                                "10-12 expected a signal, found an empty name",
		"word: s (sign) = a":                          "9-13 expected signed, hex, bin or dec, found sign; did you mean signed?",
		"word: s (hex bin) = a":                       "13-17 expected , or ) after hex, found bin)",
		"word: s (":                                   "9-9 expected signed, hex, bin or dec, found the end of the line",
		"word: s = a b {idle}":                        "19-20 expected = and the value of idle, found }",
		"word: s = a b {idle = 4}":                    "22-23 4 does not fit s, which has 2 bits: 0 to 3",
		"word: s = a b {idle = -1}":                   "22-24 -1 does not fit s, which has 2 bits: 0 to 3",
		"word: s (signed) = a b {idle = 2}":           "31-32 2 does not fit s, which has 2 bits: -2 to 1",
		"word: s = a b {idle = x}":                    "22-23 expected a number such as 5, 0x1f or 0b101, found x",
		"word: s = a b {idle = 0b-1}":                 "22-26 expected a number such as 5, 0x1f or 0b101, found 0b-1",
		"word: s = a b {idle = 0, idle = 1}":          "25-29 two values have the name idle",
		"word: s = a b {idle = 1, busy = 0b01}":       "32-36 0b01 has the name idle already",
		"word: s = a b {idle = 1 busy = 2}":           "24-28 expected , or } after a value, found busy",
		"word: s = a b {idle = 1":                     "23-23 expected , or } after a value, found the end of the line",
		"word: s = a b {idle = 1} c":                  "25-26 expected the end of the line after }, found c",
		"word: s = a b {":                             "15-15 expected the name of a value, found the end of the line",
	} {
		if !Is(line) {
			t.Errorf("%q is no word", line)
		}
		if got := described(Read(line, 0)); got != want {
			t.Errorf("%q\n%s, want\n%s", line, got, want)
		}
		if got := described(Read("# "+line, 2)); got != want && !strings.Contains(got, want[strings.Index(want, " ")+1:]) {
			t.Errorf("%q after #: %s", line, got)
		}
	}
}

// TestReadAnything reads lines that are damaged anyhow: places stay in the line.
func TestReadAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		line := []byte("word: state (signed, hex) = s2 !s1 - \"a b\" {idle = 0, wait = 0b1}")
		for range 1 + r.IntN(4) {
			if len(line) == 0 {
				break
			}
			switch at := r.IntN(len(line)); r.IntN(3) {
			case 0:
				line = append(line[:at], line[at+1:]...)
			case 1:
				line[at] = "{}=(),!-\" \t0xz"[r.IntN(14)]
			default:
				line = line[:at+1]
			}
		}
		l := Read("word:"+string(line), 0)
		for _, b := range l.Bits {
			if b.From >= b.To || b.To > len(line)+5 {
				t.Fatalf("%q: a bit at %d-%d", line, b.From, b.To)
			}
		}
		if e := l.Error; e != nil && (e.From > e.To || e.To > len(line)+5 || e.Message == "") {
			t.Fatalf("%q: an error at %d-%d", line, e.From, e.To)
		}
	}
}

func TestSpell(t *testing.T) {
	for _, name := range []string{"a", "a b", "x=1", "(a)", "a,b", "-", "!a"} {
		spelled, ok := Spell(name)
		if l := Read("word: "+spelled+" = a b", 0); !ok || l.Error != nil || l.Name.Text != name {
			t.Errorf("%q: %+v", spelled, l.Error)
		}
	}
}

// TestWrite writes what was read and reads it again.
func TestWrite(t *testing.T) {
	for _, line := range []string{
		`word: q = a[1] !a[0] - "12" !"13"`, `word: "my word" (signed, hex) = "a b" !"c{d" "-" "!x" -`,
		"word: s (signed) = a b {low = -2, high = 1}", `word: s (bin) = a b {"go," = 0b10, "a b" = 3}`, "word: s = a b {last = 3}",
	} {
		l := Read(line, 0)
		var bits []string
		for _, b := range l.Bits {
			spelled, ok := SpellBit(b.Name.Text, b.IsNegated)
			if !ok {
				t.Errorf("%q: no bit %q", line, b.Text)
			}
			if b.IsMissing {
				spelled = Missing
			}
			bits = append(bits, spelled)
		}
		if got, ok := l.Write(bits); !ok || got != line {
			t.Errorf("%q, want %q", got, line)
		}
		for i := range l.Values {
			l.Values[i].Number.Text = ""
		}
		if got, ok := l.Write(bits); !ok || described(Read(got, 0)) != described(l) {
			t.Errorf("%q, want what %q says", got, line)
		}
	}
	for _, name := range []string{"", `a" b`, `"`, "a\nb"} {
		if got, ok := SpellBit(name, false); ok {
			t.Errorf("a bit %q is written %q", name, got)
		}
	}
}
