package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
	"aiglens/lsp/wire"
)

// TestRandomLife edits, saves, checks, stops and changes settings at random. What is
// told as fresh is true of the version that it is told for; nothing stays queued; and
// a save brings all verdicts.
func TestRandomLife(t *testing.T) {
	for seed := range int64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			b := newBench(t, dawdling, func(o *Options) {
				o.LensWait = 5 * time.Millisecond
				if seed%2 == 0 {
					o.Cache = &memoryCache{entries: map[circuit.Fingerprint]verify.Entry{}}
				}
			})
			b.Initialize(toldClient(), nil)
			l := &randomLife{bench: b, random: rand.New(rand.NewSource(seed)), texts: []string{""}}
			for range 6 {
				l.pool = append(l.pool, l.text(0))
			}
			l.texts = append(l.texts, l.pool[0])
			b.open(doc, l.pool[0])
			for i := range 120 {
				l.act(i)
				time.Sleep(time.Duration(max(0, l.random.Intn(30)-20)) * time.Millisecond)
			}
			l.await(func() bool {
				return !slices.ContainsFunc(l.properties(), func(p wire.PropertyStatus) bool {
					return p.Freshness == "queued" || p.Freshness == "running"
				})
			})
			b.save(doc)
			want := truth(l.texts[len(l.texts)-1])
			l.await(func() bool {
				return !slices.ContainsFunc(l.properties(), func(p wire.PropertyStatus) bool {
					return string(p.Verdict)+" "+string(p.Freshness) != want[string(p.Property)]
				})
			})
			l.believed()
		})
	}
}

// dawdling is explicit after some milliseconds.
func dawdling(ctx context.Context, c *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
	progress(verify.Progress{Depth: 3})
	select {
	case <-ctx.Done():
		return cert.Verdict{}, ctx.Err()
	case <-time.After(time.Duration(rand.Intn(8)) * time.Millisecond):
	}
	return explicit(ctx, c, progress)
}

// randomLife is a user without a plan.
type randomLife struct {
	*bench
	random *rand.Rand
	pool   []string
	texts  []string // by version
}

// text returns a circuit of three latches, seldom with an error in it.
func (l *randomLife) text(comment int) string {
	bads := 1 + l.random.Intn(4)
	var b strings.Builder
	fmt.Fprintf(&b, "aag 3 0 3 0 0 %d\n", bads)
	for i := 1; i <= 3; i++ {
		next := []int{2 * i, 2*i + 1, 2*(i%3) + 2, 0, 1}[l.random.Intn(5)]
		if l.random.Intn(40) == 0 {
			next = 99
		}
		fmt.Fprintf(&b, "%d %d\n", 2*i, next)
	}
	for range bads {
		fmt.Fprintf(&b, "%d\n", 2+l.random.Intn(6))
	}
	if l.random.Intn(2) == 0 {
		fmt.Fprintf(&b, "b0 name%d\n", l.random.Intn(3))
	}
	return fmt.Sprintf("%sc\n%d\n", b.String(), comment)
}

func (l *randomLife) act(i int) {
	one := wire.PropertyParams{URI: uri.URI(doc), Property: wire.PropertyID(fmt.Sprint("bad:", l.random.Intn(3)))}
	switch l.random.Intn(11) {
	case 0, 1, 2, 3:
		text := l.pool[l.random.Intn(len(l.pool))]
		switch l.random.Intn(3) {
		case 0:
			text = strings.Replace(text, "c\n0", fmt.Sprintf("c\n%d", i), 1)
		case 1:
			text = l.text(i)
		}
		l.texts = append(l.texts, text)
		l.replace(doc, len(l.texts)-1, text)
	case 4, 5:
		l.save(doc)
	case 6:
		l.execute(wire.CommandCheck.Name, wire.PropertyParams{URI: uri.URI(doc)})
	case 7:
		l.execute(wire.CommandStop.Name, wire.StopParams{URI: uri.URI(doc)})
	case 8:
		l.execute(wire.CommandCheck.Name, one)
	case 9:
		l.execute(wire.CommandStop.Name, one)
	case 10:
		l.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
			"aiglens": map[string]any{"check": map[string]any{"workers": 1 + i%3, "timeout": 10 + i%2}}}})
	}
}

// execute runs a command, which may be refused.
func (l *randomLife) execute(name string, arg any) {
	_ = l.Call("workspace/executeCommand", command(name, arg), nil)
}

func (l *randomLife) properties() (all []wire.PropertyStatus) {
	l.MustCall("workspace/executeCommand", command(wire.CommandProperties.Name, wire.FileParams{URI: uri.URI(doc)}), &all)
	return all
}

// believed looks at everything that was told.
func (l *randomLife) believed() {
	told := map[string]wire.PropertyStatus{}
	for _, m := range l.Received(0) {
		var p wire.StatusParams
		if m.Method != wire.NotificationStatus.Name {
			continue
		}
		if err := json.Unmarshal(m.Params, &p); err != nil {
			l.t.Fatal(err)
		}
		if p.Whole {
			clear(told)
		}
		for _, q := range p.Properties {
			told[string(q.Property)] = q
		}
		want := truth(l.texts[*p.Version])
		for id, q := range told {
			if got := string(q.Verdict) + " " + string(q.Freshness); q.Freshness == "fresh" && got != want[id] {
				l.t.Errorf("version %d: %s is told as %s, it is %s", *p.Version, id, got, want[id])
			}
		}
	}
}

// truth returns the fresh verdicts on a text by explicit search.
func truth(text string) map[string]string {
	d := design.New(doc, aigerdesign.Format, 1, source.NewText(text), design.Options{})
	found := map[string]string{}
	for _, p := range d.Properties() {
		found[p.ID.String()] = "unknown fresh"
		if d.Fault(p.ID) != nil {
			continue
		}
		cone, err := d.Circuit().Cone(p.ID)
		if err != nil {
			panic(err)
		}
		v, _ := explicit(context.Background(), cone.Circuit, func(verify.Progress) {})
		found[p.ID.String()] = v.Outcome.String() + " fresh"
	}
	return found
}
