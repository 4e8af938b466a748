// Where tables live in a cluster: platform/distribution/tables.ts.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'libpg-query'
import { beforeAll, describe, expect, it } from 'vitest'
import { statementsOf } from '#kernel/db/migrate.ts'
import { distributedTables, localTables, referenceTables } from '#platform/distribution/tables.ts'
import { tableNames } from '../../generate/tables.ts'
import { loadParser, migrationProblems } from '../support/postgres/cluster-sql.ts'

beforeAll(loadParser)

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

  it('are changed by newer migrations as Citus accepts it', () => {
    const refused = globSync('*.sql', { cwd: migrations })
      .filter(file => Number.parseInt(file, 10) >= firstPlaced)
      .map(file => [file, ...migrationProblems(readFileSync(join(migrations, file), 'utf8'))])
      .filter(([, ...problems]) => problems.length > 0)
    expect(refused).toEqual([])
  })

  it('are changed by statements that are sent one by one', () => {
    for (const file of globSync('*.sql', { cwd: migrations })) {
      const text = readFileSync(join(migrations, file), 'utf8')
      const statements = statementsOf(text)
      expect(statements.length).toBe(parseSync(text).stmts?.length)
      for (const statement of statements) expect(parseSync(statement).stmts).toHaveLength(1)
    }
    expect(statementsOf("-- a; b\ninsert into folders (name) values ('a;b'); ;\n-- end;\n")).toHaveLength(1)
    expect(statementsOf('create function f() … $$ select 1; $$; select 2')).toHaveLength(2)
  })

  it.each([
    ['alter table folders add column size integer, add check (size > 0)', /a constraint of folders/],
    ['alter table folders add column size integer check (size > 0)', /a constraint of folders/],
    ['update folders set updated_at = now() + random() * updated_at', /a change of folders: random\(\)/],
    ['insert into folders (id) values (1) on conflict (id) do update set name = now()', /behind ON CONFLICT/],
  ])('are not changed so: %s', (statement, problem) => {
    expect(migrationProblems(statement).join('\n')).toMatch(problem)
  })

  it.each([
    'alter table folders add column size integer not null default 0, drop column name',
    'alter table folders add check (size > 0)',
    'update folders set size = 1 where size is null',
    'create table novelties (workspace_id uuid not null references workspaces (id), size integer check (size > 0))',
  ])('are changed so: %s', statement => {
    expect(migrationProblems(statement)).toEqual([])
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
