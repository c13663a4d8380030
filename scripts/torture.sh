#!/usr/bin/env bash
# A differential run of random circuits for TORTURETIME, from SEED on, the tests that repeat
# more with AIGLENS_LONG, a day with an editor for SOAKTIME, and every fuzz test of every
# package for FUZZTIME, one after the other.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_go
cd "$root"

begin_stages
stage 'differential run' go test ./internal/torture -run '^TestDifferential$' -v -count 1 -timeout 0 \
	-args -torture.time "${TORTURETIME:-10m}" -torture.seed "${SEED:-$(date +%s)000000}"
stage 'what others read, all corpora' env AIGLENS_LONG=1 go test ./cmd/aiglens -run '^TestOthersReadWhatIsWritten$' -v -count 1 -timeout 0
stage 'long runs' env AIGLENS_LONG=1 go test ./lsp ./blif ./design/answers ./circuit/compare ./aiger/shrink -count 1 -timeout 0
if [ -d /proc/self ]; then
	stage 'a long day' go test ./internal/life -run '^TestSoak$' -v -count 1 -timeout 0 \
		-args -soak.time "${SOAKTIME:-30m}" -soak.seed "${SEED:-$(date +%s)}"
fi
for package in $(go list ./...); do
	for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || :); do
		stage "$package $target" go test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-60s}" -fuzzminimizetime 2s "$package"
	done
done
end_stages
