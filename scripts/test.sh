#!/usr/bin/env bash
# Every test. Debian packages that tests need are installed when this runs as
# root on Debian; elsewhere the tests that lack something are named at the end,
# and with CI set that counts as a failure.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lint.sh"

need_go
need_node
cd "$root"

# Inherited by every process started below, so that any left over can be found.
export AIGLENS_TEST_RUN="$$-$SECONDS-$RANDOM"
# What a test checks must not be answered by an earlier run, nor stay behind.
export AIGLENS_CACHE=off

# debian PACKAGE…: installs what is missing of them; fails where it may not.
debian() {
	local package missing=''
	for package; do
		dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
	done
	[ -n "$missing" ] || return 0
	debian_root || return 1
	say "installing from Debian:$missing"
	apt-get update -qq >&2 || return 1
	# shellcheck disable=SC2086
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >"$out/apt.log" 2>&1 ||
		{ cat "$out/apt.log" >&2; return 1; }
}

# The tests of these packages use one goroutine, for which the race detector has
# nothing to say and takes five times as long. What goroutines share of them, the
# tests of lsp share under the detector; blif's own test of that runs there, too.
# A test in internal/layers holds the list to it. The packages that take longest come first.
sequential='aiglens/blif aiglens/ic3/classic aiglens/btor2 aiglens/horn/cert
aiglens/aiger aiglens/aiger/diagnose aiglens/aiger/edit aiglens/aiger/shrink aiglens/aiger/syntax
aiglens/blif/cells aiglens/blif/codes aiglens/blif/diagnose aiglens/blif/edit aiglens/blif/flat
aiglens/blif/netlist aiglens/blif/statement aiglens/btor2/bits aiglens/btor2/btor2test aiglens/btor2/diagnose
aiglens/btor2/edit aiglens/btor2/replay aiglens/btor2/shrink aiglens/btor2/syntax aiglens/circuit
aiglens/circuit/cert aiglens/circuit/certify aiglens/circuit/compare aiglens/circuit/facts
aiglens/circuit/graph aiglens/circuit/measure aiglens/circuit/picture aiglens/design/format aiglens/docs
aiglens/examples aiglens/horn aiglens/horn/cert/linear aiglens/horn/certificate aiglens/horn/edit aiglens/horn/rational
aiglens/horn/syntax aiglens/horn/term aiglens/ic3 aiglens/ic3/bdd aiglens/ic3/bmc aiglens/ic3/classic/classictest
aiglens/ic3/encode aiglens/ic3/horn aiglens/ic3/horn/auto aiglens/ic3/horn/simplify aiglens/ic3/horn/verify aiglens/ic3/lia aiglens/ic3/lia/formula
aiglens/ic3/live aiglens/ic3/reach aiglens/ic3/reduce aiglens/ic3/sat aiglens/internal/address aiglens/internal/explicit aiglens/internal/fault aiglens/internal/findings
aiglens/internal/layers aiglens/internal/nearest aiglens/internal/source aiglens/internal/torture
aiglens/internal/wave aiglens/internal/wordline aiglens/internal/yosys aiglens/lsp/position'

# The packages under the race detector that take longest: they begin first, so that none of
# them is left to run alone at the end.
long='aiglens/internal/life aiglens/lsp aiglens/internal/cluster'

# Of the command line, these tests run under the race detector: they start several
# goroutines or processes that share something. The others drive editors and shells, or
# convert and print on one goroutine, or put one question after the other to a server that lsp and
# internal/life put under the detector. All of them run without it.
shared='TestNode|TestStandingServer|TestDebugAdapter|TestPanic|TestAwait|TestSignal'
shared="$shared|TestReadAhead|TestHostile|TestReduceDocument|TestInterrupted|TestServe|TestNoWorker"
shared="$shared|TestScripts/^(bench|cache|certify|cluster|cover|debug|equiv|exit_codes|folder|hostile|isolate|portfolio|reduce|replay|reports|serve|suggest|tactics|worker)\$"

# One client puts thousands of requests one after the other in these tests of lsp, which the race detector
# slows down tenfold; the other tests of lsp run under it.
patient='^(TestActionsAddNoErrors|TestPlacesOfExamples|TestPlacesOfRandomCircuits)$'

# A bound for the tests of one package, which on a busy machine take five times as long as on one that does nothing else.
bound=90m

go_test() {
	local compiler concurrent
	compiler=$(go env CC)
	if have "${compiler%% *}" || debian gcc libc6-dev; then
		concurrent=$(go list ./... | grep -vxF "$(printf '%s\n' $sequential $long aiglens/cmd/aiglens)")
		# Compiled as lint and build compile it.
		# shellcheck disable=SC2086
		stage 'go test' env CGO_ENABLED=0 GOFLAGS=-trimpath go test -timeout $bound aiglens/cmd/aiglens $sequential
		stage 'go test, requests one by one' env CGO_ENABLED=0 GOFLAGS=-trimpath go test -timeout $bound -run "$patient" ./lsp
		# Some wait for programs and clocks half of the time: one package more than processors.
		# shellcheck disable=SC2086
		stage 'go test -race' env CGO_ENABLED=1 go test -race -p "$(($(getconf _NPROCESSORS_ONLN) + 1))" -timeout $bound -skip "$patient" $long $concurrent
		stage 'go test -race, command line' env CGO_ENABLED=1 go test -race -timeout $bound -run "$shared" ./cmd/aiglens
		stage 'go test -race, shared results' env CGO_ENABLED=1 go test -race -run TestDerived ./blif
	else
		skip 'race detector' 'it needs a C compiler'
		stage 'go test' go test -timeout $bound ./...
	fi
}

unit_tests() { npx --no-install vitest run --project unit; }
grammar_tests() { npx --no-install vscode-tmgrammar-snap 'test/grammars/*.{aag,blif,btor2,smt2}'; }
web_tests() { npx --no-install vitest run --project web; }
page_tests() { npx --no-install vitest run --project page; }
package_tests() { npx --no-install vitest run --project package; }
browser_tests() { npx --no-install vitest run --project browser; }
# Those that need what is different there; all that run in a browser: npx vitest run --project web-extension.
web_extension_tests() { npx --no-install vitest run --project web-extension inBrowser simulate; }
host_tests() { node esbuild.mjs --tests && node out/host/run.js; }

# What a test started ends with it. A process may take a moment for that.
nothing_left() {
	local environ pid variable left=0
	for environ in /proc/[0-9]*/environ; do
		pid=${environ#/proc/}
		pid=${pid%/environ}
		[ "$pid" != $$ ] && [ "$pid" != "$BASHPID" ] || continue
		while IFS= read -r -d '' variable; do
			[ "$variable" = "AIGLENS_TEST_RUN=$AIGLENS_TEST_RUN" ] || continue
			timeout 10 tail --pid="$pid" -f /dev/null && continue
			printf 'still running: %s %s\n' "$pid" "$(tr '\0' ' ' <"/proc/$pid/cmdline")"
			kill -KILL "$pid" || :
			left=1
		done 2>/dev/null <"$environ" || :
	done
	return $left
}

mkdir -p "$out"
begin_stages

lint_stages
have berkeley-abc || debian berkeley-abc || skip 'comparison with ABC' 'berkeley-abc is not installed'
have iverilog || debian iverilog || skip 'comparison with Icarus Verilog' 'iverilog is not installed'
have yosys || debian yosys || skip 'comparison with Yosys' 'yosys is not installed'
{ have vcd2fst && have fst2vcd; } || debian gtkwave || skip 'VCD in GTKWave' 'gtkwave is not installed'
{ have vim && [ -d /usr/share/vim-ale ]; } || debian vim vim-ale || skip 'Vim with ALE' 'vim and ALE are not installed'
have nvim || debian neovim || skip 'Neovim' 'neovim is not installed'
have emacs && [ -d /usr/share/emacs/site-lisp/elpa ] || debian emacs-nox elpa-eglot || skip 'Emacs with Eglot' 'emacs and eglot are not installed'
{ have zsh && have fish; } || debian zsh fish || skip 'completion in zsh and fish' 'zsh and fish are not installed'
have z3 || debian z3 || skip 'comparison with z3' 'z3 is not installed'
have groff || debian groff || skip 'manual page' 'groff is not installed'
have openssl || debian openssl || skip 'commands of the container' 'openssl is not installed'
go_test

cd "$extension"
npm_ci "$extension"
stage 'extension: units' unit_tests
stage 'extension: grammars' grammar_tests
stage 'extension: package' package_tests
if ! linux_x64; then
	skip 'extension in VS Code' 'code-server is set up for linux-x64 only'
elif ! { [ -n "${AIGLENS_CHROMIUM:-}" ] || debian chromium-headless-shell fonts-dejavu-core || have chromium || debian chromium fonts-dejavu-core; }; then
	skip 'extension in VS Code' 'chromium is not installed'
else
	stage 'program in Web Workers' web_tests
	stage 'web page' page_tests
	stage 'server and extension' "$root/scripts/build.sh"
	stage 'code-server' "$root/scripts/code-server.sh"
	stage 'extension: in the extension host' host_tests
	stage 'extension: in a browser' browser_tests
	stage 'extension for browsers' web_extension_tests
fi
[ ! -d /proc/self ] || stage 'nothing left running' nothing_left
end_stages
