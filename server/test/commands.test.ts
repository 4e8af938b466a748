import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { isOfWorkspace } from '#kernel/api/routes.ts'
import { scopes } from '#kernel/api/scopes.ts'
import { freshDatabase, testApp } from './support/app.ts'
import { command } from './support/command.ts'
import { query, urlOf, withDatabase } from './support/postgres/postgres.ts'
import { bundledProgram } from './support/processes/bundle.ts'
import { emptyFolder, signoff } from './support/processes/process.ts'

let env: Record<string, string>
let globex: string
beforeAll(async () => {
  env = await freshEnvironment()
})
async function freshEnvironment(): Promise<Record<string, string>> {
  const name = `commands_${randomUUID().replaceAll('-', '')}`
  await query(inject('postgres'), `create database ${name}`)
  return environmentOf(withDatabase(inject('postgres'), name))
}
const environmentOf = async (connection: pg.ClientConfig) => ({
  DATABASE_URL: urlOf(connection),
  SIGNOFF_DATA_DIR: await emptyFolder(),
})
const cli = (...args: string[]) => command(args, env)
/** In a process of its own, as a person starts it. */
const start = (...args: string[]) => signoff(args, { env })
async function runSql(text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}
const keyIn = (text: string) => /sgn_\w{46}/.exec(text)?.[0] ?? ''
const idIn = (text: string) => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0] ?? ''

describe('signoff', () => {
  it('prints help', async () => {
    const { code, out } = await start('--help')
    expect(code).toBe(0)
    for (const command of [
      'serve',
      'work',
      'migrate',
      'setup-link',
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
    const [keys, unknown] = [await cli('keys', '--help'), await start('sing')]
    expect(keys.out).toContain('create [options] <name>')
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("unknown command 'sing'")])
  })

  it('loads every command from its source files, without a bundler', { tags: ['deep'] }, () => {
    const folder = join(import.meta.dirname, '../src/commands')
    const imports = globSync('**/*.ts', { cwd: folder }).map(
      file => `await import('${pathToFileURL(join(folder, file))}')`,
    )
    const args = ['--input-type=module', '--eval', imports.join('\n')]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })

  it('routes prints the API as one table', async () => {
    const { out } = await cli('routes')
    const lines = out.trim().split('\n')
    expect(lines[0]).toMatch(/^METHOD +PATH +SCOPE/)
    expect(out).toMatch(/^POST +\/v1\/teammates\/import +teammates:write /m)
    expect(out).toMatch(/^GET +\/healthz +public /m)
    const app = await testApp()
    expect(lines).toHaveLength(app.routes.length + 1)
    const usedScopes = new Set(app.routes.map(route => route.access))
    expect(
      [...usedScopes].filter(
        access => isOfWorkspace(access) && access !== 'any key' && !scopes.includes(access),
      ),
    ).toEqual([])
  })

  it('openapi prints and checks the document', async () => {
    const { out } = await start('openapi')
    expect(JSON.parse(out).openapi).toBe('3.1.0')
    // A reader that closes the pipe early must not cause an error.
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', `"${process.execPath}" "${bundledProgram(inject('program'))}" openapi | head -c 100`],
      { encoding: 'utf8' },
    )
    expect([status, stderr]).toEqual([0, ''])
    const staleCheck = await cli('openapi', '--check', 'package.json')
    expect([staleCheck.code, staleCheck.err]).toEqual([1, 'package.json is stale: run `npm run generate`.\n'])
  })

  it('migrates, and creates workspaces', async () => {
    const migrated = await start('migrate')
    expect([migrated.code, migrated.out]).toEqual([
      0,
      expect.stringContaining('Applied: 0001_foundation.sql'),
    ])
    expect((await cli('migrate')).out).toBe('The database is up to date.\n')
    const early = await cli('keys', 'list')
    expect([early.code, early.err]).toEqual([1, expect.stringContaining('There is no workspace yet')])

    const first = await cli('workspaces', 'create', 'Acme', '--owner-email', 'boss@acme.example')
    expect(first.code).toBe(0)
    expect(keyIn(first.out)).not.toBe('')
    expect(first.out).toMatch(/pass this link on to boss@acme.example.*\n\S+\/setup#[\w-]{43}\n$/)
    const owner = ['--owner-email', 'boss@globex.example', '--owner-name', 'Hank']
    const second = await cli('workspaces', 'create', 'Globex', ...owner)
    globex = idIn(second.out)
    expect(second.out).toMatch(/pass this link on to boss@globex.example.*\n\S+\/reset#[\w-]{43}\n$/)
    const [list, bad, unclear] = await Promise.all([
      cli('workspaces', 'list'),
      cli('workspaces', 'create', 'Bad', '--owner-email', 'x'),
      cli('keys', 'list'),
    ])
    expect(list.out).toMatch(/Acme\n.*Globex/)
    expect(bad.err).toBe('x is not an email address\n')
    expect([unclear.code, unclear.err]).toEqual([1, expect.stringContaining('choose one with --workspace')])
  })

  it('adds members', async () => {
    const added = await cli('members', 'add', 'mo@acme.example', '-w', 'Acme', '-r', 'manager', '-n', 'Mo')
    expect(added.out).toContain('Added mo@acme.example as manager')
    const [twice, owner, list] = await Promise.all([
      cli('members', 'add', 'MO@acme.example', '-w', 'Acme'),
      cli('members', 'add', 'x@acme.example', '-w', 'Acme', '-r', 'owner'),
      cli('members', 'list', '-w', 'Acme'),
    ])
    expect(twice.err).toContain('is a member of this workspace already')
    expect(owner.code).toBe(1)
    expect(list.out).toMatch(/owner +Owner +boss@acme.example +active\nmanager +Mo +mo@acme.example/)
  })

  it('connects an identity provider, opens it to the owner, and requires a second factor', async () => {
    const issuer = ['--issuer', 'https://login.acme.example', '--client-id', 'signoff']
    const added = await cli('sso', 'add-oidc', ...issuer, '-d', 'acme.example', '-w', 'Acme')
    const id = idIn(added.out)
    expect((await cli('sso', 'trust', id, '-w', 'Acme')).out).toContain('The owner can now sign in')
    expect((await cli('sso', 'second-factor', 'on', '-w', 'Acme')).out).toContain('must now give a second')
    expect((await cli('sso', 'list', '-w', 'Acme')).out).toContain('Second factor: required')
    const [off, wrong] = await Promise.all([
      cli('sso', 'second-factor', 'off', '-w', 'Acme'),
      cli('sso', 'second-factor', 'maybe', '-w', 'Acme'),
    ])
    expect([off.code, wrong.code]).toEqual([0, 1])
  })

  it('invites members, changes their roles, removes them and changes the owner', async () => {
    const members = (...args: string[]) => cli('members', ...args, '-w', 'Globex')
    const invited = await members('invite', 'ivy@globex.example', '-r', 'admin', '-n', 'Ivy')
    expect(invited.out).toMatch(/Invited ivy@globex.example as admin[\s\S]*\/invitation#[\w-]{43}\n$/)
    const again = await members('resend', 'Ivy@globex.example')
    expect(again.out).toMatch(/\/invitation#[\w-]{43}\n$/)
    expect(again.out.split('#')[1]).not.toBe(invited.out.split('#')[1])
    const refused = await Promise.all([
      members('invite', 'ivy@globex.example'),
      members('make-owner', 'ivy@globex.example'),
      members('remove', 'boss@globex.example'),
      members('set-role', 'ivy@globex.example', 'king'),
    ])
    expect(refused.map(({ code, err }) => [code, err])).toEqual(
      [
        'ivy@globex.example was invited; use `npx signoff members resend ivy@globex.example`.',
        'has not accepted the invitation yet',
        'The owner of a workspace cannot be removed',
        'The role must be admin, manager or member; not king.',
      ].map(message => [1, expect.stringContaining(message)]),
    )
    const [removed] = await Promise.all([
      members('remove', 'ivy@globex.example'),
      members('add', 'gil@globex.example', '-n', 'Gil'),
    ])
    expect(removed.out).toContain('Removed ivy@globex.example')
    expect((await members('set-role', 'gil@globex.example', 'manager')).out).toBe(
      'gil@globex.example is manager now.\n',
    )
    expect((await members('make-owner', 'gil@globex.example')).out).toBe(
      'gil@globex.example is the owner now.\n',
    )
    expect((await members('list')).out).toMatch(
      /admin +Hank +boss@globex.example +active\nowner +Gil +gil@globex.example +active\n$/,
    )
  })

  it('finds the workspace of a connection by its id', async () => {
    const issuer = ['-i', 'https://login.globex.example', '-c', 'signoff', '-d', 'globex.example']
    const added = await cli('sso', 'add-oidc', ...issuer, '-w', 'Globex')
    expect(added.err).toBe('')
    const id = idIn(added.out)
    expect((await cli('sso', 'switch', id, 'off')).out).toBe('The connection is off.\n')
    expect((await cli('sso', 'switch', id, 'off', '-w', 'Acme')).code).toBe(1)
    expect((await cli('sso', 'switch', globex, 'off')).err).toContain('choose one with --workspace')
    // Of a connection that works, the policy asks no more than this.
    await runSql(`update sso_connections set active = true, tested_at = now() where id = '${id}'`)
    const required = await cli('sso', 'require', 'on', '-w', 'Globex')
    expect(required.out).toContain('Members now get in by single sign-on alone.')
    expect(required.out).not.toContain('these members')
    await cli('members', 'add', 'gus@elsewhere.example', '-n', 'Gus', '-w', 'Globex')
    const warned = await cli('sso', 'require', 'on', '-w', 'Globex')
    expect(warned.out).toMatch(/so they cannot get in:\n {2}member +Gus +gus@elsewhere.example\n/)
  })

  it('creates and revokes keys', async () => {
    const created = await cli(
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
    expect(created.out).toContain('acts as Mo <mo@acme.example> (manager)')
    const list = (await cli('keys', 'list', '-w', 'Acme')).out
    expect(list).toMatch(/CRM +folders:read,emails:\* +2090-01-01T00:00:00.000Z +never/)
    expect(list).not.toContain(keyIn(created.out))
    const id = idIn(created.out)
    const create = (...more: string[]) => cli('keys', 'create', 'x', '-w', 'Acme', ...more)
    const refused = await Promise.all([
      create('-s', 'folder:read'),
      create('-e', '2020-01-01'),
      create('-m', 'who@acme.example'),
      cli('keys', 'revoke', id, '-w', globex),
    ])
    expect(refused.map(result => result.err)).toEqual([
      expect.stringContaining('Unknown scope folder:read'),
      expect.stringContaining('expires_at must be in the future'),
      expect.stringContaining('There is no member who@acme.example'),
      expect.stringContaining(`There is no key ${id}`),
    ])
    expect((await cli('keys', 'revoke', id, '-w', 'Acme')).out).toBe('Revoked.\n')
    expect((await cli('keys', 'list', '-w', 'Acme')).out).not.toContain('CRM')
    expect(keyIn((await cli('keys', 'mint')).out)).not.toBe('')
  })

  it('sets the event retention', async () => {
    const { out } = await cli('workspaces', 'create', 'Counted', '--owner-email', 'boss@counted.example')
    const retention = (value: string) => cli('workspaces', 'event-retention', value, '-w', idIn(out))
    expect((await retention('400')).out).toBe('Events are kept for 400 days.\n')
    expect((await retention('forever')).out).toBe('Events are kept for ever.\n')
    const refusals = ['0', 'x', '1.5', '100000'].map(async bad =>
      expect((await retention(bad)).err).toBe(
        `Say a number of days from 1 to 99999, or forever; not ${bad}.\n`,
      ),
    )
    await Promise.all(refusals)
  })

  it('sets the name of the click parameter', async () => {
    const { out } = await cli('workspaces', 'create', 'Clicked', '--owner-email', 'boss@clicked.example')
    const parameter = (name: string) => cli('workspaces', 'click-parameter', name, '-w', idIn(out))
    expect((await parameter('from')).out).toBe('Links add from to the address that they lead to.\n')
    expect((await parameter('a b')).err).toContain('click_parameter must be')
  })

  it('sets the name, time zone and other settings', async () => {
    const { out } = await cli('workspaces', 'create', 'Set', '--owner-email', 'boss@set.example')
    const set = (...options: string[]) => cli('workspaces', 'set', ...options, '-w', idIn(out))
    const changed = await set(
      '--name',
      'Set Ltd',
      '--time-zone',
      'Europe/Berlin',
      '--domains',
      'a.example, b.example',
    )
    expect(changed.out).toBe('Set: name, domains, time_zone.\n')
    expect((await cli('workspaces', 'list')).out).toContain('Set Ltd')
    const refusals = await Promise.all([
      set('--time-zone', 'Europe/Nowhere'),
      set('--mail-sender-name', 'a\nb'),
      set('--domains', 'https://a.example'),
      set(),
    ])
    expect(refusals.map(({ err }) => err.trim())).toEqual([
      'time_zone is not a time zone that the IANA names',
      'mail_sender_name must not hold control characters or direction marks',
      'domains[0] must be a host name such as example.com',
      'Say what to set: --name, --domains, --time-zone, --locale, --mail-sender-name.',
    ])
  })

  it('demo fills the first workspace and changes nothing the second time; a rebuild of its analytics agrees', {
    tags: ['deep'],
  }, async () => {
    const ownEnv = await environmentOf(await freshDatabase())
    const first = await command(['demo'], ownEnv)
    expect(first.err).toBe('')
    expect(first.out).toContain('Your API key:')
    expect(first.out).toContain(
      '50 teammates created; 13 smart fields, 5 folders, 5 signatures, 4 campaigns, 5 images',
    )
    const second = (await command(['demo', '-w', 'Northbean Coffee Ltd'], ownEnv)).out
    expect(
      second.match(/owner, in this browser, once, for 15 minutes: {2}http\S+\/auth\/link\/[\w-]{43}$/gm),
    ).toHaveLength(1)
    // A personal page for each of the four live signatures, and the reference of the API.
    expect(second.match(/https?:\/\/\S+(\/p\/\S+|\/docs)$/gm)).toHaveLength(5)
    expect(second).toContain(
      '0 teammates created; 13 smart fields, 5 folders, 5 signatures, 4 campaigns, 5 images, 0 new events',
    )
    const counted = await command(['analytics', 'rebuild', '-w', 'Northbean Coffee Ltd'], ownEnv)
    // A few days of the year have no events; which ones depends on the date.
    expect(counted.out).toMatch(/^Northbean Coffee Ltd: 3[3-6]\d days counted, no difference\.\n$/)
    const unknownWorkspace = await command(['analytics', 'rebuild', '-w', 'nobody'], ownEnv)
    expect(unknownWorkspace.err).toContain('There is no workspace nobody')
  })

  it('connects and disconnects integrations, and re-encrypts their secrets', async () => {
    const created = await cli('workspaces', 'create', 'Sealed', '--owner-email', 'boss@sealed.example')
    const id = idIn(created.out)
    const key = (n: number) => Buffer.alloc(32, n).toString('base64')
    const runWithKeys = (keys: string, ...args: string[]) =>
      command(args, { ...env, SIGNOFF_SECRET_KEYS: keys })
    const add = (url: string) => runWithKeys(key(1), 'integrations', 'add', 'webhook', '-w', id, '--url', url)
    const refused = await Promise.all(
      ['https://me:secret@example.com/', 'https://10.0.0.1/', 'ftp://example.com/'].map(add),
    )
    expect(refused.map(result => result.err)).toEqual([
      expect.stringContaining('must not hold a user name'),
      expect.stringContaining('is not an address on the public internet'),
      expect.stringContaining('must begin with http'),
    ])
    const added = await add('https://example.com/signatures')
    expect(added.code).toBe(0)

    // The key of the data folder has sealed a second secret.
    const second = await cli('integrations', 'add', 'webhook', '-w', id, '--url', 'https://example.org/')
    expect(second.code).toBe(0)
    const sealed = /^Sealed anew: 1 of 2\.\n$/
    expect((await runWithKeys(`${key(2)},${key(1)}`, 'secrets', 'reseal')).out).toMatch(sealed)
    const lost = await runWithKeys(key(1), 'secrets', 'reseal')
    expect([lost.code, lost.err]).toEqual([1, expect.stringContaining(idIn(added.out))])
    expect((await runWithKeys(key(2), 'secrets', 'reseal')).out).toMatch(sealed)

    const client = new pg.Client({ connectionString: env.DATABASE_URL })
    await client.connect()
    await client.query('delete from graphile_worker._private_jobs')
    expect((await cli('integrations', 'remove', idIn(added.out), '-w', id)).out).toBe('Disconnected.\n')
    const { rows } = await client.query('select payload from graphile_worker._private_jobs')
    await client.end()
    expect(rows).toEqual([{ payload: { workspace_id: id } }]) // the reconcile job of the workspace is enqueued
    expect((await cli('integrations', 'remove', idIn(added.out), '-w', id)).err).toContain('no integration')
  })

  it('mails an owner who cannot sign in yet, and says that other owners can', async () => {
    const create = (name: string) =>
      command(['workspaces', 'create', name, '--owner-email', 'mailed@example.com'], {
        ...env,
        SIGNOFF_SMTP_URL: 'smtp://localhost:1',
      })
    const mailsOf = async () => (await runSql('select id from account_mails')).length
    expect((await create('Mailed')).out).toContain('mailed@example.com gets a mail with a link')
    expect(await mailsOf()).toBe(1)
    await runSql(`update accounts set password_hash = 'x' where email = 'mailed@example.com'`)
    expect((await create('Mailed too')).out).toContain('mailed@example.com has an account already')
    expect(await mailsOf()).toBe(1)
  })

  it('makes no data folder for a command that only reads or changes', async () => {
    const folder = join(await emptyFolder(), 'data')
    const ownEnv = { SIGNOFF_DATA_DIR: folder }
    const commands = [['workspaces', 'list'], ['accounts', 'list'], ['setup-link'], ['demo']]
    for (const { code, err } of await Promise.all(commands.map(args => command(args, ownEnv))))
      expect([code, err]).toEqual([
        1,
        `There is no data folder of Signoff at ${folder}. Start the service first, or set SIGNOFF_DATA_DIR to the folder of the service.\n`,
      ])
    expect(existsSync(folder)).toBe(false)
  })

  it('works on a data folder that no server has used yet', async () => {
    const ownEnv = { SIGNOFF_DATA_DIR: await emptyFolder() }
    const { code, out } = await signoff(['workspaces', 'create', 'Solo', '--owner-email', 'a@b.example'], {
      env: ownEnv,
    })
    expect([code, keyIn(out)]).toEqual([0, expect.stringMatching(/^sgn_/)])
    expect((await command(['workspaces', 'list'], ownEnv)).out).toContain('Solo')
  })
})
