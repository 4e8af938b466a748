// Tests that cannot run on a cluster, and why. `npm run test:citus` skips them by name and prints this list.

export interface SkippedTest {
  /** The end of its path. */
  readonly file: string
  readonly test: string
  readonly reason: string
}

export const notOnCluster: readonly SkippedTest[] = [
  {
    file: 'installations/reconcile/reconcile.test.ts',
    test: 'does not ask again for a signature that arrives during the comparison, at any moment',
    reason: 'a trigger watches the rows, and distributed tables have none',
  },
]
