# Sourced by the scripts beside it: where things are, how to speak, what this
# machine offers. Runs in bash 3.2 too, which is what macOS has.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=$root/out
extension=$root/vscode-extension

say() { printf '%s\n' "$*" >&2; }

die() {
	say "error: $*"
	exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# need TOOL WHERE-FROM: ends the script when TOOL is not on the PATH.
need() {
	have "$1" || die "$1 is not on the PATH; install it from $2"
}

need_go() { need go 'https://go.dev/dl (1.26 or newer)'; }

need_node() {
	need node 'https://nodejs.org (20 or newer)'
	need npm 'https://nodejs.org (it comes with Node.js)'
}

# The only machine for which npm carries a Node.js that code-server runs on.
linux_x64() { [ "$(uname -s)-$(uname -m)" = Linux-x86_64 ]; }

debian_root() { [ -f /etc/debian_version ] && have apt-get && [ "$(id -u)" = 0 ]; }

# npm_ci DIR: installs what the lockfile of DIR names, unless that is what is
# there already. npm writes its own copy of the lockfile last, so a stamp made
# after it says that the install was completed.
npm_ci() {
	local stamp=$1/node_modules/.installed
	if ! cmp -s "$1/package-lock.json" "$stamp" 2>/dev/null; then
		say "installing the npm packages of ${1#"$root"/}"
		(cd "$1" && npm ci --no-progress --loglevel=error) >&2
		cp "$1/package-lock.json" "$stamp"
	fi
}

# build_server FILE [VERSION [PACKAGE [FLAG...]]]: a program, that of aiglens by itself, for GOOS and GOARCH, with more
# flags for the compiler. Static, and the same bytes wherever it is built from the same source.
build_server() {
	(cd "$root" && GOFLAGS= GOAMD64= GOARM64= GOEXPERIMENT= CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags="-s -w${2:+ -X main.version=$2}" "${@:4}" -o "$1" "${3:-./cmd/aiglens}")
}

# source_version: the time and the commit of the sources, as Go names a version that has no tag.
source_version() {
	local dirty=
	git -C "$root" rev-parse -q --verify HEAD >/dev/null 2>&1 || return 0
	git -C "$root" diff --quiet HEAD -- || dirty=+dirty
	printf 'v0.0.0-%s%s' "$(TZ=UTC git -C "$root" log -1 --date=format-local:%Y%m%d%H%M%S --abbrev=12 --format=%cd-%h)" "$dirty"
}

# release_version: that of the extension, which is that of all of a release.
release_version() { node -p "require('$extension/package.json').version"; }

# The platforms of packages, in the words of the VS Code marketplace.
targets='linux-x64 linux-arm64 alpine-x64 darwin-x64 darwin-arm64 win32-x64 win32-arm64'

# go_platform TARGET: prints its GOOS and GOARCH.
go_platform() {
	local os arch
	case " $targets " in
	*" $1 "*) ;;
	*) die "unknown target $1, known are: $targets universal web" ;;
	esac
	case $1 in
	darwin-*) os=darwin ;;
	win32-*) os=windows ;;
	*) os=linux ;;
	esac
	case $1 in
	*-x64) arch=amd64 ;;
	*) arch=arm64 ;;
	esac
	echo "$os $arch"
}

# build_for TARGET DIR: the program of a release for a platform, under its name there.
build_for() {
	local os arch name=aiglens
	read -r os arch <<<"$(go_platform "$1")"
	[ "$os" != windows ] || name=aiglens.exe
	mkdir -p "$2"
	GOOS=$os GOARCH=$arch build_server "$2/$name" "$(release_version)"
	chmod 755 "$2/$name"
}

# commit_time: sets SOURCE_DATE_EPOCH, unless it is set, to the time of the commit; to
# that of zip's epoch where there is no history.
commit_time() {
	if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
		SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 315532800)
	fi
	export SOURCE_DATE_EPOCH
}

# host_target: this machine in the words of the VS Code marketplace.
host_target() {
	local arch
	case $(uname -m) in
	x86_64 | amd64) arch=x64 ;;
	aarch64 | arm64) arch=arm64 ;;
	*) die "no VS Code package for the processor $(uname -m)" ;;
	esac
	case $(uname -s) in
	Linux) if [ -f /etc/alpine-release ]; then echo "alpine-$arch"; else echo "linux-$arch"; fi ;;
	Darwin) echo "darwin-$arch" ;;
	MINGW* | MSYS* | CYGWIN*) echo "win32-$arch" ;;
	*) die "no VS Code package for $(uname -s)" ;;
	esac
}

# Stages: each runs whatever the others did, and the last lines say what ran and why the rest failed.
#
#   begin_stages; stage NAME COMMAND…; skip NAME WHY; end_stages
begin_stages() {
	stages_passed=0
	stages_failed=''
	stages_skipped=''
	stages_why=''
}

stage() {
	local name=$1 began=$SECONDS printed line end="-- end of stage $$ $RANDOM" code
	printed=$(mktemp)
	shift
	printf '\n== %s\n' "$name"
	# In a subshell with its own -e, which a condition would switch off. A process that the stage has left
	# holds the pipe, so that the copy ends at a line instead.
	set +e
	{
		(set -e && "$@") 2>&1
		code=$?
		printf '\n%s\n' "$end"
		exit $code
	} | while IFS= read -r line && [ "$line" != "$end" ]; do
		printf '%s\n' "$line"
		printf '%s\n' "$line" >>"$printed"
	done
	code=${PIPESTATUS[0]}
	set -e
	if [ "$code" = 0 ]; then
		stages_passed=$((stages_passed + 1))
		printf '== %s: passed (%d s)\n' "$name" $((SECONDS - began))
	else
		stages_failed="$stages_failed
  failed: $name"
		stages_why="$stages_why

== why failed: $name
$(failures "$printed")"
		printf '== %s: FAILED (%d s)\n' "$name" $((SECONDS - began))
	fi
	rm -f "$printed"
}

# failures FILE: the lines that tests print where they fail, or else the last ones.
failures() {
	local plain
	plain=$(sed $'s/\e\\[[0-9;]*m//g' "$1" | cut -c 1-200)
	grep -E '^ *(--- )?FAIL|^panic:|DATA RACE|_test\.go:[0-9]+:|Error:|^ *(×|❯) ' <<<"$plain" | tail -n 15 || tail -n 15 <<<"$plain"
}

# skip NAME WHY: for what this machine cannot run. Where CI is set that is a
# failure: a machine that is to test everything must have everything.
skip() {
	printf '\n== %s: not run: %s\n' "$1" "$2"
	if [ -n "${CI:-}" ]; then
		stages_failed="$stages_failed
  not run, which fails under CI: $1 ($2)"
	else
		stages_skipped="$stages_skipped
  not run: $1 ($2)"
	fi
}

# end_stages: the summary, the number of stages as its last line; exits.
end_stages() {
	local failed skipped
	failed=$(printf '%s' "$stages_failed" | grep -c . || :)
	skipped=$(printf '%s' "$stages_skipped" | grep -c . || :)
	printf '%s\n\n== summary%s%s\n' "$stages_why" "$stages_skipped" "$stages_failed"
	printf '%d passed, %d failed' "$stages_passed" "$failed"
	[ "$skipped" = 0 ] || printf ', %d not run' "$skipped"
	printf ' (stages, in %d s)\n' "$SECONDS"
	[ "$failed" = 0 ] || exit 1
	exit 0
}
