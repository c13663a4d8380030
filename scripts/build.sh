#!/usr/bin/env bash
# Builds bin/aiglens and the extension in vscode-extension/, with the server
# inside it, so that it runs from the source folder as it does from a package.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_go
need_node
cd "$root"

exe=$(go env GOEXE)
build_server "bin/aiglens$exe" "$(source_version)"
mkdir -p "$extension/bin"
# A running server keeps its file; the new one takes its place under its name.
cp "bin/aiglens$exe" "$extension/bin/.new"
mv -f "$extension/bin/.new" "$extension/bin/aiglens$exe"

npm_ci "$extension"
(cd "$extension" && node esbuild.mjs)
