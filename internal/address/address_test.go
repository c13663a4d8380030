package address

import (
	"testing"

	"go.lsp.dev/uri"
)

func TestFoldersOfTheEditor(t *testing.T) {
	for address, path := range map[string]string{
		"vscode-vfs://github/owner/repo/a%23%20b.blif": "/vscode-vfs:github/owner/repo/a# b.blif",
		"vscode-remote://127.0.0.1:8080/w/x.aag":       "/vscode-remote:127.0.0.1:8080/w/x.aag",
		"memfs:/x.aag":                                 "/memfs:/x.aag",
	} {
		u := uri.MustParse(address)
		if got, ok := inFolder(u); !ok || got != path {
			t.Errorf("%s lies at %q, %v, want %q", address, got, ok, path)
		}
		if got, ok := ofFolder(path); !ok || got != u {
			t.Errorf("%s is %q, %v, want %q", path, got, ok, u)
		}
	}
	for _, address := range []string{"untitled:Untitled-1", "aiglens-aig:/x.aig.aag?file:///x.aig", "git:/w/x.aag?head", "mailto:x"} {
		if path, ok := inFolder(uri.MustParse(address)); ok {
			t.Errorf("%s lies at %q", address, path)
		}
	}
	if u, ok := ofFolder("/w/a:b.aag"); ok {
		t.Errorf("a file of the disk is %s", u)
	}
}

func TestFilesOfTheDisk(t *testing.T) {
	u := URI("/w/a b.aag")
	if path, ok := Path(u); !ok || path != "/w/a b.aag" {
		t.Errorf("%s lies at %q, %v", u, path, ok)
	}
	if path, ok := Path("vscode-vfs://github/owner/repo/a.blif"); ok {
		t.Errorf("a file of a folder of the editor lies at %q of the disk", path)
	}
}
