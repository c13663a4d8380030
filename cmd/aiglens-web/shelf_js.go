package main

import (
	"syscall/js"

	"aiglens/internal/cache"
)

// shelf keeps results in the database of the browser.
type shelf struct{ in js.Value }

var _ cache.Shelf = shelf{}

// openShelf returns the one that the script of the worker offers; ok is false when there is none.
func openShelf() (s shelf, ok bool) {
	in := js.Global().Get("aiglensShelf")
	return shelf{in}, in.Truthy()
}

// Get implements cache.Shelf. It waits for the database.
func (s shelf) Get(name string) ([]byte, bool) {
	answer := make(chan js.Value, 1)
	give := js.FuncOf(func(_ js.Value, args []js.Value) any {
		answer <- args[0]
		return nil
	})
	defer give.Release()
	s.in.Call("get", name, give)
	found := <-answer
	if found.IsNull() {
		return nil, false
	}
	data := make([]byte, found.Length())
	js.CopyBytesToGo(data, found)
	return data, true
}

// Put implements cache.Shelf.
func (s shelf) Put(name string, data []byte) {
	bytes := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(bytes, data)
	s.in.Call("put", name, bytes)
}

// Remove implements cache.Shelf.
func (s shelf) Remove(name string) { s.in.Call("remove", name) }
