package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// TestCertificateWithinLimits: the limits of a property hold for its certificate, and where
// one ends it nothing is left behind.
func TestCertificateWithinLimits(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"safe.aag": "aag 2 0 2 0 0 1\n2 4\n4 4\n2\n",
		"live.aag": "aag 4 1 1 0 2 0 0 1\n2\n4 7\n1\n8\n6 5 3\n8 5 2\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			flags := checkFlags{format: "text", workers: 1, limits: verify.Limits{Wall: time.Hour}}
			var said bytes.Buffer
			e := env{stderr: &said}
			answers := collect(t.Context(), e, path, &flags).answers
			out := filepath.Join(dir, name+".out")
			tried := false
			judge(t.Context(), e, answers, &flags, func(ctx context.Context, a *answer) {
				if until, ok := ctx.Deadline(); !ok || time.Until(until) > time.Hour || a.outcome() != cert.Proved {
					t.Errorf("%v until %v", a.outcome(), until)
				}
				late, stop := verify.WithLimits(ctx, verify.Limits{Wall: 1})
				defer stop()
				<-late.Done()
				if a.certify(late, ctx, e, out); a.uncertified == nil || a.uncertified.Error() != "timeout" || !strings.HasSuffix(a.verdict(), " · not worked out: certificate") {
					t.Errorf("check says: %s, %v", a.verdict(), a.uncertified)
				}
				if _, err := a.certified(late, e, "c.aag"); err == nil || withLimit(late, err).Error() != "timeout" {
					t.Errorf("hwmcc says: %v", err)
				}
				if _, err := os.Stat(out); !os.IsNotExist(err) {
					t.Errorf("there is something left: %v", err)
				}
				tried = true
			}, func(a *answer) {
				tally := newTally(false)
				tally.addUnwritten(a.report(t.Context(), e, &flags, formats[flags.format](io.Discard, &flags)))
				if tally.code() != exitUnknown {
					t.Errorf("exits with %d", tally.code())
				}
			})
			if !tried || strings.Contains(said.String(), "internal") {
				t.Errorf("tried %v: %s", tried, said.String())
			}
		})
	}
}
