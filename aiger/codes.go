package aiger

import "aiglens/internal/source"

// CodeInfo is an entry of the table of diagnostic codes.
type CodeInfo struct {
	Code    source.Code
	Meaning string // one line, for the manual
}
