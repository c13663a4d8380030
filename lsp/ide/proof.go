package ide

import (
	"context"
	"fmt"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/ic3/verify"
)

// ResultFor returns the result that a question wants, if it is one of the present text; nil for
// none. ok is false where the question cannot be asked.
func (s Status) ResultFor(of answers.About) (r *verify.Result, ok bool) {
	wanted, isChecked := of.Wants()
	if !isChecked {
		return nil, true
	}
	if outcome, fresh := s.outcome(); !fresh || outcome != wanted {
		return nil, false
	}
	return s.Result, true
}

// ProofOfLatch writes what the proof of a property says of a signal, if it is one of the present
// text. The error is answers.ErrNoProof or that of ctx.
func ProofOfLatch(ctx context.Context, d *design.Design, p design.Property, s Status, signal design.Signal) (answers.Answer, error) {
	if outcome, fresh := s.outcome(); !fresh || outcome != cert.Proved {
		return answers.Answer{}, answers.ErrNoProof
	}
	return answers.ProofOfLatch(ctx, d, p, s.Result, signal)
}

// knownFacts is what the proof of a property says, if it has been made small before: it does
// not take long then.
func knownFacts(ctx context.Context, d *design.Design, p circuit.Property, s Status) *answers.KnownFacts {
	if outcome, fresh := s.outcome(); !fresh || outcome != cert.Proved || !s.Result.HasSmallProof() {
		return nil
	}
	f, err := answers.KnownFactsOf(ctx, d, p, s.Result)
	if err != nil {
		return nil
	}
	return f
}

// Bounds of what a hover lists.
const (
	hoverFacts   = 5
	hoverLatches = 12 // of one fact
)

// facts lists the first facts of a proof under a title.
func (h *hover) facts(title string, all []answers.Fact) {
	if len(all) == 0 {
		return
	}
	var b strings.Builder
	b.WriteString(title)
	for _, f := range all[:min(len(all), hoverFacts)] {
		text := f.String()
		if len(f.Latches) > hoverLatches && f.Kind != answers.Word {
			text = fmt.Sprintf("%s of %s", f.Kind, answers.Count(len(f.Latches), "latch", "latches"))
		}
		fmt.Fprintf(&b, "\n- %s", answers.Code(text))
	}
	if more := len(all) - hoverFacts; more > 0 {
		fmt.Fprintf(&b, "\n- %d more", more)
	}
	h.add("%s", b.String())
}

// proofs says what the proofs of properties that are known say of a latch.
func (h *hover) proofs(ctx context.Context, d *design.Design, s design.Signal, status Statuses) {
	if def, ok := d.Definition(s); !ok || def.Kind != design.Latch {
		return
	}
	shown := 0
	for _, p := range d.Properties() {
		if ctx.Err() != nil || shown == maxProofs {
			return
		}
		f := knownFacts(ctx, d, p.ID, status(p.ID))
		if f == nil {
			continue
		}
		for _, c := range d.Copies(s.Lit(), 1) {
			if at, err := design.LatchOf(ctx, d, c.Lit.Var()); err != nil {
				return
			} else if all := f.About(at); len(all) > 0 {
				h.facts(fmt.Sprintf("the proof of %s says:", answers.Code(p.Name)), all)
				shown++
			}
		}
	}
}

// maxProofs bounds the proofs that a hover over a latch tells of.
const maxProofs = 3

// GroupWords returns words that the text may be given of groups with the latch at an offset, or of its row, as proofs
// of the present text say.
func GroupWords(ctx context.Context, d *design.Design, offset int, status Statuses) []answers.GroupWord {
	signal := design.Signal(0)
	if row, ok := d.RowAt(offset); ok && row.Kind == design.Latch {
		signal = row.Signal
	}
	if o, ok := d.OccurrenceAt(offset); ok {
		if def, ok := d.Definition(o.Lit.Signal()); ok && def.Kind == design.Latch {
			signal = o.Lit.Signal()
		}
	}
	if signal == 0 {
		return nil
	}
	explained := 0
	for _, p := range d.Properties() {
		s := status(p.ID)
		if outcome, fresh := s.outcome(); !fresh || outcome != cert.Proved {
			continue
		}
		if explained++; explained > maxExplained || ctx.Err() != nil {
			break
		}
		for _, c := range d.Copies(signal.Lit(), 1) {
			if all := answers.GroupWords(ctx, d, p.ID, s.Result, c.Lit.Var()); len(all) > 0 {
				return all
			}
		}
	}
	return nil
}
