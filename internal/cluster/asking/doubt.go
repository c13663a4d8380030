package asking

import (
	"slices"
	"time"
)

// From Wary wrong answers on only nodes are asked that have proven reliable, as long as there
// are any, and the next attempt waits a little longer each time, up to maxPause. A node may have
// any number of names, so that leaving out one of them is not enough.
const (
	Wary     = 3
	maxPause = time.Second
	// MaxWrong is how many wrong answers end a question.
	MaxWrong = 100
)

// doubt is what the wrong answers to one question, and an unknown that comes early, lead to.
type doubt struct {
	early    Answer   // unknown, from the node that is not to be asked again; nil for none
	attempt  int      // of early
	liars    []string // of the wrong answers, a name for each
	forgiven int      // the first so many of them may be asked again; forgiven ≤ len(liars)
	others   bool     // the reliable nodes have gone: every node may be asked
}

// avoided returns the nodes that are not to be asked again.
func (d *doubt) avoided() []string {
	nodes := slices.Clone(d.liars[d.forgiven:])
	if d.early != nil {
		nodes = append(nodes, d.early.From())
	}
	return nodes
}

// isContradictedBy reports whether an answer is known that another node did not find.
func (d *doubt) isContradictedBy(a Answer) bool {
	return d.early != nil && a.IsKnown() && a.From() != d.early.From()
}

// needsReliable reports whether only nodes that have proven reliable are to be asked.
func (d *doubt) needsReliable() bool { return len(d.liars) >= Wary && !d.others }

// pause returns how long the next attempt waits; unit is the shortest such time.
func (d *doubt) pause(unit time.Duration) time.Duration {
	return min(unit*time.Duration(max(0, len(d.liars)-Wary+1)), maxPause)
}

// prospects counts nodes by why they are not asked.
type prospects struct {
	out, old, early, lied, all int
	rest                       []Node // those that are asked
}

func (d *doubt) prospects(nodes []Node) prospects {
	p := prospects{all: len(nodes)}
	for _, n := range nodes {
		switch {
		case n.IsOut:
			p.out++
		case n.IsOld:
			p.old++
		case d.early != nil && n.Name == d.early.From():
			p.early++
		case slices.Contains(d.liars[d.forgiven:], n.Name):
			p.lied++
		default:
			p.rest = append(p.rest, n)
		}
	}
	return p
}

// canForgive reports whether nodes would be asked if their wrong answers were forgiven, and no
// node would be otherwise.
func (p prospects) canForgive() bool { return p.lied > 0 && p.out+p.old+p.early+p.lied == p.all }

// hasOther reports whether a node would be asked that has not said unknown early.
func (p prospects) hasOther() bool { return p.out+p.old+p.early < p.all }

// isHopeless reports whether no node will ever be asked.
func (p prospects) isHopeless() bool { return p.out+p.old == p.all }
