// Runs the commands of README.md and docs/use/first-signature.md exactly as printed.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkBrowser } from './support/browser/browser.ts'
import { command } from './support/command.ts'
import { migratedFolder, type Served, serve, stop } from './support/processes/process.ts'
import { hasCurl, readDocument, runBlocks, shellBlocks, workingFolder } from './support/processes/shell.ts'

let dataDir: string
let served: Served
beforeAll(async () => {
  dataDir = await migratedFolder()
  await linkBrowser(dataDir)
  served = await serve({ env: { SIGNOFF_DATA_DIR: dataDir } })
})
afterAll(() => stop(served))

/** The key of a new workspace: each guide begins with an empty one. */
async function keyOfNewWorkspace(): Promise<string> {
  const args = ['workspaces', 'create', 'New', '--owner-email', 'owner@example.com']
  const { out } = await command(args, { SIGNOFF_DATA_DIR: dataDir })
  return /sgn_\w{46}/.exec(out)?.[0] ?? ''
}

const isPng = (file: string): boolean => readFileSync(file).toString('latin1', 1, 4) === 'PNG'

/** The service prints links with its public address, which has no port in tests. */
async function openPage(link: string): Promise<string> {
  const response = await fetch(new URL(new URL(link.trim()).pathname, served.url))
  expect(response.status).toBe(200)
  return response.text()
}

describe('README', () => {
  const [, section = ''] = /## The first five calls\n([\s\S]*?)\n## /.exec(readDocument('README.md')) ?? []
  const blocks = shellBlocks(section)

  it('shows five calls', () => {
    expect(blocks.join('').match(/^# \d\. /gm)).toHaveLength(5)
  })

  it.runIf(hasCurl)('ends with a signature that a person can copy', async () => {
    const printed = await runBlocks(blocks, { cwd: await workingFolder(), url: served.url, key: served.key })
    const page = await openPage(printed.at(-1)?.trim().split('\n').at(-1) ?? '')
    for (const word of ['Ada', 'Moreau', 'Head of Roasting', 'northbean.example'])
      expect(page, word).toContain(word)
  })

  it.runIf(hasCurl)(
    'can be followed by docs/use/first-signature.md, whose signature is shown then',
    async () => {
      const blocks = shellBlocks(readDocument('docs/use/first-signature.md'))
      const printed = await runBlocks(blocks, {
        cwd: await workingFolder(),
        url: served.url,
        key: served.key,
      })
      expect(JSON.parse(printed[3] ?? '').data).toEqual({ created: 1, updated: 1, failed: [] })
      const page = await openPage(printed.at(-1) ?? '')
      for (const word of ['Ada', '/files/']) expect(page, word).toContain(word)
    },
  )

  it.runIf(hasCurl)('shows the error of a call that fails', async () => {
    const [helpers = ''] = /export KEY[\s\S]*?(?=\n# 1)/.exec(blocks.join('')) ?? []
    const call = `api /signatures -d '{"name": "A", "template_id": "nonsense"}' | get .id`
    const run = runBlocks([helpers, call], { cwd: await workingFolder(), url: served.url, key: served.key })
    await expect(run).rejects.toMatchObject({
      stderr: expect.stringMatching(/no template "nonsense"; GET \/v1\/templates[\s\S]*unknown_reference/),
    })
  })
})

describe('docs/use/first-signature.md', () => {
  it.runIf(hasCurl)('leads to a published signature with a portrait', async () => {
    const cwd = await workingFolder()
    const blocks = shellBlocks(readDocument('docs/use/first-signature.md'))
    expect(blocks).toHaveLength(9)
    const printed = await runBlocks(blocks, { cwd, url: served.url, key: await keyOfNewWorkspace() })
    const answerOf = (step: number) => JSON.parse(printed[step] ?? '')
    expect(answerOf(1).data.colors.primary).toBe('#2f5d50')
    expect(answerOf(3).data).toEqual({ created: 2, updated: 0, failed: [] })
    expect(answerOf(5).data.matching_emails_count).toBe(2)
    const { recipients, problems } = answerOf(6).data
    expect(recipients).toBe(2)
    expect(problems.map(({ code }: { code: string }) => code)).toContain('unreachable_address')
    expect(problems.filter(({ severity }: { severity: string }) => severity === 'error')).toEqual([])
    expect(Date.parse(printed[7]?.trim() ?? '')).not.toBeNaN()
    expect(isPng(join(cwd, 'signature.png'))).toBe(true)
    const page = await openPage(printed[8] ?? '')
    for (const word of ['Ada', 'Moreau', 'northbean.example', '/files/']) expect(page, word).toContain(word)
  })
})

describe('docs/examples/first-signature.mjs', () => {
  it('publishes a signature, and can be run again', async () => {
    const cwd = await workingFolder()
    const key = await keyOfNewWorkspace()
    const run = async (url = served.url) => {
      const { stdout } = await promisify(execFile)(process.execPath, ['docs/examples/first-signature.mjs'], {
        cwd,
        env: { PATH: process.env.PATH, KEY: key, SIGNOFF_URL: url },
      })
      return stdout
    }
    await expect(run('http://localhost:1')).rejects.toMatchObject({
      stderr: expect.stringMatching(/^No service answers at http:\/\/localhost:1\..*\n$/),
    })
    expect(await run()).toContain('People: 2 created, 0 updated, 0 failed\nRecipients: 2\n')
    const again = await run()
    expect(again).toContain('People: 0 created, 2 updated, 0 failed\nRecipients: 2\n')
    expect(isPng(join(cwd, 'signature.png'))).toBe(true)
    expect(again).toContain('signature.png shows it for ada@northbean.example.')
    const links = [...again.matchAll(/^ {2}(\w+)@northbean\.example: (\S+)$/gm)]
    expect(links.map(([, person]) => person).sort()).toEqual(['ada', 'grace'])
    for (const [, , link = ''] of links) expect(await openPage(link)).toContain('/files/')
  })
})
