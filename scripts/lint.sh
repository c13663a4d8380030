#!/usr/bin/env bash
# gofmt, go vet, staticcheck and the TypeScript compiler, each over everything.
# lint.sh --go-files prints the files that gofmt is to look at.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_go
cd "$root"

# The files of the module, whatever the platform they are for. Not `.`: out/ and
# node_modules/ hold what others wrote.
go_files() {
	go list -f '{{$dir := .Dir}}{{range .GoFiles}}{{$dir}}/{{.}}
{{end}}{{range .TestGoFiles}}{{$dir}}/{{.}}
{{end}}{{range .XTestGoFiles}}{{$dir}}/{{.}}
{{end}}{{range .IgnoredGoFiles}}{{$dir}}/{{.}}
{{end}}' ./... | sed '/^$/d'
}

if [ "${1:-}" = --go-files ]; then
	go_files
	exit
fi

check_gofmt() {
	local unformatted
	unformatted=$(go_files | xargs gofmt -l)
	[ -z "$unformatted" ] || { printf 'not formatted (make fmt):\n%s\n' "$unformatted"; return 1; }
}

check_types() {
	need_node
	npm_ci "$extension"
	(cd "$extension" && npx --no-install tsc --noEmit)
}

begin_stages
stage gofmt check_gofmt
stage 'go vet' go vet ./...
stage staticcheck go tool staticcheck ./...
stage 'TypeScript types' check_types
end_stages
