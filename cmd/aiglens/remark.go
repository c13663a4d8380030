package main

import (
	"fmt"
	"io"
)

// remarks are those about files that a command has written, each once.
type remarks struct {
	order []string
	files map[string]int // of how many files a remark is
}

// newRemarks returns none where there is one file.
func newRemarks(files int) *remarks {
	if files <= 1 {
		return nil
	}
	return &remarks{files: map[string]int{}}
}

// remark writes a remark about a file, unless another file had the same one.
func (e env) remark(file, text string) {
	if r := e.remarks; r != nil {
		if r.files[text]++; r.files[text] > 1 {
			return
		}
		r.order = append(r.order, text)
	}
	fmt.Fprintf(e.stderr, "%s: %s\n", file, text)
}

// end says of how many more files each remark is.
func (r *remarks) end(w io.Writer) {
	if r == nil {
		return
	}
	for _, text := range r.order {
		switch more := r.files[text] - 1; more {
		case 0:
		case 1:
			fmt.Fprintf(w, "aiglens: 1 more file: %s\n", text)
		default:
			fmt.Fprintf(w, "aiglens: %d more files: %s\n", more, text)
		}
	}
}
