package cert_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/term"
	"aiglens/internal/peers"
)

// TestRandomModels checks random models of clauses whose variables have all values of their
// sorts. Where the checker finds a clause valid, no instance with few values may be false;
// and z3 must agree on both.
func TestRandomModels(t *testing.T) {
	n := 400
	if os.Getenv("AIGLENS_LONG") != "" {
		n = 50_000
	}
	z3 := startReferee(t, peers.Program(t, "z3"))
	tried := map[string]int{}
	for seed := range n {
		g := &generator{r: rand.New(rand.NewPCG(37, uint64(seed))), p: term.NewPool()}
		s := &horn.System{Terms: g.p, Preds: g.preds()}
		s.Clauses = []horn.Clause{g.clause(s, g.r.IntN(3))}
		a := cert.Answer{Outcome: cert.Sat, Model: g.model(s)}
		_, err := cert.Check(context.Background(), s, a)
		var rejected *cert.RejectedError
		if err != nil && (!errors.As(err, &rejected) || rejected.Obligation != "clause") {
			t.Fatalf("seed %d: %v\n%s", seed, err, describe(s, a))
		}
		if err == nil && !isModel(s, a.Model) {
			t.Fatalf("seed %d: accepted, and an instance is false\n%s", seed, describe(s, a))
		}
		says := z3.violation(t, s, a.Model)
		if want := map[bool]string{true: "unsat", false: "sat"}[err == nil]; says != "unknown" && says != want {
			t.Fatalf("seed %d: z3 says %s, the checker %v\n%s", seed, says, err, describe(s, a))
		}
		tried[fmt.Sprintf("accepted %v %s", err == nil, says)]++
	}
	t.Log(tried)
}

// model returns random definitions.
func (g *generator) model(s *horn.System) cert.Model {
	m := cert.Model{Terms: s.Terms.Clone()}
	inner := &generator{r: g.r, p: m.Terms}
	for _, pred := range s.Preds {
		d := cert.Definition{}
		for i, sort := range pred.Args {
			d.Params = append(d.Params, m.Terms.Var(fmt.Sprint("a", i), sort))
		}
		d.Formula = inner.bounds(d.Params)
		for range g.r.IntN(4) {
			d.Formula = m.Terms.Or(d.Formula, inner.bounds(d.Params))
		}
		m.Definitions = append(m.Definitions, d)
	}
	return m
}

// referee is a process of z3.
type referee struct {
	in  *bufio.Writer
	out *bufio.Scanner
}

func startReferee(t *testing.T, path string) *referee {
	z3 := exec.Command(path, "-in")
	in, err := z3.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := z3.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := z3.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = z3.Wait()
	})
	r := &referee{bufio.NewWriter(in), bufio.NewScanner(out)}
	_, _ = r.in.WriteString("(set-option :timeout 2000)\n")
	return r
}

// violation returns what z3 says of the negation of the only clause under a model.
func (z *referee) violation(t *testing.T, s *horn.System, m cert.Model) string {
	p := m.Terms.Clone()
	c := &s.Clauses[0]
	instance := func(a horn.Atom) term.Term {
		by := map[term.Term]term.Term{}
		for i, param := range m.Definitions[a.Pred].Params {
			by[param] = a.Args[i]
		}
		return p.Substitute(m.Definitions[a.Pred].Formula, by)
	}
	all := []term.Term{c.Constraint, p.Not(instance(c.Head))}
	for _, a := range c.Body {
		all = append(all, instance(a))
	}
	var b strings.Builder
	b.WriteString("(push)\n")
	for _, v := range c.Vars {
		fmt.Fprintf(&b, "(declare-const %s %s)\n", p.Name(v), p.SortOf(v))
	}
	fmt.Fprintf(&b, "(assert %s)\n(check-sat)\n(pop)\n", term.Printer{Pool: p}.String(p.And(all...)))
	_, _ = z.in.WriteString(b.String())
	if err := z.in.Flush(); err != nil || !z.out.Scan() {
		t.Fatalf("z3 ended: %v, %v", err, z.out.Err())
	}
	return z.out.Text()
}
