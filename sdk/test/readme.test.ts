// Runs the examples of README.md, in their order, against the service.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '../../server/test/support/app.ts'
import { dotPng } from './support/files.ts'
import { listen } from './support/listen.ts'

const sdk = join(import.meta.dirname, '..')
const text = readFileSync(join(sdk, 'README.md'), 'utf8')
const blocks = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
const importLine = /^import .*\n/gm

/** The example of webhooks is a function: a signed request calls it. */
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
function callOf(block: string): string {
  if (!block.includes('function receive(')) return ''
  const [at, body] = [new Date(), JSON.stringify({ type: 'signature.published', data: {} })]
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  }
  const options = JSON.stringify({ method: 'POST', headers, body })
  return `await receive(new Request('https://a.example', ${options}), '${secret}')\n`
}

/** One module: the imports and the client of the first example, then each of the others by itself. */
function moduleOf([first = '', ...others]: readonly string[]): string {
  const imports = [first, ...others].flatMap(block => block.match(importLine) ?? [])
  const withoutImports = (block: string) => block.replaceAll(importLine, '')
  const separate = others.map(block => `console.log('---')\n{\n${withoutImports(block)}${callOf(block)}}\n`)
  return [...imports, withoutImports(first), ...separate].join('')
}

describe('README.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signoff-readme-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('has ten examples that have the right types and do what they say', async () => {
    expect(blocks).toHaveLength(10)
    const app = await testApp({ draws: true })
    const url = await listen(app)
    const packages = join(folder, 'node_modules')
    mkdirSync(join(packages, '@signoff'), { recursive: true })
    mkdirSync(join(packages, '@types'))
    symlinkSync(sdk, join(packages, '@signoff/sdk'))
    symlinkSync(join(sdk, '../node_modules/@types/node'), join(packages, '@types/node'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'logo.png'), dotPng)
    writeFileSync(join(folder, 'examples.ts'), moduleOf(blocks))
    const compilerOptions = { types: ['node'], lib: ['es2024', 'dom', 'dom.iterable'], noUnusedLocals: false }
    const config = { extends: join(sdk, '../tsconfig.base.json'), compilerOptions, files: ['examples.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const run = promisify(execFile)
    const [{ stdout }] = await Promise.all([
      run(process.execPath, ['examples.ts'], {
        cwd: folder,
        env: { PATH: process.env.PATH, SIGNOFF_URL: url, SIGNOFF_API_KEY: app.key },
      }),
      run(join(sdk, '../node_modules/.bin/tsc'), ['-p', folder]),
    ])
    const printed = stdout.split('---\n').map(part => part.trim())
    expect(Date.parse(printed[0] ?? '')).not.toBeNaN()
    expect(printed.slice(1, 5)).toEqual([
      '2 created, 0 updated, 0 failed',
      '2 on the first page\ngrace@northbean.example\nada@northbean.example',
      '1 × 1',
      'email: invalid',
    ])
    expect(printed[5]).toMatch(/^[0-9a-f-]{36}$/)
    expect(printed[8]).toBe('signature.published')
    expect(printed[9]).toBe('The user has left.')
    expect((await app.get('/v1/folders')).body.data[0].name).toBe('Sales and support')
    expect(readFileSync(join(folder, 'signature.png')).toString('latin1', 1, 4)).toBe('PNG')
  })
})
