#!/usr/bin/env bash
# speed.sh TABLE CSV...: draws docs/speed*.svg and rewrites the figures of the README,
# from rows of aiglens bench and the times of other checkers that the table has.
# docs/benchmarking.md says what the flags do, and what the table's columns are.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ $# -ge 2 ] || { say "usage: scripts/speed.sh TABLE CSV..."; exit 2; }
limit=20 # CPU seconds
table=$(realpath "$1") csv=$(realpath "$2")
shift 2
with=()
for f; do with+=(--with "$(realpath "$f")"); done
need_go
cd "$root"

out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
# The times of rIC3 were taken on a machine that is 1.53 times as slow as that of the others.
go run ./cmd/aiglens bench --report --csv "$csv" "${with[@]}" --table "$table" --cut "${limit}s" \
	--calibrate abc=abc_pdr --against-table rIC3=ric3_152/1.53 --against-table ABC=abc_pdr \
	--plot "$out" >"$out/report"
cp "$out/cactus.svg" docs/speed.svg
cp "$out/scatter-aiglens-rIC3.svg" docs/speed-rIC3.svg
cp "$out/scatter-aiglens-ABC.svg" docs/speed-ABC.svg

awk -v limit="$limit" '
$1 == "all" { solved[$2] = $3; of = $4; proved[$2] = $5; refuted[$2] = $6 }
$2 == "is" && $3 == "recorded:" { factor[$1] = $NF }
/^aiglens against / { peer = $3; sub(",", "", peer) }
/^  CPU time / && peer { ratio[peer] = $3; sub(/^.*mean over /, ""); pairs[peer] = $1; peer = "" }
END {
	if (!of || !factor["rIC3"] || !factor["ABC"] || !pairs["rIC3"] || !pairs["ABC"]) exit 1
	printf "The files are %d of the hardware model checking competitions of 2008 to 2020, each with one safety property.\n", of
	printf "Each checker has %d s of processor time for each file.\n\n", limit
	printf "| | answered | the share of its time that `aiglens` takes |\n| --- | --- | --- |\n"
	printf "| `aiglens` | **%d** (%d proved, %d refuted, all certificates checked) | |\n", solved["aiglens"], proved["aiglens"], refuted["aiglens"]
	printf "| rIC3 1.5.2 | **%d** | **%s** (%d files) |\n", solved["rIC3"], ratio["rIC3"], pairs["rIC3"]
	printf "| ABC’s `pdr` | **%d** | **%s** (%d files) |\n\n", solved["ABC"], ratio["ABC"], pairs["ABC"]
	printf "The last column counts the files that both answer and for which one takes more than 0.1 s. The times of rIC3 and ABC\n"
	printf "are recorded and multiplied by %s and %s for this machine ([how](docs/benchmarking.md#against-recorded-times)).\n", factor["rIC3"], factor["ABC"]
}' "$out/report" >"$out/figures"

awk -v figures="$out/figures" '
/^<!-- end of speed -->$/ { inside = 0; ended = 1 }
!inside { print }
/^<!-- speed: / { inside = 1; while ((getline line < figures) > 0) print line }
END { if (!ended) exit 1 }' README.md >"$out/README.md"
cp "$out/README.md" README.md
cat "$out/figures"
