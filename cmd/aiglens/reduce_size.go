package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"aiglens/aiger"
	aigershrink "aiglens/aiger/shrink"
	"aiglens/btor2/shrink"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/answers"
)

// errUnsound says that leaving something out has broken a rule of the format.
var errUnsound = errors.New("the file has errors")

// elements is how reduce leaves out elements of AIGER, whatever format is written.
func (r *reduction) elements() shrinking[*aiger.Model] {
	return shrinking[*aiger.Model]{
		passes: aigershrink.Passes(), tidy: aigershrink.Tidy(), names: aigershrink.Names(), only: only, size: sizesOf,
		encode: func(ctx context.Context, m *aiger.Model) ([]byte, error) {
			quiet := env{stderr: io.Discard}
			if isNamed(r.encoding) {
				return namedFrom(ctx, quiet, r.name, m, r.encoding)
			}
			return encodeModel(quiet, r.name, m.WithNamedAsides(), r.encoding)
		},
		open: func(ctx context.Context, m *aiger.Model) (*design.Design, error) {
			d := aigerdesign.FromModel(r.name, m)
			return d, d.Elaborate(ctx)
		},
		tidied: func(m *aiger.Model) (*aiger.Model, bool) {
			small, err := m.Reencode()
			return small, err == nil
		},
	}
}

// only returns a model with one of its properties.
func only(m *aiger.Model, p circuit.Property) *aiger.Model {
	kinds := map[circuit.PropertyKind]string{circuit.PropertyBad: "bads", circuit.PropertyOutput: "outputs", circuit.PropertyJustice: "justice properties"}
	for _, pass := range aigershrink.Passes() {
		for kind, name := range kinds {
			if pass.Name != name {
				continue
			}
			n := pass.Units(m)
			if kind != p.Kind {
				m = pass.Without(m, 0, n)
				continue
			}
			m = pass.Without(m, p.Index+1, n)
			m = pass.Without(m, 0, p.Index)
		}
	}
	return aigershrink.WithoutAsides(m)
}

// rowsOfBTOR2 is how reduce leaves out rows of BTOR2.
func (r *reduction) rowsOfBTOR2() shrinking[*syntax.File] {
	return shrinking[*syntax.File]{
		passes: shrink.Passes(), tidy: shrink.Tidy(), names: shrink.Names(), only: shrink.Only, size: sizesOfRows,
		encode: func(_ context.Context, f *syntax.File) ([]byte, error) {
			if !shrink.Sound(f) {
				return nil, errUnsound
			}
			return []byte(f.Text().Content()), nil
		},
		open:   func(context.Context, *syntax.File) (*design.Design, error) { return r.in, nil },
		tidied: func(f *syntax.File) (*syntax.File, bool) { return f, false },
	}
}

// fileSize says how large a file is. The weight is what counts most of it.
type fileSize struct {
	text   string
	weight int
}

// amount is how many things of a kind there are.
type amount struct {
	n         int
	one, many string
}

// sizesOf returns the size of a model.
func sizesOf(m *aiger.Model) fileSize {
	return sizeFrom(len(m.Ands)+len(m.Latches), []amount{
		{len(m.Ands), "gate", "gates"}, {len(m.Latches), "latch", "latches"}, {len(m.Inputs), "input", "inputs"},
	}, []amount{
		{len(m.Outputs), "output", "outputs"}, {len(m.Bads), "bad", "bads"}, {len(m.Justice), "justice", "justice"},
		{len(m.Constraints), "constraint", "constraints"}, {len(m.Fairness), "fairness", "fairness"},
	})
}

// sizesOfRows returns the size of a BTOR2 file.
func sizesOfRows(f *syntax.File) fileSize {
	m, operators := f.Model(), 0
	for i := range m.Nodes {
		if m.Nodes[i].Op.IsOperator() {
			operators++
		}
	}
	return sizeFrom(operators+len(m.States), []amount{
		{operators, "operator", "operators"}, {len(m.States), "state", "states"}, {len(m.Inputs), "input", "inputs"},
	}, []amount{
		{len(m.Outputs), "output", "outputs"}, {len(m.Bads), "bad", "bads"}, {len(m.Justice), "justice", "justice"},
		{len(m.Constraints), "constraint", "constraints"}, {len(m.Fairs), "fairness", "fairness"},
	})
}

// sizeFrom puts a size together of what is always told, and of what is told where there is any.
func sizeFrom(weight int, always, some []amount) fileSize {
	var parts []string
	for _, c := range always {
		parts = append(parts, answers.Count(c.n, c.one, c.many))
	}
	for _, c := range some {
		if c.n > 0 {
			parts = append(parts, answers.Count(c.n, c.one, c.many))
		}
	}
	return fileSize{strings.Join(parts, ", "), weight}
}
