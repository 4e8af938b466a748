import { type Static, Type } from 'typebox'
import type { Base64File, RawFile } from '#kernel/api/file-in-body.ts'
import { Nullable, NullableTimestamp, OneOf, Text, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'
import { textEncodings } from './reading/decode.ts'

export const importStates = ['ready', 'running', 'done', 'failed'] as const
const importModes = ['upsert', 'directory'] as const
export type Mode = (typeof importModes)[number]

const count = (description: string) => Type.Integer({ description })

const line = Type.Integer({ description: 'The line of the file, or the row of the sheet, from 1.' })

const mapping = (description: string) =>
  Type.Record(Type.String({ maxLength: 250 }), Nullable<string>(Type.String({ maxLength: 100 })), {
    description,
    maxProperties: 200,
  })

const summary = {
  id: Uuid(),
  file_name: Nullable<string>(Type.String()),
  format: OneOf(['csv', 'xlsx']),
  encoding: Nullable<string>(OneOf(textEncodings, { description: 'As recognized; null for XLSX.' })),
  delimiter: Nullable<string>(OneOf([',', ';', '\t'], { description: 'As recognized; null for XLSX.' })),
  state: OneOf(importStates, {
    description:
      '`ready`: read, and nothing is written yet. `running`: the job is at work. `failed`: it has stopped, see `error`; rows that are counted stay written.',
  }),
  mode: Nullable<Mode>(OneOf(importModes, { description: 'As applied; null before.' })),
  row_count: count('Rows below the names of the columns.'),
  problem_count: count('Problems that reading the file has found, in all lines.'),
  processed_count: count('Rows that the job has processed.'),
  created_count: count('People who were created.'),
  updated_count: count('People whose values were changed.'),
  unchanged_count: count('Rows that were the same as here already.'),
  failed_count: count('Rows that were not imported: the report lists them.'),
  deactivated_count: count('People who are not in the file, and became inactive.'),
  reactivated_count: count('People who were inactive, are in the file, and became active.'),
  error: Nullable<string>(Type.String({ description: 'Why the import failed.' })),
  started_at: NullableTimestamp(),
  finished_at: NullableTimestamp(),
  expires_at: Timestamp({ description: 'The import and everything that was read are deleted at this time.' }),
  created_at: Timestamp(),
  updated_at: Timestamp(),
}

export const ImportSummary = NamedObject('ImportSummary', summary)

export const ImportFailure = NamedObject('ImportFailure', {
  line,
  email: Nullable<string>(Type.String({ description: 'As in the file.' })),
  column: Nullable<string>(Type.String({ description: 'Null for a problem of the whole line.' })),
  value: Type.Optional(
    Nullable<string>(
      Type.String({
        description: 'What the cell holds, at most 200 characters. Null for a problem of the whole line.',
      }),
    ),
  ),
  code: Type.String(),
  message: Type.String(),
})

export const Import = NamedObject('Import', {
  ...summary,
  columns: Type.Array(
    ClosedObject({
      name: Type.String({
        description: 'Unique: the second `Phone` is `Phone (2)`, a column without a name `Column 3`.',
      }),
      examples: Type.Array(Type.String()),
    }),
  ),
  guessed_mapping: mapping(
    'For each column the key of the smart field that fits its name, `email` for the address, or null.',
  ),
  mapping: Nullable<Record<string, string | null>>(mapping('As applied; null before.')),
  first_rows: Type.Array(ClosedObject({ line, cells: Type.Array(Type.String()) }), {
    description: 'At most 20; of each cell the first 200 characters, with … where it is longer.',
  }),
  problems: Type.Array(
    ClosedObject({
      line,
      column: Nullable<string>(Type.String({ description: 'Null for a problem of the whole line.' })),
      code: OneOf(['missing', 'invalid', 'duplicate', 'wrong_cell_count', 'too_long']),
      message: Type.String(),
    }),
    { description: 'The first 100 problems, found with the guessed mapping.' },
  ),
  failures: Type.Array(ImportFailure, {
    description: 'The first 50 problems of rows that were not imported. The report has all of them.',
  }),
})

/** The handler gets the file in base64, or the bytes of a body that is the file itself. */
export type UploadedTable = Base64File | RawFile

export const ImportInput = NamedObject(
  'ImportInput',
  {
    file_base64: Type.Unsafe<UploadedTable>({
      type: 'string',
      contentEncoding: 'base64',
      description: 'A CSV or XLSX file of at most 20 MB.',
    }),
    file_name: Type.Optional(Nullable<string>(Text(255, { description: 'Only to be shown in lists.' }))),
  },
  {
    examples: [
      {
        file_base64: Buffer.from('E-Mail;Vorname\nada@example.com;Ada\n').toString('base64'),
        file_name: 'people.csv',
      },
    ],
  },
)

const plan = {
  mapping: Type.Record(
    Type.String({ minLength: 1, maxLength: 250 }),
    Nullable<string>(Type.String({ minLength: 1, maxLength: 100 })),
    {
      maxProperties: 200,
      description:
        'For each column, by its name: the key or id of a smart field, `email` for the address, or null to leave it out. Columns that are not named are left out. `guessed_mapping` is a start.',
      examples: [{ 'E-Mail': 'email', Vorname: 'first_name' }],
    },
  ),
  mode: Type.Optional(
    OneOf(importModes, {
      description:
        '`upsert` (default): creates and updates people; an empty cell changes nothing. `directory`: the file is the directory, so an empty cell clears its value, people who are not in the file become inactive, and inactive people who are in it become active.',
    }),
  ),
}

export const ImportPlan = NamedObject('ImportPlan', plan)
export type ImportPlan = Static<typeof ImportPlan>

export const ImportApply = NamedObject('ImportApply', {
  ...plan,
  confirm: Type.Optional(
    Nullable<number>(
      Type.Integer({
        minimum: 0,
        maximum: 10_000_000,
        description:
          'With mode `directory`: how many people may become inactive at most. Needed where these are more than 10 people and more than 10 % of all active people.',
      }),
    ),
  ),
})
export type ImportApply = Static<typeof ImportApply>

export const ImportPreview = NamedObject('ImportPreview', {
  created_count: count('People who would be created.'),
  updated_count: count('People whose values would change.'),
  unchanged_count: count('Rows that are the same as here already.'),
  failed_count: count('Rows that would not be imported.'),
  deactivated_count: count('People who are not in the file, and would become inactive.'),
  reactivated_count: count('Inactive people who are in the file, and would become active.'),
  confirmation_required: Type.Boolean({
    description: '`apply` would be refused, unless `confirm` is at least `deactivated_count`.',
  }),
  held_count: count(
    'Of a CSV directory: people who are not in the file, and would stay until the run is approved.',
  ),
  held_reason: Nullable<string>(
    Type.String({ description: 'Of a CSV directory: why people would wait for an approval.' }),
  ),
  changes: Type.Array(
    ClosedObject({
      line,
      email: Type.String(),
      teammate_id: Nullable<string>(Uuid({ description: 'Null for a person who would be created.' })),
      action: OneOf(['create', 'update', 'reactivate']),
      fields: Type.Array(
        ClosedObject({
          smart_field_id: Uuid(),
          label: Type.String(),
          before: Nullable<string>(Type.String({ description: 'Of an image field: the id of its asset.' })),
          after: Nullable<string>(Type.String()),
        }),
      ),
    }),
    { description: 'The first 50 people who would be created or changed.' },
  ),
  failures: Type.Array(ImportFailure, { description: 'The first 50 problems.' }),
  deactivations: Type.Array(ClosedObject({ teammate_id: Uuid(), email: Type.String() }), {
    description: 'The first 50 people who would become inactive, or wait for an approval.',
  }),
})
export type ImportPreview = Static<typeof ImportPreview>
