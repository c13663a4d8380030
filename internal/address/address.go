// Package address relates the addresses of files to their paths in the file system that a server was given.
package address

import (
	"path/filepath"
	"runtime"
	"strings"

	"go.lsp.dev/uri"
)

// readsFolders says that the file system also holds the folders of an editor that lie on no disk, as the browser's
// does: vscode-vfs://github/owner/repo/x.blif is its file /vscode-vfs:github/owner/repo/x.blif.
const readsFolders = runtime.GOOS == "js"

// Path returns the path of a file; ok is false for what is no file there.
func Path(u uri.URI) (path string, ok bool) {
	if u.IsFile() {
		return filepath.Clean(u.FsPath()), true
	}
	if readsFolders {
		return inFolder(u)
	}
	return "", false
}

// URI returns the address of a file.
func URI(path string) uri.URI {
	if readsFolders {
		if u, ok := ofFolder(path); ok {
			return u
		}
	}
	return uri.File(path)
}

// inFolder returns the path of a file that an editor has in a folder of its own. Texts that it has in no
// folder, and those that it makes up, are none.
func inFolder(u uri.URI) (string, bool) {
	scheme := u.Scheme()
	if scheme == "untitled" || strings.HasPrefix(scheme, "aiglens") || u.Query() != "" || !strings.HasPrefix(u.Path(), "/") {
		return "", false
	}
	return filepath.Clean("/" + scheme + ":" + u.Authority() + u.Path()), true
}

// ofFolder is the other way round.
func ofFolder(path string) (uri.URI, bool) {
	scheme, rest, hasScheme := strings.Cut(strings.TrimPrefix(path, "/"), ":")
	authority, file, hasFile := strings.Cut(rest, "/")
	if !hasScheme || !hasFile || strings.Contains(scheme, "/") {
		return "", false
	}
	u, err := uri.From(uri.Components{Scheme: scheme, Authority: authority, Path: "/" + file})
	return u, err == nil
}
