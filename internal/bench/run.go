package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// Plan is a set of runs: every checker on every task, with every seed, as often
// as Repeats says.
type Plan struct {
	Tasks    []Task
	Checkers []Checker
	Seeds    []int64
	Repeats  int
	Limits   Limits
	Cores    int // runs at a time, each tied to a processor where that is possible
}

// unit is a task with a seed. Its checkers run one after another on one
// processor, so that what else the machine does meets them alike.
type unit struct {
	task         Task
	seed, repeat int64
	first        int // the checker that begins, a different one from unit to unit
}

// units returns all tasks with one seed before the next seed.
func (p *Plan) units() []unit {
	var units []unit
	for repeat := range p.Repeats {
		for _, seed := range p.Seeds {
			for _, t := range p.Tasks {
				units = append(units, unit{t, seed, int64(repeat), len(units) % len(p.Checkers)})
			}
		}
	}
	return units
}

// Total returns the number of runs.
func (p *Plan) Total() int { return len(p.Tasks) * len(p.Seeds) * p.Repeats * len(p.Checkers) }

// Run makes the runs that the journal does not hold yet and calls report with
// the row of each, one at a time. When ctx ends, runs under way are ended and
// leave no row.
func (p *Plan) Run(ctx context.Context, j *Journal, report func(Row)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	have := map[run]bool{}
	for _, r := range j.Rows() {
		have[r.run()] = true
	}
	units := make(chan unit)
	var reporting sync.Mutex
	var workers sync.WaitGroup
	cores := availableCores()
	for i := range p.Cores {
		workers.Go(func() {
			// A thread that was tied to a processor ends with its goroutine.
			runtime.LockOSThread()
			if i < len(cores) {
				if err := pin(cores[i]); err != nil {
					cancel(err)
				}
			}
			for u := range units {
				if ctx.Err() != nil {
					continue // it was taken at the end
				}
				err := p.runUnit(ctx, u, have, func(r Row) error {
					reporting.Lock()
					defer reporting.Unlock()
					err := j.Add(r)
					report(r)
					return err
				})
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, u := range p.units() {
		if ctx.Err() != nil {
			break
		}
		select {
		case units <- u:
		case <-ctx.Done():
		}
	}
	close(units)
	workers.Wait()
	return context.Cause(ctx)
}

func (p *Plan) runUnit(ctx context.Context, u unit, have map[run]bool, add func(Row) error) error {
	for i := range p.Checkers {
		c := &p.Checkers[(u.first+i)%len(p.Checkers)]
		key := c.key(u.task, p.Limits, u.seed, u.repeat)
		if have[key.run()] {
			continue
		}
		row, err := c.row(ctx, u.task, p.Limits, u.seed, u.repeat)
		switch {
		case errors.Is(err, context.Canceled):
			return err
		case err != nil:
			return fmt.Errorf("%s on %s: %w", c.Name, u.task.Path, err)
		}
		if err := add(row); err != nil {
			return err
		}
	}
	return nil
}

// Select returns the rows of the plan among rows, by checker.
func (p *Plan) Select(rows []Row) []Group {
	groups := make([]Group, len(p.Checkers))
	want := map[run]int{}
	tasks := map[run]Task{}
	for _, u := range p.units() {
		for i := range p.Checkers {
			key := p.Checkers[i].key(u.task, p.Limits, u.seed, u.repeat)
			want[key.run()], tasks[key.run()] = i, u.task
			groups[i].Name = p.Checkers[i].Name
		}
	}
	for _, r := range rows {
		if i, ok := want[r.run()]; ok {
			// A table that was corrected since holds for old rows too.
			t := tasks[r.run()]
			r.Tier, r.Expected = t.Tier, t.Expected
			groups[i].Rows = append(groups[i].Rows, r)
		}
	}
	return groups
}

// CheckCores says whether so many runs at a time have a processor each.
func CheckCores(n int) error {
	available := runtime.NumCPU()
	if n < 1 || n > available {
		return fmt.Errorf("expected 1 to %d, the processors that this machine lets it use", available)
	}
	return nil
}
