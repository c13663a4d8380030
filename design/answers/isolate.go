package answers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
	"aiglens/design"
	"aiglens/ic3/inquiry"
	"aiglens/ic3/verify"
)

// Question is what is asked about one property of safety of a document, and on which terms. The
// context of each search carries the limit of the whole.
type Question struct {
	Document *design.Design
	Property design.Property
	Engine   verify.Engine
	Run      verify.Limits      // of each run of the engine
	Limit    time.Duration      // of the whole; 0 is none
	Show     func(doing string) // is told how far the search is
}

// IsolateEach is the wall time for each group of latches, unless a caller chooses another.
const IsolateEach = 5 * time.Second

// Freed is what came of leaving a group of latches free.
type Freed struct {
	inquiry.FreedGroup
	Names []string // of the latches
}

// Words say whether a proof does without the latches.
func (f *Freed) Words() string {
	which := fmt.Sprintf("these %d latches", len(f.Group))
	if len(f.Group) == 1 {
		which = "this latch"
	}
	if f.Whole != nil {
		return fmt.Sprintf("with %s left free it is proved in %.1f s", which, f.Whole.Elapsed.Seconds())
	}
	return fmt.Sprintf("with %s left free it is not proved: %s", which, whyNot(f.Freed))
}

// List names the latches in a line.
func (f *Freed) List() string {
	shown := strings.Join(f.Names[:min(len(f.Names), isolationNames)], ", ")
	if more := len(f.Names) - isolationNames; more > 0 {
		shown += fmt.Sprintf(" and %d more", more)
	}
	return shown
}

// Isolate leaves groups of latches of the property free, one after another. Each is handed to
// tried as soon as its answer is there. The limit of the question, which begins once the groups
// are known, is not an error. The error is that of ctx, and what was found by then comes with it, or
// the first one of tried.
func Isolate(ctx context.Context, q Question, tried func(Freed) error) (found Isolation, err error) {
	found = Isolation{Limit: q.Limit, Each: q.Run.Wall}
	names, err := LatchNames(ctx, q.Document)
	if err != nil {
		return found, err
	}
	c, p := q.Document.Circuit(), q.Property.ID
	groups, err := inquiry.LatchGroups(ctx, c, p, names)
	if err != nil {
		return found, err
	}
	found.Groups = len(groups)
	limited, stop := verify.WithLimits(ctx, verify.Limits{Wall: q.Limit})
	defer stop()
	var refusal error
	_, err = inquiry.Isolate(limited, c, p, groups, inquiry.Terms{
		Engine: q.Engine, Limits: q.Run,
		Progress: func(p inquiry.Progress) {
			q.Show(fmt.Sprintf("group %d of %d left free · depth %d · %d proved", p.Part+1, len(groups), p.Run.Depth, found.Proofs()))
		},
	}, func(t inquiry.FreedGroup) {
		f := Freed{FreedGroup: t}
		for _, at := range t.Group {
			f.Names = append(f.Names, names[at])
		}
		found.Tries = append(found.Tries, f)
		refusal = cmp.Or(refusal, tried(f))
	})
	if limited.Err() != nil {
		err = ctx.Err()
	}
	return found, cmp.Or(refusal, err)
}

// isolationNames bounds the latches of one group that are listed.
const isolationNames = 200

// Isolation is what came of leaving groups of latches free.
type Isolation struct {
	Tries  []Freed
	Groups int           // that there are: some may not have had their turn
	Limit  time.Duration // of all together, and
	Each   time.Duration // of each; 0 is none
}

// Proofs returns how many of the groups a proof does without.
func (i *Isolation) Proofs() (n int) {
	for _, t := range i.Tries {
		if t.Whole != nil {
			n++
		}
	}
	return n
}

// Summary says how many groups were tried, and how many of them a proof does without.
func (i *Isolation) Summary() string {
	return fmt.Sprintf("%d of %s of latches were left free, and a proof does without %d of them", len(i.Tries), Count(i.Groups, "group", "groups"), i.Proofs())
}

// Text writes which latches a proof of a property does without, those first with which it was
// found soonest. The circuit of the document must have been built.
func (i *Isolation) Text(d *design.Design, p design.Property) Answer {
	w := &obstacleWriter{d: d, c: d.Circuit(), p: p, source: sourceIn(d)}
	fmt.Fprintf(w, "What makes %s hard: groups of its latches were left free, one after another%s.\n"+
		"A latch that is left free may have any value in any step. That allows more runs, so a proof\n"+
		"also holds for %s itself; each was checked against the whole circuit.\n", p.Name, i.limits(), p.Name)
	tries := slices.Clone(i.Tries)
	slices.SortStableFunc(tries, func(a, b Freed) int {
		switch {
		case a.Whole != nil && b.Whole != nil:
			return cmp.Compare(a.Whole.Elapsed, b.Whole.Elapsed)
		case a.Whole != nil:
			return -1
		case b.Whole != nil:
			return 1
		}
		return 0
	})
	for _, t := range tries {
		fmt.Fprintf(w, "\n%s\n  ", t.Words())
		w.group(t.Group)
	}
	fmt.Fprintf(w, "\n%s.\n", i.Summary())
	return Answer{Text: w.String(), Links: w.links}
}

// whyNot says why a try has found no proof.
func whyNot(r verify.Result) string {
	if r.Checked.Outcome() == cert.Refuted {
		return "some run violates it then, which need not be one of the circuit"
	}
	return r.Checked.Reason()
}

func (i *Isolation) limits() string {
	var words []string
	if i.Each > 0 {
		words = append(words, fmt.Sprintf("%g s each", i.Each.Seconds()))
	}
	if i.Limit > 0 {
		words = append(words, fmt.Sprintf("%g s together", i.Limit.Seconds()))
	}
	if len(words) == 0 {
		return ""
	}
	return ", for at most " + strings.Join(words, " and ")
}

// group writes the names of latches on a line.
func (w *obstacleWriter) group(latches []int) {
	for n, at := range latches[:min(len(latches), isolationNames)] {
		if n > 0 {
			w.WriteString(", ")
		}
		w.name(w.source(w.c.Latches()[at].Lit))
	}
	if more := len(latches) - isolationNames; more > 0 {
		fmt.Fprintf(w, " and %d more", more)
	}
	w.WriteString("\n")
}

// FactsInWords returns what clauses say, over signals of a text, fact by fact. The error is that of ctx.
func FactsInWords(ctx context.Context, d *design.Design, clauses cert.Invariant) (words []string, err error) {
	f, err := facts.Of(ctx, clauses)
	if err != nil {
		return nil, err
	}
	all := factsIn(d, f)
	all.Later = d.Circuit().HasResetFunctions()
	for _, fact := range all.All() {
		words = append(words, fact.String())
	}
	return words, nil
}

// LatchNames returns what a text calls the latches of its circuit.
func LatchNames(ctx context.Context, d *design.Design) ([]string, error) {
	if err := d.Elaborate(ctx); err != nil {
		return nil, err
	}
	source := sourceIn(d)
	names := make([]string, len(d.Circuit().Latches()))
	for i, l := range d.Circuit().Latches() {
		names[i] = source(l.Lit).Name
	}
	return names, ctx.Err()
}
