// Constraint violations as the shards of a cluster report them.
import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { freshDatabase } from '#test/support/app.ts'
import { isViolation } from './db.ts'

const sources = join(import.meta.dirname, '../..')
const texts = globSync('**/*.ts', { cwd: sources }).map(file => readFileSync(join(sources, file), 'utf8'))

function constantNames(constant: string): string[] {
  if (constant === 'constraint')
    return texts.flatMap(text => listNames(/const races = \[([^\]]+)\]/.exec(text)?.[1]))
  const name = texts.map(text => new RegExp(`const ${constant} = '(\\w+)'`).exec(text)?.[1]).find(Boolean)
  return name === undefined ? [] : [name]
}

const listNames = (list = ''): string[] =>
  list.split(',').flatMap(item => /'(\w+)'/.exec(item)?.[1] ?? constantNames(item.trim()))

/** Names that the code asks for: texts, and constants of texts. */
const constraints = [
  ...new Set(
    texts
      .flatMap(text => [...text.matchAll(/isViolation\(error, (?:'(\w+)'|(\w+))\)/g)])
      .flatMap(([, name, constant]) => (name === undefined ? constantNames(constant ?? '') : [name])),
  ),
]

/** As Citus names the constraint of a shard. Its hash is another one, of the same length. */
function nameOnShard(name: string, shard: number): string {
  const suffix = `_${shard}`
  if (name.length < 64 - suffix.length) return name + suffix
  return `${name.slice(0, 64 - suffix.length - 10)}_${hash('sha1', name).slice(0, 8)}${suffix}`
}

const failure = (message: string, fields: Partial<pg.DatabaseError> = {}) =>
  Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code: '23505', ...fields })

const shards = [102_008, 1_020_080, 4_294_967_295]

describe('a violated constraint', () => {
  it('of those that the code asks for exists under this name, and is short enough for a shard', async () => {
    expect(constraints.length).toBeGreaterThan(12)
    const client = new pg.Client(await freshDatabase())
    await client.connect()
    const { rows } = await client
      .query('select conname as name from pg_constraint union select relname from pg_class')
      .finally(() => client.end())
    const existing = new Set(rows.map(({ name }) => name))
    expect(constraints.filter(name => !existing.has(name))).toEqual([])
  })

  it.each(constraints)('%s is recognised by the message of a shard', name => {
    for (const shard of shards) {
      const shardName = nameOnShard(name, shard)
      const messages = [
        `duplicate key value violates unique constraint "${shardName}"`,
        `insert or update on table "t_${shard}" violates foreign key constraint "${shardName}"`,
        `update or delete on table "t_${shard}" violates foreign key constraint "${shardName}" on table "u_${shard}"`,
        `doppelter Schlüsselwert verletzt Unique-Constraint »${shardName}«`,
      ]
      for (const message of messages) expect(isViolation(failure(message), name)).toBe(true)
      expect(isViolation(failure('', { constraint: shardName }), name)).toBe(true)
      expect(isViolation(failure('', { constraint: name }), name)).toBe(true)
      for (const other of constraints.filter(other => other !== name))
        expect(isViolation(failure(messages[0] ?? ''), other)).toBe(false)
    }
  })

  it('is recognised when Citus had to shorten its name to 63 bytes', () => {
    const name = 'integration_entity_members_workspace_id_integration_id_fk'
    const shardName = nameOnShard(name, 102_008)
    expect(shardName).toHaveLength(63)
    expect(shardName).not.toContain(name)
    expect(isViolation(failure(`violates foreign key constraint "${shardName}"`), name)).toBe(true)
    expect(
      isViolation(failure(`violates foreign key constraint "${shardName}"`), 'integrations_one_scim'),
    ).toBe(false)
  })

  it('is none when the error is of another kind', () => {
    const text = 'relation "emails_address_102008" does not exist'
    expect(isViolation(failure(text, { code: '42P01' }), 'emails_address')).toBe(false)
    expect(isViolation(new Error('violates unique constraint "emails_address"'), 'emails_address')).toBe(
      false,
    )
  })
})
