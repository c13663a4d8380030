package hierarchy

import (
	"testing"

	"aiglens/blif"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// readFiles are texts of which the trees are known.
type readFiles map[string]statement.Tree

func (f readFiles) Text(path string) (source.Text, bool) {
	tree, ok := f[path]
	return tree.Text(), ok
}

func (f readFiles) Folder(string) []string { return nil }

func (f readFiles) Tree(path string) *statement.Tree {
	tree := f[path]
	return &tree
}

// TestKnownTreeIsNotReadAgain: a library takes the statements of a text that others have read.
func TestKnownTreeIsNotReadAgain(t *testing.T) {
	tree := statement.Parse(source.NewText(".model top\n.inputs a\n.outputs a\n.end\n"))
	l := New(readFiles{"/top.blif": tree}, blif.Options{}, nil)
	if f := l.file("/top.blif"); f.Chunks[0] != tree.Chunks[0] {
		t.Error("the text was read again")
	}
}
