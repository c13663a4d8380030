#!/usr/bin/env bash
# Opens the examples in VS Code with the extension as built from here: in the
# user's own VS Code when there is one, else in code-server, a VS Code that a
# browser shows. Profile and extensions live below out/run, so neither the
# user's settings nor the user's extensions are read or changed.
#
#   AIGLENS_RUN_EDITOR  code or code-server: do not choose
#   AIGLENS_RUN_PORT    port of code-server; any free one otherwise
#   AIGLENS_RUN_HOME    another folder than out/run
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_go
need_node

# desktop_code: whether `code` is a desktop VS Code that can show a window. In a
# terminal of VS Code on a remote, and in WSL, `code` speaks to a VS Code on
# another machine, which could not use the folders given to it here.
desktop_code() {
	have code || return 1
	[ -z "${VSCODE_IPC_HOOK_CLI:-}" ] || return 1
	[ -z "${WSL_DISTRO_NAME:-}" ] || return 1
	[ "$(uname -s)" != Linux ] || [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]
}

editor=${AIGLENS_RUN_EDITOR:-}
if [ -z "$editor" ]; then
	if desktop_code; then
		editor=code
	elif linux_x64; then
		editor=code-server
	else
		die "there is no VS Code to open: the command \`code\` was not found, and the
substitute that runs in a browser exists for Linux on x64 only. Install VS Code
(https://code.visualstudio.com; on macOS run 'Shell Command: Install code command
in PATH' from its palette), or build a package with 'make vsix' and install it by hand."
	fi
fi

vsix=$("$root/scripts/package.sh")

# A copy: the way to learn what the checker says is to break an example, and that
# should neither dirty the checkout nor change what the tests read. Each run
# begins with the examples as they are in the checkout; the Go tests beside them
# stay there, where they are part of the module.
home=${AIGLENS_RUN_HOME:-$out/run}
mkdir -p "$home/examples"
home=$(cd "$home" && pwd)
examples=$home/examples
for file in "$root"/examples/*; do
	case $file in
	*.go) ;;
	*) cp -R "$file" "$examples/" ;;
	esac
done
first=semaphore2.aag
say "the folder is ${examples#"$root"/}, a fresh copy of examples/: edit what you like"

case $editor in
code)
	profile=$home/code
	mkdir -p "$profile"
	set -- --user-data-dir "$profile/data" --extensions-dir "$profile/extensions"
	# Chromium's sandbox refuses to work for root.
	[ "$(id -u)" != 0 ] || set -- "$@" --no-sandbox
	code "$@" --install-extension "$vsix" --force >&2
	say 'VS Code opens; this command ends when its window is closed.'
	exec code "$@" --disable-workspace-trust --skip-welcome --new-window --wait "$examples" --goto "$examples/$first"
	;;
code-server)
	install=$("$root/scripts/code-server.sh")
	exec node "$root/scripts/code-server/run.mjs" "$install" "$home/code-server" "$vsix" "$examples" "$first"
	;;
*) die "AIGLENS_RUN_EDITOR is code or code-server, not $editor" ;;
esac
