// Files as a directory: every import with the mode `directory` is a full run.
import { Type } from 'typebox'
import {
  type Directory,
  type DirectoryConnection,
  DirectoryError,
  type DirectoryGroup,
  type DirectoryMembership,
  type DirectoryPage,
  type DirectoryPerson,
  type RefusedRecord,
} from '#features/people/directories/index.ts'
import {
  addressColumnOf,
  findImport,
  type StoredImport,
  type TableRow,
  tableBatches,
} from '#features/people/imports/index.ts'
import { directorySettings, type IntegrationKind } from '#features/workspace/integrations/index.ts'
import { type SmartField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { isEmailAddress } from '#kernel/api/validation.ts'
import { ClosedObject } from '#kernel/base/closed.ts'
import { ApiError } from '#kernel/base/errors.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import type { Connector } from '../connector.ts'

const column = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 250, description }))
const { drives_teammates, grace_days } = directorySettings

const settings = ClosedObject({
  id_column: column('The column of a number that stays when a person is renamed. Default: the address.'),
  alias_column: column('The column of further addresses, separated by commas, semicolons or spaces.'),
  group_columns: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 250 }), {
      maxItems: 10,
      uniqueItems: true,
      description: 'Columns whose values become groups, such as Department.',
    }),
  ),
  drives_teammates,
  grace_days,
})

const kind: IntegrationKind = {
  kind: 'csv',
  readsFiles: true,
  title: 'CSV files',
  capabilities: ['directory'],
  defaultCapabilities: ['directory'],
  settings,
  secret: null,
  dashboardUrl: null,
  accept: ({ settings }) => ({ settings }),
  test: async () => [
    {
      name: 'files',
      ok: true,
      message: 'Upload a file with `POST /v1/imports`, and apply it with the mode `directory`.',
      remedy: null,
    },
  ],
}

interface Columns {
  readonly names: readonly string[]
  readonly address: number
  readonly id: number
  readonly alias: number
  readonly groups: readonly { readonly at: number; readonly name: string }[]
}

const cellAt = ({ cells }: TableRow, at: number): string => cells[at]?.trim() ?? ''

/** A line without an address or id is listed among the problems. */
function idOf(row: TableRow, { address, id }: Columns): string {
  const primaryAddress = cellAt(row, address)
  const key = cellAt(row, id) || (isEmailAddress(primaryAddress) ? comparisonKey(primaryAddress) : '')
  return key || `line ${row.line}`
}

function personOf(row: TableRow, columns: Columns): DirectoryPerson {
  const { names, address, alias } = columns
  const attributes = names.flatMap((name, at) =>
    cellAt(row, at) === '' ? [] : [[name, cellAt(row, at)] as const],
  )
  return {
    externalId: idOf(row, columns),
    primaryAddress: cellAt(row, address),
    aliases: cellAt(row, alias)
      .split(/[\s,;]+/)
      .filter(text => text !== ''),
    isActive: true,
    attributes: Object.fromEntries(attributes),
    line: row.line,
  }
}

/** Cells can have moved into other columns, or be joined. */
const longestText = 320
const textsOf = ({ cells }: TableRow): string[] => {
  const texts = cells.map(cell => cell.trim()).filter(text => text !== '' && text.length <= longestText)
  const words = texts.flatMap(text => text.split(/[\s,;"]+/)).filter(isEmailAddress)
  return [...new Set([...texts, ...words])]
}

/** The first line with an id counts. `lineOf`: the lines of the ids so far. */
function refusalOfRow(row: TableRow, columns: Columns, lineOf: Map<string, number>): RefusedRecord[] {
  const { line, problem } = row
  if (problem !== undefined)
    return [{ line, kind: 'unusable', field: null, message: problem, texts: textsOf(row) }]
  const id = idOf(row, columns)
  const earlier = lineOf.get(id)
  if (earlier === undefined) {
    lineOf.set(id, line)
    return []
  }
  const field = columns.names[cellAt(row, columns.id) === '' ? columns.address : columns.id] ?? null
  const message = `“${id.slice(0, 100).toWellFormed()}” is in line ${earlier} too`
  return [{ line, kind: 'conflict', field, message, texts: textsOf(row) }]
}

const groupId = (name: string, value: string): string => `${name}: ${comparisonKey(value)}`

function groupsOf(rows: readonly TableRow[], columns: Columns) {
  const groups = new Map<string, DirectoryGroup>()
  const members = new Map<string, string[]>()
  for (const row of rows)
    for (const { at, name } of columns.groups) {
      const value = cellAt(row, at)
      if (value === '') continue
      const id = groupId(name, value)
      groups.set(id, { externalId: id, name: value, subKind: 'department' })
      members.set(id, [...(members.get(id) ?? []), idOf(row, columns)])
    }
  const memberships = [...members].map(
    ([group, add]): DirectoryMembership => ({ group, add, remove: [], isComplete: false }),
  )
  return { groups: [...groups.values()], memberships }
}

const fileDeleted = () => new DirectoryError('invalid_answer', 'The file was deleted: upload it again.')

async function fileOf({ db, workspaceId, importId }: DirectoryConnection): Promise<StoredImport> {
  const stored = importId === null ? undefined : await findImport(db, workspaceId, importId)
  if (!stored) throw fileDeleted()
  return stored
}

function columnsOf(
  { columns, mapping }: StoredImport,
  fields: readonly SmartField[],
  settings: DirectoryConnection['settings'],
): Columns {
  const names = columns.map(({ name }) => name)
  const place = (name: unknown): number => (typeof name === 'string' ? names.indexOf(name) : -1)
  const required = (setting: string): number => {
    const at = place(settings[setting])
    if (settings[setting] !== undefined && at < 0)
      throw new DirectoryError(
        'access_lost',
        `The file has no column “${settings[setting]}” (setting ${setting}).`,
      )
    return at
  }
  const address = place(addressColumnOf(mapping ?? {}, fields))
  if (address < 0)
    throw new DirectoryError('invalid_answer', 'The mapping of the file names no column of addresses.')
  const groupNames = Array.isArray(settings.group_columns) ? settings.group_columns : []
  return {
    names,
    address,
    id: required('id_column'),
    alias: required('alias_column'),
    groups: groupNames.map(name => ({ at: place(name), name: String(name) })).filter(({ at }) => at >= 0),
  }
}

const directory: Directory = {
  isScheduled: false,
  attributes: [],
  async *read(connection): AsyncGenerator<DirectoryPage> {
    const { db, workspaceId, settings } = connection
    const file = await fileOf(connection)
    const fields = await smartFieldsOf(db, workspaceId)
    const columns = columnsOf({ ...file, mapping: connection.mapping ?? file.mapping }, fields, settings)
    const lineOf = new Map<string, number>()
    try {
      for await (const rows of tableBatches(db, workspaceId, file)) {
        const refused = rows.flatMap(row => refusalOfRow(row, columns, lineOf))
        const refusedLines = new Set(refused.map(({ line }) => line))
        const sound = rows.filter(({ line }) => !refusedLines.has(line))
        const people = sound.map(row => personOf(row, columns))
        yield { people, refused, ...groupsOf(sound, columns), isFull: true }
      }
    } catch (error) {
      throw error instanceof ApiError && error.code === 'not_found' ? fileDeleted() : error
    }
  },
}

export const csvConnector: Connector = { kind: 'csv', integration: () => kind, directory: () => directory }
