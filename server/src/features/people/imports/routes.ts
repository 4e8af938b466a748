import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import {
  accepted,
  Csv,
  created,
  csv,
  dataOf,
  list,
  maybeWrappedBody,
  noContent,
  ok,
  plainBody,
  type Route,
  route,
} from '#kernel/api/routes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { previewImport } from './preview.ts'
import { findImport, listImports } from './queries.ts'
import { reportPieces, rowPieces } from './report.ts'
import {
  applyImport,
  createImport,
  deleteImport,
  findWithRows,
  type ImportDeps,
  readUpload,
} from './rules.ts'
import { Import, ImportApply, ImportInput, ImportPlan, ImportPreview, ImportSummary } from './schemas.ts'

/** Media types of a body that is the file itself. */
const tableTypes = ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet']

/** 20 MB in base64, with the JSON around it. */
const bodyLimit = 28 * 1024 * 1024

const uploadRoutes = (deps: ImportDeps): readonly Route[] => [
  route({
    name: 'imports.list',
    method: 'GET',
    path: '/v1/imports',
    access: 'teammates:read',
    leastRole: 'manager',
    summary: 'List imports of people',
    description:
      'The uploaded files of the last 7 days, newest first, with their states and counts. Read one import for its columns, rows and problems. Managers and above can read imports, because a file holds data of other people.',
    query: Type.Object(pageQuery),
    answers: { 200: pageOf(ImportSummary) },
    handle: async ({ db, by, query }) => list(await listImports(db, by.workspaceId, query)),
  }),
  route({
    name: 'imports.create',
    method: 'POST',
    path: '/v1/imports',
    access: 'teammates:write',
    leastRole: 'manager',
    summary: 'Upload a table of people',
    description:
      'Reads a CSV or XLSX file, as the body itself (`text/csv`, or the media type of XLSX) or in base64, and answers with its columns, a guessed mapping to smart fields, the first rows and the problems by line. The upload changes no person: `preview` shows what would change, and `apply` does it. CSV can be UTF-8, UTF-16 or Windows-1252, with commas, semicolons or tabs; of XLSX the first visible sheet is read. The first row has the names of the columns. Limits: 20 MB, 200 columns, 200,000 rows. Everything is deleted after 7 days.',
    body: maybeWrappedBody('import', ImportInput, { file: 'file_base64', rawTypes: tableTypes }),
    accepts: ['application/json', ...tableTypes],
    bodyLimit,
    errors: ['invalid', 'blank', 'too_many'],
    answers: { 201: dataOf(Import) },
    prepare: ({ db, by, body }) => readUpload(db, by, body.file_base64, deps),
    async handle({ db, by, body, prepared }) {
      const stored = await createImport(db, by, prepared, body.file_name)
      return created(stored, `/v1/imports/${stored.id}`)
    },
  }),
  route({
    name: 'imports.get',
    method: 'GET',
    path: '/v1/imports/{id}',
    access: 'teammates:read',
    leastRole: 'manager',
    summary: 'Read an import, with its progress',
    description:
      'One import: what the file contains, how far the job has come, and the first rows that were not imported. While `state` is `running`, read it again for the progress: `processed_count` of `row_count`.',
    answers: { 200: dataOf(Import) },
    handle: async ({ db, by, params }) => ok(orNotFound(await findImport(db, by.workspaceId, params.id))),
  }),
  route({
    name: 'imports.delete',
    method: 'DELETE',
    path: '/v1/imports/{id}',
    access: 'teammates:delete',
    leastRole: 'manager',
    summary: 'Delete an import, with everything that was read',
    description:
      'Deletes the rows, the problems and the report of an import at once. People stay as they are. An import that is running stops after the rows that it is writing; if it is a run of a CSV directory, the run fails, and no person leaves.',
    answers: { 204: null },
    handle: ({ db, by, params }) => deleteImport(db, by, params.id).then(noContent),
  }),
]

const mappingErrors = ['import_state', 'unknown_reference', 'duplicate', 'missing'] as const

const applyRoutes = (deps: ImportDeps): readonly Route[] => [
  route({
    name: 'imports.preview',
    method: 'POST',
    path: '/v1/imports/{id}/preview',
    access: 'teammates:read',
    leastRole: 'manager',
    summary: 'See what an import would change',
    description:
      'Tries all rows with this mapping by the rules of the import, and writes nothing: how many people would be created, changed, left as they are, refused or switched off, and the first 50 changes with the values before and after. Columns whose smart fields a directory writes have no effect and are named in `ignored`. With the mode `directory` while a CSV directory is connected, it tries the run of this directory: `deactivated_count` is the number of people whose grace would begin, and `held_count` that of people who would wait for an approval.',
    body: plainBody(ImportPlan),
    errors: [...mappingErrors, 'invalid'],
    answers: { 200: dataOf(ImportPreview) },
    isSlow: () => true,
    async handle({ db, by, params, body, isAbandoned = () => false }) {
      const stored = await findWithRows(db, by.workspaceId, params.id)
      const { preview, ignored } = await previewImport(db, by, stored, body, { ...deps, isAbandoned })
      return { ...ok(preview), ignored }
    },
  }),
  route({
    name: 'imports.apply',
    method: 'POST',
    path: '/v1/imports/{id}/apply',
    access: 'teammates:write',
    leastRole: 'manager',
    summary: 'Create and update people from an import',
    description:
      'Begins to write the rows; a job does it in the background, each row by itself as `POST /v1/teammates/import` does, and the import shows the progress. With the mode `directory`, people who are not in the file become inactive afterwards, and are never deleted. If these are more than 10 people and more than 10 % of all active people, the answer is 409 `deactivations_not_confirmed`, unless `confirm` allows at least that number. While a CSV directory is connected (`POST /v1/integrations` of kind `csv`), the mode `directory` begins a run of it instead: people who are not in the file are removed after a grace, and too many leavers wait for `POST /v1/sync_runs/{id}/approve`. A mapping that fills other smart fields than the file before needs the scope `integrations:write` too. An import that has failed can be applied again; one that is done cannot.',
    body: plainBody(ImportApply),
    errors: [
      ...mappingErrors,
      'invalid',
      'deactivations_not_confirmed',
      'directory_managed',
      'sync_already_running',
    ],
    answers: { 202: dataOf(Import) },
    isSlow: ({ mode }) => mode === 'directory',
    async handle({ db, by, params, body }) {
      const { stored, ignored } = await applyImport(db, by, params.id, body, deps)
      return { ...accepted(stored), ignored }
    },
  }),
  route({
    name: 'imports.report',
    method: 'GET',
    path: '/v1/imports/{id}/report',
    access: 'teammates:read',
    leastRole: 'manager',
    summary: 'Download the rows that were not imported, as CSV',
    description:
      'A CSV file with line, email, column, code and message of every problem that kept a row from being imported. Cells that a spreadsheet would run as a formula begin with an apostrophe. Without failures it has only the names of its columns. With `as=rows` it has the rows instead: all columns of the file and the reasons, with its delimiter, so that they can be mended and imported again; numbers with a sign stay as they are.',
    query: Type.Object({
      as: Type.Optional(
        Type.Union([Type.Literal('problems'), Type.Literal('rows')], {
          description:
            '`problems` (default): one line per problem. `rows`: the rows of the file, with the reasons.',
        }),
      ),
    }),
    answers: { 200: Csv },
    async handle({ db, by, params, query }) {
      const file = orNotFound(await findImport(db, by.workspaceId, params.id))
      const pieces =
        query.as === 'rows' ? rowPieces(db, by.workspaceId, file) : reportPieces(db, by.workspaceId, file.id)
      const body = Readable.from(pieces, { objectMode: false })
      return csv(body, 'import-report.csv')
    },
  }),
]

export const importRoutes = (deps: ImportDeps): readonly Route[] => [
  ...uploadRoutes(deps),
  ...applyRoutes(deps),
]
