// Property tests try the same cases in every run, so that a commit fails for its own faults. SIGNOFF_TEST_SEED=random
// tries new ones.
import fc from 'fast-check'

const setting = process.env.SIGNOFF_TEST_SEED ?? '1'

export const testSeed = setting === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(setting)

fc.configureGlobal({ seed: testSeed })
