package diagnose_test

import (
	"context"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/diagnose"
	"aiglens/internal/source"
)

// TestLintStops checks that a cancelled search returns the context's error.
func TestLintStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := diagnose.Lint(ctx, blif.Options{}.Parse(source.NewText(bliftest.Generated(1000)))); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}
