package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"math/big"
	"strings"
	"testing"

	"aiglens/ic3/engines"
	"aiglens/internal/shared"
)

// fuzzedFlags are those of the commands, by what registers them.
func fuzzedFlags() map[string]*flag.FlagSet {
	sets := map[string]*flag.FlagSet{}
	for name, register := range map[string]func(*flag.FlagSet){
		"check": new(checkFlags).register, "bench": new(benchFlags).register, "replay": new(replayFlags).register, "lint": new(readFlags).register,
	} {
		sets[name] = newFlags(name)
		register(sets[name])
	}
	return sets
}

// FuzzFlags parses any words as the command lines of all commands. They are taken or
// refused; the words of a file stay; a value as it is printed is taken for the same.
func FuzzFlags(f *testing.F) {
	for _, line := range []string{
		"check\n--timeout\n5m\n--memory=512M\nx.aag", "check\n--index\nbad:0\n--tactics\n+search,-reduce\n--\n-x", "lint\n--max-input\n1TiB\n-", "bench\n--cpu\n1h\na\nb",
		"replay\n--to\nvcd\n--witness\n-\nc.aag", "check\n--engine\nic3\n--solver\ngini\n--seed\n-1", "check\n-h", "lint\n--version", "check\n--workers=1\n--timeout\n0.5", "check\n--memory\n9999999999T",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		name, rest, _ := strings.Cut(line, "\n")
		fs := fuzzedFlags()[name]
		if fs == nil {
			return
		}
		args := strings.Split(rest, "\n")
		files, code, done := parse(fs, env{stdout: io.Discard, stderr: io.Discard}, args)
		if done {
			if code != exitOK && code != exitUsage {
				t.Fatalf("%q ends with %d", args, code)
			}
			return
		}
		at := 0
		for _, file := range files {
			for at < len(args) && args[at] != file {
				at++
			}
			if at == len(args) {
				t.Fatalf("%q has the files %q", args, files)
			}
			at++
		}
		again := fuzzedFlags()[name]
		fs.Visit(func(x *flag.Flag) {
			switch x.Value.(type) {
			case *stringList, *propertyList:
				return // lists are printed for people
			}
			text := x.Value.String()
			if err := again.Set(x.Name, text); err != nil || again.Lookup(x.Name).Value.String() != text {
				t.Fatalf("--%s of %q is printed as %q and taken as %v, %v", x.Name, args, text, again.Lookup(x.Name).Value, err)
			}
		})
		checkSize(t, fs)
	})
}

// checkSize compares sizes with big numbers.
func checkSize(t *testing.T, fs *flag.FlagSet) {
	t.Helper()
	fs.Visit(func(x *flag.Flag) {
		if b, ok := x.Value.(*size); ok && int64(*b) < 0 {
			t.Fatalf("--%s is %d", x.Name, *b)
		}
	})
}

// FuzzSize: a size is the number with its suffix, exactly, or refused.
func FuzzSize(f *testing.F) {
	for _, text := range []string{"512M", "2GiB", "1t", "0", "-1", "9223372036854775807", "9007199254740993K", "1e3", "0x10", "١", "", "K", "1KK", "1 K", "4194304T"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var b size
		if b.Set(text) != nil {
			return
		}
		upper := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(text), "B"), "I")
		shift := uint(0)
		if i := strings.IndexByte("KMGT", upper[len(upper)-1]); i >= 0 {
			upper, shift = upper[:len(upper)-1], uint(10*(i+1))
		}
		want, ok := new(big.Int).SetString(upper, 10)
		if !ok || want.Lsh(want, shift).Cmp(big.NewInt(int64(b))) != 0 {
			t.Fatalf("%q is taken as %d", text, b)
		}
	})
}

// FuzzTactics: tactics that are taken one by one are those of the list.
func FuzzTactics(f *testing.F) {
	for _, text := range []string{"+search", "-reduce,+infinite", "+search,-search", "", ",", "+", "+-search", "+magic", "search"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		whole := engines.Spec{Tactics: text}.Validate()
		var list tacticList
		var failed error
		for word := range strings.SplitSeq(text, ",") {
			if err := list.Set(word); err != nil && failed == nil {
				failed = err
			}
		}
		if text != "" && (whole == nil) != (failed == nil) {
			t.Fatalf("%q: %v, by words %v", text, whole, failed)
		}
		if failed == nil && text != "" && list.String() != text {
			t.Fatalf("%q is kept as %q", text, list)
		}
	})
}

// FuzzInput gives any bytes to the commands that read standard input. They end with a
// code of theirs and bring no control characters of the file to the terminal; a text
// that has been formatted stays as it is; what has been converted to text is in order.
func FuzzInput(f *testing.F) {
	seeds := [][]string{{"aiger/own/*.aag", "fuzz/*.ai?", "broken/*"}, {"blif/own/*.blif", "blif/gen-*.blif"}}
	for _, patterns := range seeds {
		shared.Seeds(f, func(data []byte) {
			if len(data) < 2000 {
				f.Add(data, uint8(len(data)))
			}
		}, patterns...)
	}
	f.Add([]byte(".model \x1b]0;x\a\n.outputs \x1b[31m\n"), uint8(0))
	f.Add([]byte("aag 1 1 0 1 0\n2\n3\ni0 \x1b[2J\n"), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, n uint8) {
		check := []string{"check", "--no-cache", "--timeout", "1s", "--workers", "1"}
		command := [][]string{
			{"lint"}, {"lint", "--format", "json"}, {"lint", "--format", "sarif"}, append(check, "--free-undriven"), append(check, "--format", "json"),
			append(check, "--format", "junit"), append(check, "--combinational", "--one-step"), {"fmt", "-d"},
		}[n%8]
		out, _, code := runOn(data, append(command, "-")...)
		if code < 0 || code > exitUnknown {
			t.Fatalf("%v ends with %d", command, code)
		}
		if command[0] != "fmt" && bytes.ContainsAny(out, "\x1b\a\b\x7f") {
			t.Fatalf("%v writes %q", command, out)
		}
		if text, _, code := runOn(data, "fmt", "-"); code == exitOK {
			if again, words, code := runOn(text, "fmt", "-"); code != exitOK || !bytes.Equal(text, again) {
				t.Fatalf("formatted %q, then %q %s", text, again, words)
			}
		}
		for _, to := range []string{"aag", "blif"} {
			text, _, code := runOn(data, "convert", "--to", to, "-")
			if code != exitOK {
				continue
			}
			found, _, code := runOn(text, "lint", "-")
			if code != exitOK {
				t.Fatalf("converted to %q, in which lint finds %s", text, found)
			}
		}
	})
}

// runOn runs a command on standard input. words is what it says beside its output.
func runOn(data []byte, args ...string) (out, words []byte, code int) {
	var stdout, stderr bytes.Buffer
	code = run(context.Background(), env{stdin: bytes.NewReader(data), stdout: &stdout, stderr: plainWriter{&stderr}}, args)
	if bytes.ContainsAny(stderr.Bytes(), "\x1b\a\b\x7f") {
		panic(fmt.Sprintf("%v says %q", args, stderr.Bytes()))
	}
	return stdout.Bytes(), stderr.Bytes(), code
}
