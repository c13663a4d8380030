#!/usr/bin/env bash
# gofmt, go vet, staticcheck and the TypeScript compiler, each over everything.
# lint.sh --go-files prints the files that gofmt is to look at. Sourced, it only
# defines lint_stages.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# The files of the module, whatever the platform they are for. Not `.`: out/ and
# node_modules/ hold what others wrote.
go_files() {
	go list -f '{{$dir := .Dir}}{{range .GoFiles}}{{$dir}}/{{.}}
{{end}}{{range .TestGoFiles}}{{$dir}}/{{.}}
{{end}}{{range .XTestGoFiles}}{{$dir}}/{{.}}
{{end}}{{range .IgnoredGoFiles}}{{$dir}}/{{.}}
{{end}}' ./... | sed '/^$/d'
}

check_gofmt() {
	local unformatted
	unformatted=$(go_files | xargs gofmt -l)
	[ -z "$unformatted" ] || { printf 'not formatted (make fmt):\n%s\n' "$unformatted"; return 1; }
}

check_types() {
	npm_ci "$extension"
	(cd "$extension" && npm run --silent check)
}

# With the settings of build_server, so that all of them compile everything once.
lint_stages() {
	stage gofmt check_gofmt
	stage 'go vet' env CGO_ENABLED=0 go vet -trimpath ./...
	stage staticcheck env CGO_ENABLED=0 GOFLAGS=-trimpath go tool staticcheck ./...
	stage 'TypeScript types' check_types
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
	need_go
	cd "$root"
	if [ "${1:-}" = --go-files ]; then
		go_files
		exit
	fi
	need_node
	begin_stages
	lint_stages
	end_stages
fi
