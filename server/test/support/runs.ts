// Tests that try many cases at random try as many as take some seconds. SIGNOFF_TEST_RUNS=10 makes it ten times as many.
const factor = Number(process.env.SIGNOFF_TEST_RUNS ?? 1)

/** A few of a list for each place, others for the next place: each is tried in many places, and not all in every place. */
export function inTurn<T>(all: readonly T[], usual: number): () => readonly T[] {
  let turn = 0
  const count = Math.min(all.length, runs(usual))
  return () => Array.from({ length: count }, () => all[turn++ % all.length] as T)
}

export const runs = (usual: number): number => Math.ceil(usual * factor)
