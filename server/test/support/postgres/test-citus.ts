// `npm run test:citus`: all tests of the server on a Citus cluster, with distributed tables. See CONTRIBUTING.md.
import { spawn } from 'node:child_process'
import { notOnCluster } from './not-on-cluster.ts'
import { findTestCluster, NoTestCluster } from './test-cluster.ts'

try {
  const nodes = await findTestCluster(process.env.SIGNOFF_TEST_DATABASE_URL)
  console.log(`Testing on a coordinator and ${nodes.length - 1} workers.`)
  const args = ['vitest', 'run', '--project', 'server', ...process.argv.slice(2)]
  const env = { ...process.env, SIGNOFF_TEST_CITUS: '1' }
  const tests = spawn('npx', args, { stdio: 'inherit', env })
  tests.once('exit', code => {
    console.log('Not on a cluster:')
    for (const { file, test, reason } of notOnCluster) console.log(`- ${file}: ${test} (${reason})`)
    process.exit(code ?? 1)
  })
} catch (error) {
  if (!(error instanceof NoTestCluster)) throw error
  console.error(error.message)
  process.exitCode = 1
}
