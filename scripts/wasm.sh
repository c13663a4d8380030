#!/usr/bin/env bash
# Builds the programs for browsers, WebAssembly modules, into vscode-extension/dist/web: the language
# server with the debug adapter, aiglens.wasm, and the one that runs its checks, checker.wasm. The same
# source gives the same bytes.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_go
mkdir -p "$extension/dist/web"
GOOS=js GOARCH=wasm build_server "$extension/dist/web/aiglens.wasm" "$(release_version)" ./cmd/aiglens-web
GOOS=js GOARCH=wasm build_server "$extension/dist/web/checker.wasm" '' ./cmd/aiglens-checker
