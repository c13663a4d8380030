package aigertest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Million returns a file of about n rows: a shift register of gates.
func Million(n int) string {
	var b strings.Builder
	inputs, latches := 1000, 10000
	gates := n - inputs - latches - 1
	fmt.Fprintf(&b, "aag %d %d %d 0 %d 1\n", inputs+latches+gates, inputs, latches, gates)
	for i := range inputs {
		fmt.Fprintln(&b, 2*(i+1))
	}
	for i := range latches {
		fmt.Fprintf(&b, "%d %d\n", 2*(inputs+i+1), 2*(inputs+latches+i*7%gates+1))
	}
	fmt.Fprintf(&b, "%d\n", 2*(inputs+latches+gates))
	for i := range gates {
		v := inputs + latches + i
		fmt.Fprintf(&b, "%d %d %d\n", 2*(v+1), 2*v+i%2, 2*(v*31%(v-1)+1)+i/2%2)
	}
	return b.String()
}

// Generated returns a file of about n lines with symbols and a comment.
func Generated(n int, seed uint64) string {
	random := rand.New(rand.NewPCG(seed, 4))
	inputs, latches, outputs := n/20, n/20, n/50
	gates := n - 2*inputs - 2*latches - outputs
	m := inputs + latches + gates
	var b strings.Builder
	fmt.Fprintf(&b, "aag %d %d %d %d %d\n", m, inputs, latches, outputs, gates)
	for i := range inputs {
		fmt.Fprintln(&b, 2*(i+1))
	}
	for i := range latches {
		fmt.Fprintln(&b, 2*(inputs+i+1), 2+random.IntN(2*m))
	}
	for range outputs {
		fmt.Fprintln(&b, 2+random.IntN(2*m))
	}
	for i := range gates {
		v := inputs + latches + i + 1
		fmt.Fprintln(&b, 2*v, 2+random.IntN(2*v-2), 2+random.IntN(2*v-2))
	}
	for i := range inputs {
		fmt.Fprintf(&b, "i%d in%d\n", i, i)
	}
	for i := range latches {
		fmt.Fprintf(&b, "l%d state%d\n", i, i)
	}
	b.WriteString("c\na comment\n")
	return b.String()
}
