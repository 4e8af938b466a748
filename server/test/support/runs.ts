// How many random cases a test tries: a quarter of the usual number by itself, all of them with SIGNOFF_TEST_RUNS=1, as in
// `npm run test:deep`, which runs the files that say `@module-tag random`.
import { testSeed } from './seed.ts'

const factor = Number(process.env.SIGNOFF_TEST_RUNS ?? 0.25)

/**
 * Each call returns the next few entries of a list, round robin: every entry is used often, but not in every call. The
 * seed of the run decides which entry is the first; 1 is the usual seed.
 */
export function roundRobin<T>(all: readonly T[], usual: number): () => readonly T[] {
  let nextIndex = Math.abs(testSeed - 1)
  const count = Math.min(all.length, runs(usual))
  return () => Array.from({ length: count }, () => all[nextIndex++ % all.length] as T)
}

export const runs = (usual: number): number => Math.ceil(usual * factor)
