// The package as npm packs it.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { minifySync } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../server/test/support/app.ts'
import { openBrowser } from '../../server/test/support/browser/browser.ts'
import { listen, startServer } from './support/listen.ts'

const run = promisify(execFile)
const sdk = join(import.meta.dirname, '..')
const root = join(sdk, '..')
const folder = mkdtempSync(join(tmpdir(), 'signoff-sdk-'))
const installed = join(folder, 'consumer/node_modules/@signoff/sdk')
const readPacked = (file: string): string => readFileSync(join(installed, file), 'utf8')

const pageText = `<!doctype html><title>A page</title>
  <script type="module">import * as sdk from '/index.js'; globalThis.sdk = sdk</script>`

let page: string
let app: TestApp
let url: string
beforeAll(async () => {
  page = await startServer((request, response) => {
    const isScript = request.url === '/index.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? readPacked('dist/index.js') : pageText)
  })
  app = await testApp({ env: { SIGNOFF_CORS_ORIGINS: page } })
  url = await listen(app)
  // In a copy: packing changes `exports` of package.json for a moment.
  const copy = join(folder, 'sdk')
  cpSync(sdk, copy, { recursive: true, filter: source => !source.endsWith('/dist') })
  for (const file of ['tsconfig.base.json', 'LICENSE']) cpSync(join(root, file), join(folder, file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  await run('npm', ['pack', '--pack-destination', folder], { cwd: copy })
  mkdirSync(installed, { recursive: true })
  const { version } = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8'))
  await run('tar', ['xzf', join(folder, `signoff-sdk-${version}.tgz`), '-C', installed, '--strip', '1'])
  const [before, after] = [sdk, copy].map(each => readFileSync(join(each, 'package.json'), 'utf8'))
  expect(after).toBe(before)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the package', () => {
  it('is one module without imports, with types, at most 18 kB when minified', () => {
    const code = readPacked('dist/index.js')
    expect(code).not.toMatch(/^import |\bimport\(|\brequire\(/m)
    const minified = minifySync('index.js', code, { module: true, mangle: { toplevel: true } }).code
    expect(minified.length).toBeGreaterThan(4000)
    expect(minified.length).toBeLessThanOrEqual(18 * 1024)
    const { exports, dependencies } = JSON.parse(readPacked('package.json'))
    expect(dependencies).toBeUndefined()
    for (const file of Object.values<string>(exports)) expect(readPacked(file)).not.toBe('')
    expect(readPacked('dist/types/index.d.ts')).not.toContain(".ts'")
    expect(readPacked('README.md')).toContain('# @signoff/sdk')
  })

  it('has types that a project with another resolution of modules can use', async () => {
    const file = join(folder, 'consumer/use.ts')
    writeFileSync(
      file,
      `import { Signoff, type Teammate } from '@signoff/sdk'
       const signoff = new Signoff({ url: 'https://a.example', key: 'k' })
       export const teammate: Promise<Teammate> = signoff.teammates.get('id')
       // @ts-expect-error: an id is a string
       signoff.teammates.get(7)`,
    )
    const options =
      '--noEmit --strict --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom'
    const tsc = join(root, 'node_modules/.bin/tsc')
    await run(tsc, ['--ignoreConfig', ...options.split(' '), '--types', '', file], {
      cwd: join(folder, 'consumer'),
    })
  })

  it('runs in the Node of this machine', async () => {
    const script = join(folder, 'consumer/use.mjs')
    writeFileSync(
      script,
      `import { Signoff, ValidationError, verifyWebhook } from '@signoff/sdk'
       const signoff = new Signoff({ url: process.env.URL, key: process.env.KEY })
       const { id } = await signoff.folders.create({ name: 'From Node ' + process.version })
       const names = []
       for await (const { name } of signoff.folders.list({ limit: 1 })) names.push(name)
       const error = await signoff.folders.create({ name: '' }).catch(caught => caught)
       await signoff.folders.delete(id)
       console.log(JSON.stringify({ names, isInvalid: error instanceof ValidationError, hasWebhooks: !!verifyWebhook }))`,
    )
    // Not the Node that npm brings along: package.json promises older ones too.
    const paths = (process.env.PATH ?? '').split(delimiter).filter(path => !path.includes('node_modules'))
    const env = { PATH: paths.join(delimiter), URL: url, KEY: app.key }
    const { stdout } = await run('node', [script], { env })
    expect(JSON.parse(stdout)).toMatchObject({
      names: expect.arrayContaining([expect.stringMatching(/^From Node v\d+/)]),
      isInvalid: true,
      hasWebhooks: true,
    })
  })

  it('runs in a browser, on a page of another origin', async () => {
    const tab = await (await openBrowser()).newPage()
    await tab.goto(page)
    await tab.waitForFunction('sdk')
    const result = await tab.evaluate(
      async ({ url, key }) => {
        const { sdk } = globalThis as unknown as { sdk: typeof import('@signoff/sdk') }
        const { Signoff, ConnectionError, NotFoundError } = sdk
        const signoff = new Signoff({ url, key })
        const made = await signoff.folders.create({ name: 'From a browser' }).raw()
        const ifMatch = made.headers.get('etag') ?? ''
        const renamed = await signoff.folders.update(made.body.data.id, { name: 'Renamed' }, { ifMatch })
        const missing = await signoff.folders.get(crypto.randomUUID()).catch((error: Error) => error)
        const closed = new Signoff({ url: 'http://127.0.0.1:9', key, maxRetries: 0 })
        const unreachable = await closed.folders.list().catch((error: Error) => error)
        const file = new Blob([Uint8Array.from(atob('R0lGODlhAQABAAAAACw='), c => c.charCodeAt(0))])
        const refused = await signoff.assets
          .create({ file_base64: file, filename: 'a.gif' })
          .catch((e: Error) => e)
        return {
          name: renamed.name,
          isMissing: missing instanceof NotFoundError && typeof missing.requestId === 'string',
          isUnreachable: unreachable instanceof ConnectionError,
          file: 'status' in refused ? refused.status : 'taken',
        }
      },
      { url, key: app.key },
    )
    expect(result).toMatchObject({ name: 'Renamed', isMissing: true, isUnreachable: true, file: 422 })
  })
})
