package design

import (
	"iter"

	"aiglens/circuit"
)

// ModelInstance is a model at its place in a hierarchy that a text is flattened from.
type ModelInstance struct {
	Parent int    // among the instances; -1 for the top, which is the first of them
	Name   string // in its parent; "" for the top
	Model  string
}

// Port is what joins an instance to the one around it.
type Port struct {
	Name     string
	Lit      circuit.Lit
	IsOutput bool
}

// Home is where a signal is driven: in an instance, under a name. Around it the signal may have other
// names.
type Home struct {
	Instance int
	Name     string // in the instance
}

// Hierarchy is what a text says of its instances. It never changes.
type Hierarchy interface {
	// Instances returns them, each after the one that it is in; none for a text that has no
	// instances, whatever its names say.
	Instances() []ModelInstance
	// Homes yields the signals that the text drives under a name; one that several statements
	// drive, because they compute the same, comes several times.
	Homes() iter.Seq2[circuit.Var, Home]
	// Ports returns the ports of an instance in the order of its model, without those that have no
	// sound driver.
	Ports(instance int) []Port
}

// Instances returns none.
func (f Flat) Instances() []ModelInstance { return nil }

// Homes yields none: names are all that there is.
func (f Flat) Homes() iter.Seq2[circuit.Var, Home] { return func(func(circuit.Var, Home) bool) {} }

// Ports returns none.
func (f Flat) Ports(int) []Port { return nil }
