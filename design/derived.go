package design

import (
	"context"

	"aiglens/internal/lazy"
)

// Derived is what another package works out of a design: once for each design, when it is first
// asked for. It is kept as long as the design.
type Derived[T any] struct {
	find func(context.Context, *Design) (T, error)
}

// NewDerived returns what find works out. Its only errors are those of its context.
func NewDerived[T any](find func(context.Context, *Design) (T, error)) *Derived[T] {
	return &Derived[T]{find}
}

// Of returns the value for a design. The error is that of ctx.
func (k *Derived[T]) Of(ctx context.Context, d *Design) (T, error) {
	value, ok := d.kept.derived.Load(k)
	if !ok {
		value, _ = d.kept.derived.LoadOrStore(k, lazy.New(func(ctx context.Context) (T, error) { return k.find(ctx, d) }))
	}
	return value.(*lazy.Value[T]).Get(ctx)
}
