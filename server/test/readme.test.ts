// Runs the calls in README.md exactly as printed.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { migratedFolder, serve, stop } from './support/process.ts'

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
const [, block = ''] = /## The first five calls[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme) ?? []
const calls = block.split(/^# \d\. .*\n/m).slice(1)
const hasCurl = spawnSync('curl', ['--version']).status === 0

it('README shows five calls', () => {
  expect(calls).toHaveLength(5)
  expect(calls.every(call => call.startsWith('curl -s '))).toBe(true)
})

it.runIf(hasCurl)('README’s calls work as printed', async () => {
  const served = await serve({ env: { SIGNOFF_DATA_DIR: await migratedFolder() } })
  const answers = calls.map(call => {
    const { stdout } = spawnSync('bash', ['-c', call.replaceAll('http://localhost:3000', served.url)], {
      env: { PATH: process.env.PATH, KEY: served.key },
      encoding: 'utf8',
    })
    return JSON.parse(stdout)
  })
  expect(answers[0].data.name).toBe('My company')
  expect(answers[1].data.name).toBe('Sales')
  expect(answers[2].data.key).toBe('pronouns')
  expect(answers[3].data).toEqual({ created: 2, updated: 0, failed: [] })
  expect(answers[4].data[0].email).toBe('ada@example.com')
  await stop(served)
})
