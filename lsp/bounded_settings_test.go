package lsp

import (
	"fmt"
	"testing"

	"aiglens/lsp/settings"
)

// TestBound: where few checks may run, as in a browser, the default settings stand for as many as may, which share the
// memory that the default allows; what the user has set holds.
func TestBound(t *testing.T) {
	for _, c := range []struct {
		most, workers, memory int // allowed, and as set; memory in megabytes
		wantWorkers, want     int
	}{
		{0, 2, 4096, 2, 4096}, // no bound
		{0, 16, 4096, 16, 4096},
		{1, 2, 4096, 1, 4096},
		{2, 2, 4096, 2, 4096},
		{3, 2, 4096, 3, 2730},
		{8, 2, 4096, 8, 1024},
		{8, 1, 4096, 1, 4096},
		{8, 4, 4096, 4, 2048},
		{8, 16, 4096, 8, 1024},
		{8, 2, 2048, 8, 2048},
		{8, 2, 6000, 8, 6000},
		{8, 2, 0, 8, 0}, // no limit
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			read, err := settings.FromJSON(fmt.Appendf(nil, `{"check": {"workers": %d, "memory": %d}}`, c.workers, c.memory), nil)
			if err != nil {
				t.Fatal(err)
			}
			got := Options{MostChecks: c.most}.bound(read)
			if memory := int(got.Run.Limits.Memory >> 20); got.Workers != c.wantWorkers || memory != c.want {
				t.Errorf("%d checks with %d MB each, expected %d with %d MB", got.Workers, memory, c.wantWorkers, c.want)
			}
			got.Workers, got.Run.Limits.Memory = read.Workers, read.Run.Limits.Memory
			if got != read {
				t.Errorf("other settings have changed: %+v, expected %+v", got, read)
			}
		})
	}
}
