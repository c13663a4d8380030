package worker

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"syscall"

	"aiglens/circuit"
	"aiglens/ic3"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// What a member of a portfolio does in tests. The digits of the seed say it of one member
// after the other, when the tactics are tacticsOfRoles.
const (
	roleItself = '0' // what it does elsewhere
	roleSpins  = '1' // tells the others its process, reports once it has heard of one, does not end
	roleWaits  = '2' // does so too, and answers when the process that it has heard of has ended
	roleStuck  = '3' // does not end when it is told to
	roleLies   = '4' // tells the others whatever comes to its mind, without end

	tacticsOfRoles = "+exchange"
)

func rolesOf(digits string) engines.Spec {
	seed, _ := strconv.ParseInt(digits, 10, 64)
	return engines.Spec{Engine: engines.Portfolio, Jobs: len(digits), Tactics: tacticsOfRoles, Seed: seed}
}

// roleOf returns the engine of a member.
func roleOf(s engines.Spec) (verify.Engine, error) {
	digits := strconv.FormatInt(s.Seed, 10)
	if digits[s.Member-1] == roleItself {
		return s.New()
	}
	return verify.Engine{Name: "role", Safety: true, Liveness: true, Check: func(ctx context.Context, t verify.Task) verify.Report {
		return does(ctx, t, digits[s.Member-1])
	}}, nil
}

// does works as a member with a digit.
func does(ctx context.Context, t verify.Task, digit byte) verify.Report {
	lemmas, latches := t.Exchange(), t.Problem.Circuit.Latches()
	tell := func(n int) { lemmas.Publish(ic3.Lemma{Clause: []circuit.Lit{latches[0].Lit}, Level: n}) }
	heard := 0
	for ctx.Err() == nil {
		switch digit {
		case roleSpins, roleWaits:
			tell(os.Getpid())
			for _, l := range lemmas.Receive() {
				heard = l.Level
			}
			switch {
			case heard == 0:
			case digit == roleSpins:
				t.Progress(verify.Progress{Depth: os.Getpid()})
			case hasEnded(heard):
				return engines.NewAuto().Check(ctx, t)
			}
		case roleStuck:
			select {}
		case roleLies:
			var clause []circuit.Lit
			for range rand.IntN(4) {
				clause = append(clause, latches[rand.IntN(len(latches))].Lit.NotIf(rand.IntN(2) == 0))
			}
			lemmas.Publish(ic3.Lemma{Clause: clause, Level: rand.IntN(20)})
		}
		runtime.Gosched()
	}
	return verify.Report{Err: ctx.Err()}
}

// hasEnded reports whether there is no such process any more.
func hasEnded(id int) bool {
	process, err := os.FindProcess(id)
	return err != nil || process.Signal(syscall.Signal(0)) != nil
}
