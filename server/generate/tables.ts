// Which feature writes and reads which table, found in the SQL of the code.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const server = join(import.meta.dirname, '..')

export interface TableUse {
  readonly table: string
  /** `features/workspace/emails`, `kernel`, `platform`. */
  readonly room: string
  readonly file: string
  readonly isWrite: boolean
}

const roomOf = (path: string): string =>
  (/^features\/[^/]+\/[^/]+/.exec(path) ?? /^[^/]+/.exec(path))?.[0] ?? path

/** Every table that a migration creates and no later one drops; partitions are made at run time. */
export function tableNames(): readonly string[] {
  const texts = globSync('migrations/*.sql', { cwd: server })
    .sort()
    .map(file => readFileSync(join(server, file), 'utf8'))
  const names = (pattern: RegExp) =>
    texts.flatMap(text => [...text.matchAll(pattern)].map(([, name = '']) => name))
  const dropped = new Set(names(/^drop table (?:if exists )?(\w+)/gm))
  const renamed = new Map(
    texts.flatMap(text =>
      [...text.matchAll(/^alter table (\w+) rename to (\w+)/gm)].map(
        ([, from = '', to = '']) => [from, to] as const,
      ),
    ),
  )
  const created = names(/^create (?:unlogged )?table (?:if not exists )?(\w+)/gm)
  return [...new Set(created.map(name => renamed.get(name) ?? name))]
    .filter(name => !dropped.has(name))
    .sort()
}

const writing = /\b(?:insert into|update(?: only)?|delete from|copy|truncate|merge into)\s+([a-z_]+)/g
const reading = /\b(?:from|join|using)\s+(?:only\s+)?([a-z_]+)/g

/** Comments can mention tables. */
const withoutComments = (text: string): string => text.replace(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '')

export function tableUses(): readonly TableUse[] {
  const tables = new Set(tableNames())
  return globSync('**/*.ts', { cwd: join(server, 'src') })
    .filter(file => !file.endsWith('.test.ts'))
    .sort()
    .flatMap(file => {
      const text = withoutComments(readFileSync(join(server, 'src', file), 'utf8'))
      const used = (pattern: RegExp, isWrite: boolean): TableUse[] =>
        [...text.matchAll(pattern)].flatMap(([, table = '']) =>
          tables.has(table) ? [{ table, room: roomOf(file), file, isWrite }] : [],
        )
      return [...used(writing, true), ...used(reading, false)]
    })
}

const unique = (list: readonly string[]): string[] => [...new Set(list)].sort()

/** The text of docs/internals/tables.md. */
export function tablesDocument(): string {
  const uses = tableUses()
  const lines = tableNames().map(table => {
    const own = uses.filter(use => use.table === table)
    const writers = unique(own.filter(use => use.isWrite).map(use => use.room))
    const readers = unique(own.map(use => use.room)).filter(room => !writers.includes(room))
    const code = (rooms: readonly string[]) => rooms.map(room => `\`${room}\``).join(', ') || '–'
    return `| \`${table}\` | ${code(writers)} | ${code(readers)} |`
  })
  return `# Tables: who writes and who reads them

Generated from the SQL in \`server/src\` by \`npm run generate\`; a test checks that it is not stale.
One room owns a table and is the only one that writes it. Other rooms read it by their own SQL
where a join is needed.

| Table | Owner | Also read by |
|---|---|---|
${lines.join('\n')}
`
}
