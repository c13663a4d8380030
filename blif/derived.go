package blif

import "sync"

// Derived is something that a package above works out of a File by itself. It is
// worked out once for each version, when it is first asked for, and kept as long
// as the version.
type Derived[T any] struct{ find func(*File) T }

// NewDerived returns what find works out. Its result must depend on nothing but
// the file, and is shared by all callers.
func NewDerived[T any](find func(*File) T) *Derived[T] { return &Derived[T]{find} }

// Of returns what there is of a file. It is safe for concurrent use.
func (d *Derived[T]) Of(f *File) T {
	once, ok := f.derived.Load(d)
	if !ok {
		once, _ = f.derived.LoadOrStore(d, sync.OnceValue(func() T { return d.find(f) }))
	}
	return once.(func() T)()
}
