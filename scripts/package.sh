#!/usr/bin/env bash
# package.sh [TARGET…]: builds and prints out/aiglens-TARGET.vsix for each target,
# this machine's for `host` and when none is given, and for `all` every one of them. The target universal
# has no server inside, and runs wherever there is one on the PATH; that of the target web runs in
# browsers. The same commit gives the same bytes: every file gets the time of the commit (or
# SOURCE_DATE_EPOCH).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_go
need_node
if [ $# = 0 ]; then
	set -- host
elif [ "$*" = all ]; then
	# shellcheck disable=SC2086
	set -- $targets
fi

commit_time
umask 022

npm_ci "$extension"
(cd "$extension" && node esbuild.mjs)
files=$(node -p "require('$extension/package.json').files.join(' ')")

mkdir -p "$out"
for target; do
	[ "$target" != host ] || target=$(host_target)
	case $target in
	universal) ;;
	web)
		"$root/scripts/wasm.sh"
		gzip -kfn9 "$extension"/dist/web/*.wasm # for a host that packs nothing
		;;
	*) go_platform "$target" >/dev/null ;;
	esac

	# In a folder of its own with nothing else in it: the files that package.json
	# lists, and in bin/ one server only.
	stage=$out/package/$target
	rm -rf "$stage"
	mkdir -p "$stage"
	cp "$extension/package.json" "$stage/"
	for file in $files; do
		from=$extension
		case $target/$file in
		*/bin | web/dist/extension.js) continue ;;
		*/LICENSE | */NOTICE) from=$root ;;
		web/*) ;;
		*/dist/web/*) continue ;;
		esac
		mkdir -p "$stage/$(dirname "$file")"
		cp -R "$from/$file" "$stage/$file"
	done
	for_target=(--target "$target")
	case $target in
	universal) for_target=() ;;
	web) ;;
	*) build_for "$target" "$stage/bin" ;;
	esac
	node "$root/scripts/stage.mjs" "$stage" "$target"
	chmod -R u=rwX,go=rX "$stage" # whatever the umask was that a clone was made with

	# vsce wants to be told that the sources name no repository.
	missing=()
	[ -n "${AIGLENS_REPOSITORY:-}" ] || missing=(--allow-missing-repository)
	(cd "$stage" && "$extension/node_modules/.bin/vsce" package --no-dependencies \
		"${missing[@]+"${missing[@]}"}" "${for_target[@]+"${for_target[@]}"}" --out "$out/aiglens-$target.vsix") >"$stage.log" 2>&1 ||
		{ cat "$stage.log" >&2; die "vsce failed for $target"; }
	! grep -q WARN "$stage.log" || { cat "$stage.log" >&2; die "vsce warns of $target"; }
	printf "%s\n" "$out/aiglens-$target.vsix"
done
