package codes

import (
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// WithoutStart is the diagnostic of flip-flops that start with any value since the text does not
// say with which. Where cells are among them the text is most often one of Yosys, whose .latch
// would say it.
func WithoutStart(n int, span source.Span, hasCells bool) source.Diagnostic {
	message := "the start of " + findings.Count(n, "flip-flop", "flip-flops") + " is not given, so that each starts with 0 or 1: "
	if n == 1 {
		message = "the start of 1 flip-flop is not given, so that it starts with 0 or 1: "
	}
	if hasCells {
		return Finding(StartNotGiven, span, message+
			"Yosys writes initial values only of .latch, which `dffunmap` makes of these cells before write_blif without -icells; .gateinit gives one by hand")
	}
	d := Finding(StartNotGiven, span, message+"the last word of a .latch gives it")
	d.Severity = source.Information
	return d
}
