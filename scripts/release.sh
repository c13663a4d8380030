#!/usr/bin/env bash
# release.sh: everything that is given to people, in out/release, and its SHA256SUMS: the seven
# packages of the extension, the universal one and the one for browsers, and for each platform an archive with the
# program, its manual page, completion, files for other editors, the documentation, the examples,
# LICENSE and NOTICE.
# Nothing is published.
#
# release.sh --program TARGET: only the archive of a platform; prints its path.
#
# release.sh --check: makes it in two clones of the present commit, in folders of different
# names, and fails unless they have the same hashes.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

version=
stage=$out/archives

has_history() { git -C "$root" rev-parse -q --verify HEAD >/dev/null 2>&1; }

# common: what is the same in the archives of all platforms, in a folder of that name.
common() {
	local shell
	rm -rf "$stage"
	mkdir -p "$stage/common/completion" "$out/release"
	build_server "$stage/aiglens" "$version"
	"$stage/aiglens" man >"$stage/common/aiglens.1"
	for shell in bash zsh fish; do
		"$stage/aiglens" completion $shell >"$stage/common/completion/aiglens.$shell"
	done
	carried | (cd "$root" && tar -T - -cf -) | tar -C "$stage/common" -xf -
}

# carried: the files of the repository that an archive has: the README, all pages that it leads
# to with their pictures, the examples, and the files for editors.
carried() {
	# Nothing that merely lies there, nor what is not in the commit.
	(cd "$root" && if has_history; then git ls-files; else find . -type f | sed 's|^\./||'; fi) |
		grep -E '^(LICENSE|NOTICE|[A-Z]+\.md|docs/.*\.(md|svg)|docs/deploy/.*|editors/.*|examples/.*|vscode-extension/(README\.md|src/protocol\.ts))$' |
		grep -v '\.go$'
	(cd "$root" && cat README.md docs/*.md) | grep -oE 'screenshots/[A-Za-z0-9-]+\.png' | sort -u | sed 's|^|docs/|'
}

# archive TARGET: makes that of a platform.
archive() {
	local name=aiglens-$version-$1
	mkdir -p "$stage/$name"
	cp -R "$stage/common/." "$stage/$name/"
	build_for "$1" "$stage/$name"
	chmod -R u=rwX,go=rX "$stage/$name"
	tar -C "$stage" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=ustar \
		-cf - "$name" | gzip -n -9 >"$out/release/$name.tar.gz"
}

release() {
	local target
	! has_history || git -C "$root" diff --quiet HEAD -- || die 'there are changes that are not committed: a release is that of a commit'
	npm_ci "$extension"
	node "$root/scripts/notice.mjs" --check
	rm -rf "$out/release"
	mkdir -p "$out/release"

	"$root/scripts/package.sh" all >&2
	"$root/scripts/package.sh" universal web >&2
	for target in $targets universal web; do
		cp "$out/aiglens-$target.vsix" "$out/release/aiglens-$version-$target.vsix"
	done

	common
	for target in $targets; do
		archive "$target"
	done
	(cd "$out/release" && sha256sum -- * >../SHA256SUMS && mv ../SHA256SUMS .)
	say "$out/release"
}

check() {
	local clone first=$out/release-check/one second=$out/release-check/another/two
	rm -rf "$out/release-check"
	# Both first, so that they are of one commit whatever is committed meanwhile.
	unset SOURCE_DATE_EPOCH
	git clone -q --no-hardlinks "$root" "$first"
	(umask 077 && git clone -q --no-hardlinks "$root" "$second")
	for clone in "$first" "$second"; do
		"$clone/scripts/release.sh"
	done
	cmp "$first/out/release/SHA256SUMS" "$second/out/release/SHA256SUMS" || die 'two clones give different releases'
	(cd "$second/out/release" && sha256sum --quiet -c SHA256SUMS)
	say "two clones give the same $(wc -l <"$first/out/release/SHA256SUMS") files"
	rm -rf "$out/release-check"
}

need_go
need_node
need sha256sum 'GNU coreutils'
tar --version 2>/dev/null | grep -q GNU || die 'tar is not that of GNU, whose archives can be reproduced'
umask 022
commit_time
version=$(release_version)
case ${1:-} in
'') release ;;
--program)
	go_platform "$2" >/dev/null
	common
	archive "$2"
	printf '%s\n' "$out/release/aiglens-$version-$2.tar.gz"
	;;
--check) check ;;
*) die "usage: release.sh [--check | --program TARGET]" ;;
esac
