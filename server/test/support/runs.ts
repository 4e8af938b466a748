// Tests that try many cases at random try as many as take some seconds. SIGNOFF_TEST_RUNS=10 makes it ten times as many.
const factor = Number(process.env.SIGNOFF_TEST_RUNS ?? 1)

export const runs = (usual: number): number => Math.ceil(usual * factor)
