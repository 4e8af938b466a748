// How `npm run test:citus` finds its cluster.
import { expect, it } from 'vitest'
import { freshDatabase } from './support/app.ts'
import { urlOf } from './support/postgres/postgres.ts'
import { findTestCluster, runsOnCluster } from './support/postgres/test-cluster.ts'

const refusal = (url?: string): Promise<string> =>
  findTestCluster(url).then(
    nodes => `${nodes.length} nodes`,
    error => error.message,
  )

it('needs the URL of a coordinator, and says in one line what is missing', async () => {
  expect(await refusal()).toBe(
    'Set SIGNOFF_TEST_DATABASE_URL to the coordinator of a Citus cluster: see "Tests on a cluster" in docs/internals/testing.md.',
  )
  expect(await refusal('postgres://localhost:1/none')).toMatch(
    /^SIGNOFF_TEST_DATABASE_URL: .*ECONNREFUSED.*$/,
  )
  expect(await refusal(urlOf(await freshDatabase()))).toMatch(
    runsOnCluster ? /^\d nodes$/ : /^SIGNOFF_TEST_DATABASE_URL: This PostgreSQL has no Citus extension.*$/,
  )
})
