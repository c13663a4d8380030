package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"aiglens/ic3/engines"
)

// stays0 is a circuit whose latch stays 0, and so is a bad.
const stays0 = "aag 2 0 2 0 0 1\n2 4\n4 4\n2\n"

// TestVerdictAtDeadline: a deadline that passes while more is found out about a proof ends that alone, and
// what is missing is said. Before it in the order is a property that has no verdict.
func TestVerdictAtDeadline(t *testing.T) {
	within, pass := context.WithCancelCause(t.Context())
	var said bytes.Buffer
	e := env{stderr: &said}
	// Without an answer to the question of vacuity the result is as one whose question was cut off.
	flags := checkFlags{format: "text", workers: 2, engine: engines.Default(), proofFlags: proofFlags{noVacuity: true}}
	asked := checkFlags{format: "text", proofFlags: proofFlags{facts: true, unneeded: true}}
	var all []*answer
	for rank, text := range []string{counter(40), stays0} {
		answers, err := answersOf(t.Context(), e, readText(t, text), &flags)
		if err != nil {
			t.Fatal(err)
		}
		answers[0].rank = rank
		all = append(all, answers...)
	}
	var got []string
	judge(within, e, all, &flags, func(ctx context.Context, a *answer) {
		if a.rank == 1 {
			pass(errDeadline)
			<-ctx.Done()
			a.explain(ctx, e, &asked)
		}
	}, func(a *answer) {
		got = append(got, a.outcome().String())
		if a.rank == 1 && !strings.HasSuffix(a.verdict(), " · not worked out: vacuity, unneeded, facts") {
			t.Error(a.verdict())
		}
	})
	if want := []string{"unknown", "proved"}; !slices.Equal(got, want) || said.Len() > 0 {
		t.Errorf("%q, %s", got, said.String())
	}
}

// blocked is an input of which nothing comes. It calls read once.
type blocked struct {
	read func()
	once sync.Once
}

func (b *blocked) Read([]byte) (int, error) {
	b.once.Do(b.read)
	select {}
}

// onLine calls line with each line that is written to it.
type onLine struct {
	w    io.Writer
	line func(string)
}

func (o onLine) Write(data []byte) (int, error) {
	o.line(string(data))
	return o.w.Write(data)
}

// TestUnreadAtDeadline: what is known at the deadline counts, and files that the check has not come to stand
// in every format.
func TestUnreadAtDeadline(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	easy, hard, last := file("easy.aag", stays0), file("hard.aag", counter(40)), file("last.aag", stays0)
	for _, c := range []struct {
		format string
		check  func(t *testing.T, out string)
	}{
		{"text", func(t *testing.T, out string) {
			for _, want := range []string{"easy.aag: bad:0: proved · ", "hard.aag: bad:0: unknown: deadline", "\n-: unknown: not read before the deadline\n", "last.aag: unknown: not read before the deadline\n"} {
				if !strings.Contains(out, want) {
					t.Errorf("no %q", want)
				}
			}
		}},
		{"json", func(t *testing.T, out string) {
			var got []string
			for line := range strings.Lines(out) {
				var a struct{ File, Verdict, Reason string }
				if err := json.Unmarshal([]byte(line), &a); err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprint(filepath.Base(a.File), " ", a.Verdict, " ", a.Reason))
			}
			want := []string{"easy.aag proved ", "hard.aag unknown deadline", "- unknown not read before the deadline", "last.aag unknown not read before the deadline"}
			if !slices.Equal(got, want) {
				t.Errorf("%q", got)
			}
		}},
		{"junit", func(t *testing.T, out string) {
			var all junitSuites
			if err := xml.Unmarshal([]byte(out), &all); err != nil || len(all.Suites) != 4 {
				t.Fatal(err, len(all.Suites))
			}
			for _, s := range all.Suites[2:] {
				if s.Skipped != 1 || s.Tests != 1 || s.Cases[0].Skipped.Message != "unknown: not read before the deadline" {
					t.Errorf("%+v", s)
				}
			}
		}},
		{"sarif", func(t *testing.T, out string) {
			if n := strings.Count(out, `"text": "unknown: not read before the deadline"`); n != 2 || !strings.Contains(out, `"executionSuccessful": true`) {
				t.Errorf("%d files", n)
			}
		}},
	} {
		t.Run(c.format, func(t *testing.T) {
			ctx, pass := context.WithCancelCause(t.Context())
			reading := make(chan struct{})
			var out, said bytes.Buffer
			e := env{stdin: &blocked{read: func() { close(reading) }}, stderr: &said}
			e.stdout = onLine{&out, func(string) {
				<-reading
				pass(errDeadline)
			}}
			if c.format == "junit" || c.format == "sarif" { // which are written at the end
				e.stdin, e.stdout = &blocked{read: func() { pass(errDeadline) }}, &out
			}
			code := run(ctx, e, []string{"check", "--no-cache", "--timeout", "0", "--workers", "2", "--deadline", "24h", "--format", c.format, easy, hard, "-", last})
			if code != exitUnknown {
				t.Errorf("exits with %d", code)
			}
			if want := "aiglens: the deadline of 24h0m0s has passed, unread files: 2\n"; !strings.HasSuffix(said.String(), want) {
				t.Errorf("says %q", said.String())
			}
			c.check(t, out.String())
			if t.Failed() {
				t.Log(out.String())
			}
		})
	}
}

// TestUnreadHWMCC: of files that were not read at the deadline the format of the competitions has the answer
// that it has for what is not known, once.
func TestUnreadHWMCC(t *testing.T) {
	for _, files := range [][]string{{"-"}, {"-", "-"}} {
		ctx, pass := context.WithCancelCause(t.Context())
		var out, said bytes.Buffer
		e := env{stdin: &blocked{read: func() { pass(errDeadline) }}, stdout: &out, stderr: &said}
		args := append([]string{"check", "--no-cache", "--deadline", "24h", "--format", formatHWMCC}, files...)
		if code := run(ctx, e, args); code != exitOK || out.String() != "2\n.\n" {
			t.Errorf("%v: exits with %d, writes %q and %q", files, code, out.String(), said.String())
		}
	}
}
