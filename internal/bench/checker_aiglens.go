package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// NewAiglens returns this program's command check with further flags.
func NewAiglens(name, program, version string, flags []string) Checker {
	run := func(ctx context.Context, t Task, l Limits, r *Row) error {
		argv := append([]string{program, "check"}, flags...)
		argv = append(argv, "--format", "json", "--stats", "--no-cache", "--no-vacuity", "--workers", "1", "--timeout", "0",
			"--cpu", l.soft().String(), "--seed", strconv.FormatInt(r.Seed, 10))
		if l.Memory > 0 {
			argv = append(argv, "--memory", strconv.FormatInt(l.Memory, 10))
		}
		if t.Property != "" {
			argv = append(argv, propertyFlag(t.Property), t.Property)
		}
		o, err := execute(ctx, l, "", append(argv, t.Path)...)
		if err != nil {
			return err
		}
		r.measure(o)
		return r.parseAiglens(o)
	}
	return Checker{Name: name, Version: version, Options: strings.Join(flags, " "), run: run}
}

// propertyFlag tells positions, KIND:N, from names.
func propertyFlag(property string) string {
	kind, number, _ := strings.Cut(property, ":")
	if _, err := strconv.ParseUint(number, 10, 31); err == nil && slices.Contains([]string{"bad", "output", "justice"}, kind) {
		return "--index"
	}
	return "--property"
}

// The exit codes of check.
const (
	exitProved  = 0
	exitRefuted = 1
	exitUsage   = 2
	exitUnknown = 3
)

// answer is what is read of a line of check --format json.
type answer struct {
	Verdict string             `json:"verdict"`
	Reason  string             `json:"reason"`
	Depth   int64              `json:"depth"`
	Clauses int64              `json:"clauses"`
	Steps   int64              `json:"steps"`
	Checked bool               `json:"checked"`
	Stats   map[string]float64 `json:"stats"`
}

// parseAiglens reads the answers of check, one for each property. Together they
// are refuted when one is, else unknown when one is, else proved, as in the exit
// code. A run that was ended before its last answer has no verdict.
func (r *Row) parseAiglens(o outcome) error {
	sum := map[string]float64{}
	verdict, certificate := Proved, ""
	lines := json.NewDecoder(bytes.NewReader(o.stdout))
	for lines.More() {
		var a answer
		if lines.Decode(&a) != nil {
			break // cut short; the reason is found below
		}
		if a.Reason == "cancelled" {
			return context.Canceled
		}
		r.Properties++
		r.Frames = max(r.Frames, a.Depth)
		r.Clauses += a.Clauses
		r.Steps = max(r.Steps, a.Steps)
		for key, value := range a.Stats {
			sum[key] += value
		}
		// The mean of all lemmas is weighted.
		sum[literals] += a.Stats[literals] * max(0, a.Stats["learnt"]-1)
		switch {
		case a.Verdict == Unknown:
			if r.Reason == "" {
				r.Reason = a.Reason
			}
			if strings.HasPrefix(a.Reason, "internal error") {
				certificate = Rejected
			}
			if verdict == Proved {
				verdict = Unknown
			}
		case !a.Checked && certificate != Rejected:
			certificate = Unchecked
		case certificate == "":
			certificate = Checked
		}
		if a.Verdict == Refuted {
			verdict = Refuted
		}
	}
	r.Certificate = certificate
	r.count(sum)
	switch {
	case o.ended != "" || o.signal != "":
	case o.exit == exitUsage:
		r.Reason = refuse + lastLine(o.stderr)
	case o.exit != exitProved && o.exit != exitRefuted && o.exit != exitUnknown:
		r.Reason = fmt.Sprintf("%sexit code %d: %s", crash, o.exit, firstLine(o.stderr))
	case r.Properties == 0:
		r.Reason = crash + "no answer"
	default:
		r.Verdict = verdict
	}
	if r.Definite() {
		r.Reason = ""
	}
	return nil
}

const literals = "literals_per_clause"

// count fills in the counters; those without a column go into Stats.
func (r *Row) count(sum map[string]float64) {
	take := func(key string) float64 {
		v := sum[key]
		delete(sum, key)
		return v
	}
	delete(sum, "frames") // the depth of the verdict
	if learnt := sum["learnt"]; learnt > 0 {
		r.LemmaSize = take(literals) / learnt
	}
	delete(sum, literals)
	delete(sum, "lemmas") // those in the frames at the end
	r.Lemmas = int64(take("learnt"))
	r.Queries = int64(take("queries"))
	r.Sat = int64(take("queries_sat"))
	r.Unsat = int64(take("queries_unsat"))
	r.CTIs = int64(take("ctis"))
	r.CTGs = int64(take("ctgs"))
	r.Generalizations = int64(take("generalizations"))
	r.Rebuilds = int64(take("rebuilds"))
	var rest []string
	for _, key := range slices.Sorted(maps.Keys(sum)) {
		rest = append(rest, fmt.Sprintf("%s=%.6g", key, sum[key]))
	}
	r.Stats = strings.Join(rest, " ")
}

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	return line
}
