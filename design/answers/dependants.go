package answers

import (
	"context"

	"aiglens/circuit"
	"aiglens/design"
)

// dependants says which properties depend on each signal of a circuit, through latches.
type dependants struct {
	properties []design.Property // that are searched, in the order of the text
	left       int               // that are not, because there are too many
	width      int               // words of a row
	rows       []uint64          // by variable: a bit for each of properties
}

// maxDependants bounds the words of all rows.
const maxDependants = 4 << 20

var derivedDependants = design.NewDerived(findDependants)

func findDependants(ctx context.Context, d *design.Design) (*dependants, error) {
	if err := d.Elaborate(ctx); err != nil {
		return nil, err
	}
	c := d.Circuit()
	x := &dependants{properties: d.Properties()}
	x.width = min((len(x.properties)+63)/64, max(maxDependants/c.NumVars(), 1))
	if most := x.width * 64; len(x.properties) > most {
		x.left = len(x.properties) - most
		x.properties = x.properties[:most]
	}
	x.rows = make([]uint64, x.width*c.NumVars())
	for i, p := range x.properties {
		for _, l := range circuit.ConeRoots(c, p.ID) {
			x.rows[int(l.Var())*x.width+i/64] |= 1 << (i % 64)
		}
	}
	for column := range x.width {
		if err := x.spread(ctx, c, column); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// dependantsPoll is the number of visits between two looks at the context.
const dependantsPoll = 1 << 14

// spread hands the bits of a column from what depends to what that depends on. A gate has a higher
// number than its operands, so that one pass reaches the latches; what these are next comes then.
func (x *dependants) spread(ctx context.Context, c *circuit.Circuit, column int) error {
	row := func(v circuit.Var) *uint64 { return &x.rows[int(v)*x.width+column] }
	var todo []circuit.Var
	give := func(from circuit.Var, to circuit.Lit) {
		if was := *row(to.Var()); was|*row(from) != was {
			*row(to.Var()) |= *row(from)
			todo = append(todo, to.Var())
		}
	}
	visits := 0
	visit := func(v circuit.Var) error {
		if visits++; visits%dependantsPoll == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if left, right, ok := c.Operands(v); ok {
			give(v, left)
			give(v, right)
		} else if i := c.LatchIndex(v); i >= 0 {
			give(v, c.Latches()[i].Next)
			give(v, c.Latches()[i].Reset)
		}
		return nil
	}
	for v := circuit.Var(c.NumVars()); v > 0; v-- {
		if *row(v - 1) != 0 {
			if err := visit(v - 1); err != nil {
				return err
			}
		}
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if err := visit(v); err != nil {
			return err
		}
	}
	return nil
}

// Dependants returns the properties that depend on some signals of the circuit, in the order of the text.
// unknown is the number of those that are not searched, because there are too many. What is found for all
// signals is kept. The error is that of ctx.
func Dependants(ctx context.Context, d *design.Design, signals []circuit.Var) (all []design.Property, unknown int, err error) {
	x, err := derivedDependants.Of(ctx, d)
	if err != nil {
		return nil, 0, err
	}
	for i, p := range x.properties {
		for _, v := range signals {
			if v != 0 && x.rows[int(v)*x.width+i/64]>>(i%64)&1 == 1 {
				all = append(all, p)
				break
			}
		}
	}
	return all, x.left, nil
}
