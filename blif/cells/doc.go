// Package cells holds the cells that an instance can be made of without a model:
// those of a library in genlib format (.gate, .mlatch) and the single-bit cells
// that Yosys leaves in its BLIF ($_AND_, $_DFF_P_, $assert).
//
// A cell is a function of its inputs, with or without a flip-flop after it. The
// package knows nothing about files, models or nets.
package cells
