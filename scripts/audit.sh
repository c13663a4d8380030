#!/usr/bin/env bash
# Looks up known faults of everything that is linked or bundled, in the databases of Go
# and npm: a step of a release. Where a database cannot be reached the step has not been
# done, which is said and is a failure of its own (exit code 2, a finding is 1).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_go
need_node
cd "$root"

govulncheck=golang.org/x/vuln/cmd/govulncheck@v1.1.4
found=0
unreached=''
log=$(mktemp)
trap 'rm -f "$log"' EXIT

say "== Go modules: $govulncheck"
code=0
# It ends with 3 when it found something, with another code when it could not look.
go run "$govulncheck" ./... >"$log" 2>&1 || code=$?
cat "$log"
if grep -q '^Vulnerability #' "$log"; then
	found=1
elif [ $code != 0 ]; then
	unreached="$unreached Go"
fi

audit_npm() {
	local code=0
	say "== npm packages of ${1#"$root"/}"
	(cd "$1" && npm audit --audit-level=low) >"$log" 2>&1 || code=$?
	cat "$log"
	# With an answer there is a count of vulnerabilities in it; without one an error.
	if grep -Eq '^found 0 vulnerabilities' "$log"; then
		:
	elif grep -Eq '[0-9]+ .*vulnerabilit(y|ies)' "$log"; then
		found=1
	else
		unreached="$unreached npm(${1##*/},$code)"
	fi
}
audit_npm "$extension"
audit_npm "$root/scripts/code-server"

if [ -n "$unreached" ]; then
	say "NOT AUDITED: the databases could not be reached or did not answer for:$unreached"
fi
if [ $found = 1 ]; then
	say 'there are known faults, see above'
	exit 1
fi
[ -z "$unreached" ] || exit 2
say 'audited: no known faults'
