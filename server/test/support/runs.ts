// Randomized tests run as many cases as take some seconds. SIGNOFF_TEST_RUNS=10 runs ten times as many.
const factor = Number(process.env.SIGNOFF_TEST_RUNS ?? 1)

/** Each call returns the next few entries of a list, round robin: every entry is used often, but not in every call. */
export function roundRobin<T>(all: readonly T[], usual: number): () => readonly T[] {
  let nextIndex = 0
  const count = Math.min(all.length, runs(usual))
  return () => Array.from({ length: count }, () => all[nextIndex++ % all.length] as T)
}

export const runs = (usual: number): number => Math.ceil(usual * factor)
