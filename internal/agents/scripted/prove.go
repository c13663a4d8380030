package scripted

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Limits are the processor times that a proof may take.
type Limits struct {
	Check time.Duration // of the property alone, and of a lemma that would be enough
	Again time.Duration // of the property with the lemmas
	Lemma time.Duration // of each other lemma
	Cover time.Duration // of the question whether the state of an obstacle can be reached
	// Obstacles is how many are asked for.
	Obstacles int
}

// Proof is what came of an attempt.
type Proof struct {
	First, Last string   // verdicts of the property alone, and with the lemmas
	Lemmas      []string // which were proved, in the order in which they can be
	Steps       []string // what was done
	Certificate string   // of the property when it is proved with the lemmas
}

// prover proves the first property of a text.
type prover struct {
	*Agent
	Limits
	text  string
	tried map[string]bool
	Proof
}

// Prove checks the only property of a circuit, and looks for lemmas where that has no answer.
func (a *Agent) Prove(ctx context.Context, text string, limits Limits) (Proof, error) {
	p := &prover{Agent: a, Limits: limits, text: text, tried: map[string]bool{}}
	err := p.prove(ctx)
	return p.Proof, err
}

func (p *prover) prove(ctx context.Context) (err error) {
	if p.First, err = p.check(ctx); err != nil || p.First != unknown {
		p.Last = p.First
		return err
	}
	for range p.Obstacles {
		if err := p.exclude(ctx); err != nil {
			return err
		}
	}
	open, err := p.learn(ctx)
	if err != nil {
		return err
	}
	if _, err := p.try(ctx, open[:min(len(open), 1)], p.Limits.Check); err != nil {
		return err
	}
	if len(p.Lemmas) == 0 {
		p.Last = unknown
		return nil
	}
	return p.last(ctx)
}

const (
	proved  = "proved"
	refuted = "refuted"
	unknown = "unknown"
)

func (p *prover) did(format string, args ...any) {
	p.Steps = append(p.Steps, fmt.Sprintf(format, args...))
}

// question are the arguments of a call about the text.
func (p *prover) question(cpu time.Duration, lemmas []string, more map[string]any) map[string]any {
	all := map[string]any{"file": "circuit.aag", "file_text": p.text, "cpu": cpu.String(), "timeout": "0", "within": "1h"}
	if len(lemmas) > 0 {
		all["lemma"] = lemmas
	}
	maps.Copy(all, more)
	return all
}

// check returns the verdict of the property alone.
func (p *prover) check(ctx context.Context) (string, error) {
	x, err := p.ask(ctx, "check", p.question(p.Limits.Check, nil, nil))
	if err != nil {
		return "", err
	}
	return verdictOf(x)
}

// last checks the property with the lemmas, and keeps what shows that it is proved.
func (p *prover) last(ctx context.Context) error {
	x, err := p.ask(ctx, "try_lemma", p.question(p.Limits.Again, p.Lemmas, map[string]any{"certificates": true}))
	if err != nil {
		return err
	}
	if p.Last, err = verdictOf(x); err != nil || p.Last != proved {
		return err
	}
	for _, f := range x.Files {
		if strings.HasSuffix(f.Name, ".certificate.aag") && !strings.Contains(f.Name, ".lemma") {
			text, err := p.ask(ctx, "more", map[string]any{"of": f.More})
			p.Certificate = text.Text
			return err
		}
	}
	p.did("proved, but without a certificate: %s", strings.Join(x.Notes, "; "))
	return nil
}

// verdictOf returns the verdict of the property.
func verdictOf(x answer) (string, error) {
	all, err := linesOf[verdict](x)
	if err != nil {
		return "", err
	}
	for _, v := range all {
		if v.Property.Kind != "lemma" {
			return v.Verdict, nil
		}
	}
	return "", errors.New("the circuit has no property")
}

// exclude asks whether the state of an obstacle can be reached. One that cannot is excluded by a lemma, with as few of
// its latches as the tools find enough in a short time.
func (p *prover) exclude(ctx context.Context) error {
	x, err := p.ask(ctx, "obstacle", p.question(p.Cover, p.Lemmas, nil))
	if err != nil {
		return err
	}
	found, err := linesOf[struct{ State string }](x)
	if err != nil || len(found) == 0 || found[0].State == "" {
		return err
	}
	state := strings.Split(found[0].State, " & ")
	never, err := p.neverHolds(ctx, state)
	if err != nil || !never {
		p.did("obstacle, latches: %d: not known to be unreachable", len(state))
		return err
	}
	whole := len(state)
	for part := (len(state) + 1) / 2; part >= (whole+7)/8; part /= 2 {
		for from := 0; from+part < len(state) || from > 0 && from < len(state); {
			without := slices.Concat(state[:from], state[min(len(state), from+part):])
			if never, err = p.neverHolds(ctx, without); err != nil {
				return err
			} else if never {
				state = without
			} else {
				from += part
			}
		}
	}
	p.did("obstacle, latches: %d: unreachable, needed: %d", whole, len(state))
	_, err = p.try(ctx, []string{"!(" + strings.Join(state, " & ") + ")"}, p.Limits.Lemma)
	return err
}

// neverHolds reports whether a conjunction is proved to hold in no state that can be reached.
func (p *prover) neverHolds(ctx context.Context, state []string) (bool, error) {
	x, err := p.ask(ctx, "cover", p.question(p.Cover, nil, map[string]any{"expressions": []string{strings.Join(state, " & ")}}))
	if err != nil {
		return false, err
	}
	found, err := linesOf[verdict](x)
	return len(found) > 0 && found[0].Verdict == "never", err
}

// suggestion is a line of suggest_lemmas.
type suggestion struct {
	Type, Kind, Lemma string
	Enough            bool
}

// learn tries what is suggested, and returns what would be enough but has no answer.
func (p *prover) learn(ctx context.Context) (open []string, err error) {
	x, err := p.ask(ctx, "suggest_lemmas", p.question(p.Limits.Check, p.Lemmas, map[string]any{"first": 12, "before": (p.Limits.Check / 4).String()}))
	if err != nil {
		return nil, err
	}
	lines, err := linesOf[suggestion](x)
	if err != nil {
		return nil, err
	}
	var fresh []string
	enough := map[string]bool{}
	for _, s := range lines {
		if s.Type == "suggestion" && s.Lemma != "" && !p.tried[s.Lemma] {
			fresh = append(fresh, s.Lemma)
			enough[s.Lemma] = s.Enough
		}
	}
	left, err := p.try(ctx, fresh, p.Limits.Lemma)
	for _, lemma := range left {
		if enough[lemma] {
			open = append(open, lemma)
		}
	}
	return open, err
}

// try tries lemmas, keeps those that are proved, and returns those without an answer.
func (p *prover) try(ctx context.Context, lemmas []string, cpu time.Duration) (open []string, err error) {
	if len(lemmas) == 0 {
		return nil, nil
	}
	all := slices.Concat(p.Lemmas, lemmas)
	var indices []string
	for i, lemma := range all {
		p.tried[lemma] = true
		indices = append(indices, fmt.Sprintf("lemma:%d", i))
	}
	x, err := p.ask(ctx, "try_lemma", p.question(cpu, all, map[string]any{"index": indices}))
	if err != nil {
		return nil, err
	}
	found, err := linesOf[verdict](x)
	if err == nil && len(found) != len(all) {
		err = fmt.Errorf("answers: %d, lemmas: %d", len(found), len(all))
	}
	if err != nil {
		return nil, err
	}
	count := map[string]int{}
	kept := len(p.Lemmas)
	for i, v := range found[kept:] {
		count[v.Verdict]++
		switch v.Verdict {
		case proved:
			p.Lemmas = append(p.Lemmas, lemmas[i])
		case unknown:
			open = append(open, lemmas[i])
		}
	}
	p.did("lemmas tried: %d: %d proved, %d refuted, %d open", len(lemmas), count[proved], count[refuted], count[unknown])
	return open, nil
}
