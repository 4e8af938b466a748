#!/bin/sh
# `npm run check`: types and lint, beside the structure tests. The structure tests run to their end even when types are wrong.
cd "$(dirname "$0")/.." || exit 1

vitest run --project structure --maxWorkers=2 &
structure=$!

# The compiler ends before it would have to collect garbage, and one checker takes half the CPU time of several.
export GOGC=off GOMEMLIMIT=2GiB
types() {
  for part in render sdk mcp web web/test outlook/src/launch outlook server; do
    tsc --noEmit --checkers 1 -p "$part" || return 1
  done
}
types && biome ci
others=$?

wait "$structure" && exit "$others"
