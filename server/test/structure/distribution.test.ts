// Where tables live in a cluster: platform/distribution/tables.ts.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { distributedTables, localTables, referenceTables } from '#platform/distribution/tables.ts'
import { tableNames } from '../support/tables.ts'

const migrations = join(import.meta.dirname, '../../migrations')
const texts = globSync('*.sql', { cwd: migrations }).map(file =>
  readFileSync(join(migrations, file), 'utf8').replace(/--.*$/gm, ''),
)

interface ForeignKey {
  readonly from: string
  readonly to: string
}

/** From `create table` and `alter table` statements; each ends with a semicolon. */
const foreignKeys: readonly ForeignKey[] = texts
  .flatMap(text => text.split(';'))
  .flatMap(statement => {
    const from = /^\s*(?:create|alter) table (?:if not exists )?(\w+)/.exec(statement)?.[1]
    if (from === undefined) return []
    return [...statement.matchAll(/\breferences (\w+)/g)].map(([, to = '']) => ({ from, to }))
  })

/** The columns of a table, as far as its `create table` says. */
const created = (table: string): string =>
  texts.map(text => new RegExp(`^create table ${table} \\(([^;]*)`, 'm').exec(text)?.[1] ?? '').join('')

/** Older migrations ran before any database could be distributed. */
const firstPlaced = 41

const isIn = (list: readonly string[], table: string): boolean => list.includes(table)

describe('tables in a cluster', () => {
  it('are all declared, once', () => {
    const declared = [...referenceTables, ...distributedTables, ...localTables]
    expect([...declared].sort()).toEqual([...tableNames(), 'schema_migrations'].sort())
  })

  it('are distributed by a column that they have, first in the primary key', () => {
    const without = distributedTables.filter(
      table => !/primary key \(workspace_id\b|workspace_id uuid primary key/.test(created(table)),
    )
    expect(without).toEqual([])
  })

  it('get foreign keys to distributed tables after their place, in newer migrations', () => {
    const early = globSync('*.sql', { cwd: migrations })
      .filter(file => Number.parseInt(file, 10) >= firstPlaced)
      .filter(file => {
        const [made = ''] = readFileSync(join(migrations, file), 'utf8').split(/^-- place tables$/m)
        const created = made.split(';').filter(statement => /^\s*create table/m.test(statement))
        return created.some(statement =>
          [...statement.matchAll(/\breferences (\w+)/g)].some(([, to = '']) => isIn(distributedTables, to)),
        )
      })
    expect(early).toEqual([])
  })

  it('get their first rows after their place, in newer migrations', () => {
    const early = globSync('*.sql', { cwd: migrations })
      .filter(file => Number.parseInt(file, 10) >= firstPlaced)
      .filter(file => {
        const [made = ''] = readFileSync(join(migrations, file), 'utf8').split(/^-- place tables$/m)
        const created = [...made.matchAll(/^create table (\w+)/gm)].map(([, table = '']) => table)
        return [...made.matchAll(/\binsert into (\w+)/g)].some(([, table = '']) => created.includes(table))
      })
    expect(early).toEqual([])
  })

  it('have foreign keys that Citus accepts', () => {
    expect(foreignKeys.length).toBeGreaterThan(50)
    const refused = foreignKeys.filter(
      ({ from, to }) =>
        isIn(localTables, from) ||
        isIn(localTables, to) ||
        (isIn(referenceTables, from) && isIn(distributedTables, to)),
    )
    expect(refused).toEqual([])
  })
})
