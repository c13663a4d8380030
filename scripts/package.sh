#!/usr/bin/env bash
# package.sh [TARGET…]: builds and prints out/aiglens-TARGET.vsix for each target,
# this machine's when none is given, and for `all` every one of them. The same commit gives the
# same bytes: every file gets the time of the commit (or SOURCE_DATE_EPOCH).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

every='linux-x64 linux-arm64 alpine-x64 darwin-x64 darwin-arm64 win32-x64 win32-arm64'

need_go
need_node
if [ $# = 0 ]; then
	set -- "$(host_target)"
elif [ "$*" = all ]; then
	# shellcheck disable=SC2086
	set -- $every
fi

if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
	# The time is that of zip's epoch where there is no git history.
	SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 315532800)
fi
export SOURCE_DATE_EPOCH

npm_ci "$extension"
(cd "$extension" && node esbuild.mjs)
files=$(node -p "require('$extension/package.json').files.join(' ')")

mkdir -p "$out"
for target; do
	case $target in
	linux-* | alpine-*) os=linux ;;
	darwin-*) os=darwin ;;
	win32-*) os=windows ;;
	*) die "unknown target $target, known are: $every" ;;
	esac
	case $target in
	*-x64) arch=amd64 ;;
	*-arm64) arch=arm64 ;;
	*) die "unknown target $target, known are: $every" ;;
	esac

	# In a folder of its own with nothing else in it: the files that package.json
	# lists, and in bin/ one server only.
	stage=$out/package/$target
	rm -rf "$stage"
	mkdir -p "$stage/bin"
	cp "$extension/package.json" "$stage/"
	for file in $files; do
		case $file in
		bin) continue ;;
		LICENSE | NOTICE) from=$root ;;
		*) from=$extension ;;
		esac
		mkdir -p "$stage/$(dirname "$file")"
		cp -R "$from/$file" "$stage/$file"
	done
	server=aiglens
	[ "$os" = windows ] && server=aiglens.exe
	GOOS=$os GOARCH=$arch build_server "$stage/bin/$server"
	chmod 755 "$stage/bin/$server"

	(cd "$stage" && "$extension/node_modules/.bin/vsce" package --no-dependencies \
		--allow-missing-repository --target "$target" --out "$out/aiglens-$target.vsix") >"$stage.log" 2>&1 ||
		{ cat "$stage.log" >&2; die "vsce failed for $target"; }
	printf "%s\n" "$out/aiglens-$target.vsix"
done
