#!/usr/bin/env bash
# Every fuzz test of every package for FUZZTIME, one after the other.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_go
cd "$root"

begin_stages
for package in $(go list ./...); do
	for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || :); do
		stage "$package $target" go test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-60s}" "$package"
	done
done
end_stages
