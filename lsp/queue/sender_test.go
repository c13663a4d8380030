package queue

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

const ms = time.Millisecond

// TestTake marks keys, each with the moment from which it is due, and takes what is
// due at several moments. Of two marks of a key the earlier counts.
func TestTake(t *testing.T) {
	for _, test := range []struct {
		name  string
		marks string // key and moment in ms
		at    []int  // moments of looks; a negative one is by a waiting caller
		want  string // a look each: what is sent, and when to come back
	}{
		{"nothing is due", "", []int{0}, "- never"},
		{"due at once", "a0 b0", []int{0}, "ab never"},
		{"due later", "a50", []int{0, 30, 50, 60}, "- 50ms|- 20ms|a never|- never"},
		{"the shortest rest counts", "a50 b20 c80", []int{0, 20, 60, 90}, "- 20ms|b 30ms|a 20ms|c never"},
		{"one is due, the others are not", "a0 b70 c40", []int{0, 40, 70}, "a 40ms|c 30ms|b never"},
		{"marked twice", "a50 a0", []int{0, 50}, "a never|- never"},
		{"a waiting caller makes all due", "a50 b0 c9000", []int{-10}, "abc never"},
		{"a caller waits for nothing", "", []int{-10, 20}, "- never|- never"},
	} {
		start := time.Unix(1000, 0)
		after := func(n int) time.Time { return start.Add(time.Duration(n) * ms) }
		q := marked[string, int]{marks: map[string]int{}}
		for _, m := range strings.Fields(test.marks) {
			var at int
			if _, err := fmt.Sscan(m[1:], &at); err != nil {
				t.Fatal(err)
			}
			q.mark(m[:1], at, func(old, new int) int { return min(old, new) })
		}
		var got []string
		for _, at := range test.at {
			if at < 0 {
				at = -at
				q.waiting = append(q.waiting, func() {})
			}
			waits := len(q.waiting)
			due, waiting, wait := q.drain(after(at), func(_ string, due int, now time.Time) time.Duration { return after(due).Sub(now) })
			if len(waiting) != waits || len(q.waiting) != 0 {
				t.Errorf("%s: %d callbacks of %d, %d left", test.name, len(waiting), waits, len(q.waiting))
			}
			look := strings.Join(slices.Sorted(maps.Keys(due)), "")
			if look == "" {
				look = "-"
			}
			if wait == 0 {
				look += " never"
			} else {
				look += " " + wait.String()
			}
			got = append(got, look)
		}
		if joined := strings.Join(got, "|"); joined != test.want {
			t.Errorf("%s: %q, expected %q", test.name, joined, test.want)
		}
	}
}

// TestRun sends what was marked, marks that came meanwhile as one, and calls back when
// all has been sent, however long it would rest.
func TestRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	sent := make(chan string)
	s := NewSender(SenderConfig[string, int]{
		Merge: func(old, new int) int { return old + new },
		Rest: func(key string, _ int, _ time.Time) time.Duration {
			if key == "late" {
				return time.Hour
			}
			return 0
		},
		Send: func(_ context.Context, key string, n int) { sent <- fmt.Sprint(key, n) },
	})
	ended := make(chan struct{})
	go func() { s.Run(ctx); close(ended) }()
	expect := func(want string) {
		t.Helper()
		if got := <-sent; got != want {
			t.Errorf("sent %q, expected %q", got, want)
		}
	}
	s.Mark("a", 1)
	expect("a1")
	s.Mark("b", 1)
	for open := 1; open > 0; time.Sleep(ms) { // until Run is busy with it
		s.mu.Lock()
		open = len(s.due.marks)
		s.mu.Unlock()
	}
	s.MarkAll(map[string]int{"c": 1})
	s.MarkAll(nil)
	s.Mark("c", 2)
	expect("b1")
	expect("c3")
	s.Mark("late", 1)
	idle := make(chan struct{})
	s.Idle(func() { close(idle) })
	expect("late1")
	<-idle
	cancel()
	<-ended
}

// TestRunComesBack for what rests.
func TestRunComesBack(t *testing.T) {
	marked := time.Now()
	sent := make(chan time.Duration, 1)
	s := NewSender(SenderConfig[int, int]{
		Rest: func(_, _ int, now time.Time) time.Duration { return 20*ms - now.Sub(marked) },
		Send: func(context.Context, int, int) { sent <- time.Since(marked) },
	})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go s.Run(ctx)
	s.Mark(1, 1)
	if after := <-sent; after < 20*ms {
		t.Errorf("sent after %v", after)
	}
}

func TestSignal(t *testing.T) {
	s := NewSignal()
	s.Raise()
	s.Raise()
	<-s
	select {
	case <-s:
		t.Error("raised twice before anybody looked, it wakes twice")
	default:
	}
}
