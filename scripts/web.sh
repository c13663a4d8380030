#!/usr/bin/env bash
# web.sh [FOLDER]: builds the web page, static files, in out/web or FOLDER, and prints where they are. See
# docs/web.md.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_node
folder=${1:-$out/web}

npm_ci "$extension"
"$root/scripts/wasm.sh"
(cd "$extension" && node esbuild.mjs && node page.mjs "$folder")
printf '%s\n' "$folder"
