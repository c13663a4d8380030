// Package wavetest reads value change dumps back, for tests of the packages that write them.
package wavetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// ThroughGTKWave has GTKWave's converters read a VCD file and write it again. Where
// they are not installed the test is skipped; on a build server (CI is set) it fails.
func ThroughGTKWave(t testing.TB, vcd []byte) string {
	t.Helper()
	toFST, toVCD := program(t, "vcd2fst"), program(t, "fst2vcd")
	dir := t.TempDir()
	in, fst := filepath.Join(dir, "a.vcd"), filepath.Join(dir, "a.fst")
	if err := os.WriteFile(in, vcd, 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(toFST, in, fst).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	again, err := exec.Command(toVCD, fst).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(again)
}

func program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("%s is not installed", name)
		}
		t.Skipf("%s is not installed: nothing to compare with", name)
	}
	return path
}

// ReadVCD returns the values of each bit by its full name, with points between scopes:
// one byte a step, which is one unit of time. The bits of a vector a[3:0] are a[3] to
// a[0], those of a[0:3] the other way round.
func ReadVCD(text string, steps int) (map[string]string, error) {
	r := &reader{steps: steps, names: map[string][]string{}, bits: map[string][][]byte{}}
	words := strings.Fields(text)
	for len(words) > 0 {
		n, err := r.item(words)
		if err != nil {
			return nil, err
		}
		words = words[n:]
	}
	result := map[string]string{}
	for id, bits := range r.bits {
		for _, name := range r.names[id] {
			for i, b := range bits {
				bit, ok := bitOf(name, len(bits), i)
				if !ok {
					return nil, fmt.Errorf("%s has %d bits", name, len(bits))
				}
				if _, twice := result[bit]; twice {
					return nil, fmt.Errorf("two variables %s", bit)
				}
				result[bit] = string(b)
			}
		}
	}
	return result, nil
}

// bitOf names a bit of a variable, counted from the left; ok is false where the range in the name
// is not one of so many bits.
func bitOf(name string, bits, i int) (bit string, ok bool) {
	var left, right int
	at := strings.LastIndexByte(name, '[')
	if n, err := fmt.Sscanf(name[max(at, 0):], "[%d:%d]", &left, &right); n < 2 || err != nil {
		return name, bits == 1
	}
	if left < right {
		return fmt.Sprintf("%s[%d]", name[:at], left+i), right-left == bits-1
	}
	return fmt.Sprintf("%s[%d]", name[:at], left-i), left-right == bits-1
}

type reader struct {
	steps, step int
	scopes      []string
	names       map[string][]string // by identifier code
	bits        map[string][][]byte // by identifier code
}

// item reads what stands at the beginning of words and returns its length.
func (r *reader) item(words []string) (n int, err error) {
	switch word := words[0]; {
	case word == "$dumpvars" || word == "$end":
		return 1, nil
	case word[0] == '$':
		for n < len(words) && words[n] != "$end" {
			n++
		}
		return n + 1, r.directive(words[:n])
	case word[0] == '#':
		r.step, err = strconv.Atoi(word[1:])
		return 1, err
	case word[0] == 'b' && len(words) > 1:
		return 2, r.set(words[1], word[1:])
	default:
		return 1, r.set(word[1:], word[:1])
	}
}

func (r *reader) directive(words []string) error {
	switch {
	case words[0] == "$scope" && len(words) == 3:
		r.scopes = append(r.scopes, words[2])
	case words[0] == "$upscope":
		r.scopes = r.scopes[:len(r.scopes)-1]
	case words[0] == "$var" && len(words) > 4:
		width, err := strconv.Atoi(words[2])
		if err != nil {
			return err
		}
		id := words[3]
		path := append(r.scopes[:len(r.scopes):len(r.scopes)], strings.Join(words[4:], ""))
		r.names[id] = append(r.names[id], strings.Join(path, "."))
		r.bits[id] = make([][]byte, width)
		for i := range r.bits[id] {
			r.bits[id][i] = make([]byte, r.steps)
		}
	}
	return nil
}

// set gives a variable a value from the present step on. Digits that are missing on
// the left are 0, or x before an x.
func (r *reader) set(id, digits string) error {
	bits := r.bits[id]
	if len(digits) == 0 || len(digits) > len(bits) {
		return fmt.Errorf("%d digits for the %d bits of %q", len(digits), len(bits), id)
	}
	fill := "0"
	if digits[0] == 'x' {
		fill = "x"
	}
	digits = strings.Repeat(fill, len(bits)-len(digits)) + digits
	for i := range bits {
		for step := r.step; step < r.steps; step++ {
			bits[i][step] = digits[i]
		}
	}
	return nil
}
