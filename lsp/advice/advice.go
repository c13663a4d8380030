// Package advice looks, for an editor, for more than whether a property of a document holds:
// for lemmas that might help, for what makes it hard, and for other counterexamples than the one
// that is known. What it finds has been checked like every verdict, against the circuit of the
// document as it is, but for guesses of lemmas: these nobody has proved.
//
// It knows no protocol, no session and no engine by name. What it is given to call is called on
// its own goroutine.
package advice

import (
	"context"
	"fmt"
	"time"

	"aiglens/design"
	"aiglens/design/proofs"
	"aiglens/ic3/inquiry"
	"aiglens/ic3/verify"
)

// Question is what is asked about one property of safety of a document, and on which terms. The
// context of each search carries the limit of the whole.
type Question struct {
	Document *design.Design
	Property design.Property
	Engine   verify.Engine
	Memory   int64              // heap at which a run ends; 0 is no limit
	Limit    time.Duration      // of the whole, to be told; 0 is none
	Show     func(doing string) // is told how far the search is
}

// isolateEach is the wall time for each group of latches.
const isolateEach = 5 * time.Second

// Isolate leaves groups of latches of the property free, one after another. The first proof, one
// of the property itself, is handed on as soon as it is there. The error is that of ctx, and what
// was found by then comes with it, or that of proved.
func Isolate(ctx context.Context, q Question, proved func(verify.Result) error) (found proofs.Isolation, err error) {
	found = proofs.Isolation{Limit: q.Limit, Each: isolateEach}
	names, err := proofs.LatchNames(ctx, q.Document)
	if err != nil {
		return found, err
	}
	c, p := q.Document.Circuit(), q.Property.ID
	groups, err := inquiry.LatchGroups(ctx, c, p, names)
	if err != nil {
		return found, err
	}
	found.Groups = len(groups)
	var refusal error
	_, err = inquiry.Isolate(ctx, c, p, groups, inquiry.Terms{
		Engine: q.Engine, Limits: verify.Limits{Wall: isolateEach, Memory: q.Memory},
		Progress: func(p inquiry.Progress) {
			q.Show(fmt.Sprintf("group %d of %d left free · depth %d · %d proved", p.Part+1, len(groups), p.Run.Depth, found.Proofs()))
		},
	}, func(t inquiry.FreedGroup) {
		found.Tries = append(found.Tries, t)
		if t.Whole != nil && found.Proofs() == 1 {
			refusal = proved(*t.Whole)
		}
	})
	if refusal != nil {
		return found, refusal
	}
	return found, err
}
