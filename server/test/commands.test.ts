import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { scopes } from '../src/kernel/scopes.ts'
import { testApp } from './support/app.ts'
import { on, query, urlOf } from './support/postgres.ts'
import { freshFolder, signoff } from './support/process.ts'

let env: Record<string, string>
beforeAll(async () => {
  const name = `commands_${randomUUID().replaceAll('-', '')}`
  await query(inject('postgres'), `create database ${name}`)
  env = { DATABASE_URL: urlOf(on(inject('postgres'), name)), SIGNOFF_DATA_DIR: await freshFolder() }
})
const cli = (...args: string[]) => signoff(args, { env })
const keyIn = (text: string) => /sgn_\w{46}/.exec(text)?.[0] ?? ''
const idIn = (text: string) => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0] ?? ''

describe('signoff', () => {
  it('helps', async () => {
    const { code, out } = await cli('--help')
    expect(code).toBe(0)
    for (const command of [
      'serve',
      'work',
      'migrate',
      'routes',
      'keys',
      'workspaces',
      'members',
      'analytics',
      'integrations',
      'secrets',
      'demo',
      'backup',
      'restore',
    ]) {
      expect(out).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'))
    }
    expect((await cli('keys', '--help')).out).toContain('create [options] <name>')
    const unknown = await cli('sing')
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("unknown command 'sing'")])
  })

  it('routes prints the API as one table', async () => {
    const { out } = await cli('routes')
    const lines = out.trim().split('\n')
    expect(lines[0]).toMatch(/^METHOD +PATH +SCOPE/)
    expect(out).toMatch(/^POST +\/v1\/teammates\/import +teammates:write /m)
    expect(out).toMatch(/^GET +\/healthz +public /m)
    const app = await testApp()
    expect(lines).toHaveLength(app.routes.length + 1)
    const used = new Set(app.routes.map(route => route.access))
    expect([...used].filter(one => one !== 'public' && one !== 'any key' && !scopes.includes(one))).toEqual(
      [],
    )
  })

  it('openapi prints and checks the document', async () => {
    const { out } = await cli('openapi')
    expect(JSON.parse(out).openapi).toBe('3.1.0')
    // Whoever has read enough may leave.
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', `"${process.execPath}" server/bin/signoff.js openapi | head -c 100`],
      { encoding: 'utf8' },
    )
    expect([status, stderr]).toEqual([0, ''])
    const stale = await cli('openapi', '--check', 'package.json')
    expect([stale.code, stale.err]).toEqual([1, 'package.json is stale: run `npm run generate`.\n'])
  })

  it('migrates, makes workspaces, members and keys, and ends keys', async () => {
    expect((await cli('migrate')).out).toContain('Applied: 0001_foundation.sql')
    expect((await cli('migrate')).out).toBe('The database is up to date.\n')
    expect((await cli('demo')).err).toContain('There is no workspace yet')

    const first = await cli('workspaces', 'create', 'Acme', '--owner-email', 'boss@acme.example')
    expect(first.code).toBe(0)
    expect(keyIn(first.out)).not.toBe('')
    const second = await cli(
      'workspaces',
      'create',
      'Globex',
      '--owner-email',
      'boss@globex.example',
      '--owner-name',
      'Hank',
    )
    expect((await cli('workspaces', 'list')).out).toMatch(/Acme\n.*Globex/)
    expect((await cli('workspaces', 'create', 'Bad', '--owner-email', 'x')).err).toBe(
      'x is not an email address\n',
    )

    const unclear = await cli('keys', 'list')
    expect([unclear.code, unclear.err]).toEqual([1, expect.stringContaining('choose one with --workspace')])
    const added = await cli('members', 'add', 'mo@acme.example', '-w', 'Acme', '-r', 'manager', '-n', 'Mo')
    expect(added.out).toContain('Added mo@acme.example as manager')
    expect((await cli('members', 'add', 'MO@acme.example', '-w', 'Acme')).err).toContain(
      'is a member of this workspace already',
    )
    expect((await cli('members', 'add', 'x@acme.example', '-w', 'Acme', '-r', 'owner')).code).toBe(1)
    expect((await cli('members', 'list', '-w', 'Acme')).out).toMatch(
      /owner +Owner +boss@acme.example\nmanager +Mo +mo@acme.example/,
    )

    const made = await cli(
      'keys',
      'create',
      'CRM',
      '-w',
      'Acme',
      '-m',
      'mo@acme.example',
      '-s',
      'folders:read,emails:*',
      '-e',
      '2090-01-01',
    )
    expect(made.out).toContain('acts as Mo <mo@acme.example> (manager)')
    const listed = (await cli('keys', 'list', '-w', 'Acme')).out
    expect(listed).toMatch(/CRM +folders:read,emails:\* +2090-01-01T00:00:00.000Z +never/)
    expect(listed).not.toContain(keyIn(made.out))
    expect((await cli('keys', 'create', 'x', '-w', 'Acme', '-s', 'folder:read')).err).toContain(
      'Unknown scope folder:read',
    )
    expect((await cli('keys', 'create', 'x', '-w', 'Acme', '-e', '2020-01-01')).err).toContain(
      'expires_at must be in the future',
    )
    expect((await cli('keys', 'create', 'x', '-w', 'Acme', '-m', 'who@acme.example')).err).toContain(
      'There is no member who@acme.example',
    )

    const id = idIn(made.out)
    expect((await cli('keys', 'revoke', id, '-w', idIn(second.out))).err).toContain(`There is no key ${id}`)
    expect((await cli('keys', 'revoke', id, '-w', 'Acme')).out).toBe('Revoked.\n')
    expect((await cli('keys', 'list', '-w', 'Acme')).out).not.toContain('CRM')
    expect(keyIn((await cli('keys', 'mint')).out)).not.toBe('')
  })

  it('keeps events as long as is said, and counts them anew', async () => {
    const { out } = await cli('workspaces', 'create', 'Counted', '--owner-email', 'boss@counted.example')
    const retention = (value: string) => cli('workspaces', 'event-retention', value, '-w', idIn(out))
    expect((await retention('400')).out).toBe('Events are kept for 400 days.\n')
    expect((await retention('forever')).out).toBe('Events are kept for ever.\n')
    for (const bad of ['0', 'x', '1.5', '100000'])
      expect((await retention(bad)).err).toBe(
        `Say a number of days from 1 to 99999, or forever; not ${bad}.\n`,
      )
    await cli('demo', '-w', idIn(out))
    expect((await cli('analytics', 'rebuild', '-w', idIn(out))).out).toMatch(
      /^Counted: 36\d days counted, no difference\.\n$/,
    )
    expect((await cli('analytics', 'rebuild', '-w', 'nobody')).err).toContain('There is no workspace nobody')
  })

  it('demo fills a workspace, and changes nothing the second time', async () => {
    const { out } = await cli('workspaces', 'create', 'Northbean', '--owner-email', 'boss@northbean.example')
    expect((await cli('demo', '-w', idIn(out))).out).toContain(
      '50 teammates created; 13 smart fields, 5 folders, 3 signatures, 3 campaigns, 3 images',
    )
    expect((await cli('demo', '-w', idIn(out))).out).toContain(
      '0 teammates created; 13 smart fields, 5 folders, 3 signatures, 3 campaigns, 3 images, 0 new events',
    )
  })

  it('connects and disconnects systems, and seals their secrets anew', async () => {
    const made = await cli('workspaces', 'create', 'Sealed', '--owner-email', 'boss@sealed.example')
    const id = idIn(made.out)
    const key = (n: number) => Buffer.alloc(32, n).toString('base64')
    const keyed = (keys: string, ...args: string[]) =>
      signoff(args, { env: { ...env, SIGNOFF_SECRET_KEYS: keys } })
    const add = (url: string) => keyed(key(1), 'integrations', 'add', 'webhook', '-w', id, '--url', url)
    expect((await add('https://me:secret@example.com/')).err).toContain('must not hold a user name')
    expect((await add('https://10.0.0.1/')).err).toContain('is not an address on the public internet')
    expect((await add('ftp://example.com/')).err).toContain('must begin with http')
    const added = await add('https://example.com/signatures')
    expect(added.code).toBe(0)

    expect((await keyed(`${key(2)},${key(1)}`, 'secrets', 'reseal')).out).toBe('Sealed anew: 1 of 1.\n')
    const lost = await keyed(key(1), 'secrets', 'reseal')
    expect([lost.code, lost.err]).toEqual([1, expect.stringContaining(idIn(added.out))])
    expect((await keyed(key(2), 'secrets', 'reseal')).out).toBe('Sealed anew: 1 of 1.\n')

    const client = new pg.Client({ connectionString: env.DATABASE_URL })
    await client.connect()
    await client.query('delete from graphile_worker._private_jobs')
    expect((await cli('integrations', 'remove', idIn(added.out), '-w', id)).out).toBe('Disconnected.\n')
    const { rows } = await client.query('select payload from graphile_worker._private_jobs')
    await client.end()
    expect(rows).toEqual([{ payload: { workspace_id: id } }]) // what went through it is looked at
    expect((await cli('integrations', 'remove', idIn(added.out), '-w', id)).err).toContain('no integration')
  })

  it('works on a data folder that no server has seen yet', async () => {
    const own = { SIGNOFF_DATA_DIR: await freshFolder() }
    const { code, out } = await signoff(['workspaces', 'create', 'Solo', '--owner-email', 'a@b.example'], {
      env: own,
    })
    expect([code, keyIn(out)]).toEqual([0, expect.stringMatching(/^sgn_/)])
    expect((await signoff(['workspaces', 'list'], { env: own })).out).toContain('Solo')
  })
})
