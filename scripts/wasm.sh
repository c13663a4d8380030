#!/usr/bin/env bash
# Builds the programs for browsers, WebAssembly modules, into vscode-extension/dist/web: the language
# server with the debug adapter, aiglens.wasm, and the one that runs its checks, checker.wasm. The same
# source gives the same bytes.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_go
mkdir -p "$extension/dist/web"
# What others have written, but the solver, is not inlined: the types of the protocol are large, and nothing waits for them.
small=(-gcflags=all=-l -gcflags=std= -gcflags=aiglens/...= -gcflags=github.com/go-air/...=)
GOOS=js GOARCH=wasm build_server "$extension/dist/web/aiglens.wasm" "$(release_version)" ./cmd/aiglens-web "${small[@]}"
GOOS=js GOARCH=wasm build_server "$extension/dist/web/checker.wasm" '' ./cmd/aiglens-checker
