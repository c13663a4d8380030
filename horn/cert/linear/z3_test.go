package linear_test

import (
	"bufio"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"aiglens/horn/cert/linear"
	"aiglens/internal/peers"
)

// TestZ3 compares answers with those of one process of z3, as Debian has it.
func TestZ3(t *testing.T) {
	path := peers.Program(t, "z3")
	n := 2000
	if os.Getenv("AIGLENS_LONG") != "" {
		n = 100_000
	}
	z3 := exec.Command(path, "-in", "-T:3600")
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
	defer func() { _ = z3.Wait() }()
	defer func() { _ = in.Close() }()
	if _, err := fmt.Fprintln(in, "(set-option :timeout 2000)"); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewScanner(out)
	asked := map[string]int{}
	for seed := range n {
		c := random(rand.New(rand.NewPCG(35, uint64(seed))), seed%3)
		a, err := solve(c)
		if errors.Is(err, linear.ErrTooLarge) {
			asked["too large"]++
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, c)
		}
		if _, err := fmt.Fprintf(in, "(push)\n%s(check-sat)\n(pop)\n", c.smtlib()); err != nil {
			t.Fatal(err)
		}
		if !answers.Scan() {
			t.Fatalf("z3 ends at seed %d: %v", seed, answers.Err())
		}
		want := answers.Text()
		asked[want]++
		if want != "unknown" && want != map[bool]string{true: "sat", false: "unsat"}[a.Values != nil] {
			t.Fatalf("seed %d: z3 says %s, values %v, core %v:\n%s", seed, want, a.Values, a.Core, c)
		}
	}
	t.Log(asked)
}

// smtlib declares the variables and asserts the constraints.
func (c conjunction) smtlib() string {
	var b strings.Builder
	for v, integer := range c.integer {
		fmt.Fprintf(&b, "(declare-const x%d %s)\n", v, map[bool]string{true: "Int", false: "Real"}[integer])
	}
	for _, one := range c.all {
		fmt.Fprintf(&b, "(assert (%s (+ %s", map[linear.Relation]string{linear.AtMost: "<=", linear.Below: "<", linear.Equal: "="}[one.Rel], number(one.Constant))
		for _, m := range one.Sum {
			x := fmt.Sprintf("x%d", m.Var)
			if c.integer[m.Var] {
				x = "(to_real " + x + ")"
			}
			fmt.Fprintf(&b, " (* %s %s)", number(m.Coef), x)
		}
		b.WriteString(" 0.0) 0.0))\n")
	}
	return b.String()
}

func number(x *big.Rat) string {
	return fmt.Sprintf("(/ (- %s.0 %s.0) %s.0)", new(big.Int).Add(x.Num(), new(big.Int).Abs(x.Num())), new(big.Int).Abs(x.Num()), x.Denom())
}
