package lia_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"aiglens/horn/rational"
	"aiglens/ic3/lia"
	"aiglens/ic3/sat"
	"aiglens/internal/peers"
)

// referee is one process of z3 that answers many questions.
type referee struct {
	t       *testing.T
	in      io.Writer
	answers *bufio.Scanner
}

func newReferee(t *testing.T) *referee {
	t.Helper()
	cmd := exec.Command(peers.Program(t, "z3"), "-in", "-t:10000")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	return &referee{t, in, bufio.NewScanner(out)}
}

// ask returns what z3 answers about declarations and assertions in SMT-LIB.
func (z *referee) ask(script string) string {
	z.t.Helper()
	return z.command(script, "(check-sat)")
}

func (z *referee) command(script, check string) string {
	z.t.Helper()
	if _, err := io.WriteString(z.in, "(push)\n"+script+check+"\n(pop)\n"); err != nil {
		z.t.Fatal(err)
	}
	if !z.answers.Scan() {
		z.t.Fatalf("z3 ended: %v", z.answers.Err())
	}
	return z.answers.Text()
}

func declarations(isInt []bool) string {
	var b strings.Builder
	for v, isInt := range isInt {
		sort := "Real"
		if isInt {
			sort = "Int"
		}
		fmt.Fprintf(&b, "(declare-const x%d %s)\n", v, sort)
	}
	return b.String()
}

func smtNumber(r rational.Rat, isInt bool) string {
	s := r.Abs().Num().String()
	if !isInt {
		s = "(/ " + s + ".0 " + r.Den().String() + ".0)"
	}
	if r.Sign() < 0 {
		return "(- " + s + ")"
	}
	return s
}

// smtAtom prints an atom, whose coefficients are integers. Over integers all numbers are integers, with
// which z3 answers sooner.
func smtAtom(a lia.Atom, isInt lia.Sorts) string {
	whole := true
	for _, m := range a.Term {
		whole = whole && isInt(m.Var) && m.Coef.IsInt()
	}
	if den := a.Const.Den(); whole && !den.IsOne() {
		a.Term, a.Const = a.Term.Scale(den), a.Const.Mul(den)
	}
	sum := "(+ " + smtNumber(rational.Rat{}, whole) + " " + smtNumber(rational.Rat{}, whole)
	for _, m := range a.Term {
		x := fmt.Sprintf("x%d", m.Var)
		if isInt(m.Var) && !whole {
			x = "(to_real " + x + ")"
		}
		sum += " (* " + smtNumber(m.Coef, whole) + " " + x + ")"
	}
	sum += ")"
	switch a.Rel {
	case lia.Incongruent:
		a.Rel = lia.Congruent
		return "(not " + smtAtom(a, isInt) + ")"
	case lia.Congruent:
		return "(= (mod (- " + sum + " " + smtNumber(a.Const, true) + ") " + a.Mod.String() + ") 0)"
	}
	return "(" + [...]string{"<=", "<", "="}[a.Rel] + " " + sum + " " + smtNumber(a.Const, whole) + ")"
}

// TestConjunctionsWithZ3 compares answers with z3: a thousand of each shape by default, 20,000 with
// AIGLENS_LONG.
func TestConjunctionsWithZ3(t *testing.T) {
	for name, s := range shapes {
		t.Run(name, func(t *testing.T) {
			z := newReferee(t)
			unknown := 0
			r := rand.New(rand.NewPCG(8, 1))
			for range count(1000) {
				p := s.problem(r)
				a := decide(t, p)
				if a.Result == sat.Unsolved {
					unknown++
					continue
				}
				script := declarations(p.isInt)
				for _, atom := range p.atoms {
					script += "(assert " + smtAtom(atom, p.sort) + ")\n"
				}
				if got := z.ask(script); got != a.Result.String() && got != "unknown" {
					t.Fatalf("%v, and z3 says %s to\n%s", a.Result, got, script)
				}
			}
			t.Logf("%d unknown", unknown)
		})
	}
}
