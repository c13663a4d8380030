//go:build !js

package thread

import "context"

// Sharing returns ctx: threads share the processors without its help.
func Sharing(ctx context.Context) context.Context { return ctx }
