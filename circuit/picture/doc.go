// Package picture makes pictures of circuits, as graphs and in the language of Graphviz.
//
//   - Schematic: what some signals depend on, as inputs, latches and gates. Three gates that make
//     an exclusive or or a multiplexer are one node, a chain of conjunctions is one wide gate, and
//     De Morgan's laws choose between AND and OR so that few inverters are left, which are bubbles
//     on the wires. It computes exactly what the circuit does; the tests compare the two.
//   - StateGraph: all states that runs of a small circuit reach, found by simulation under all
//     inputs, 64 at a time, and a shortest path to a bad one.
//
// The package knows no engine, no verdict and no text. A node says which literal of the circuit
// it stands for; names come from the caller, and the layout is left to Graphviz.
package picture
