import { setTimeout as sleep } from 'node:timers/promises'
import { approveHeldRun, findRun, type RunView, requestSync } from '#features/people/directories/index.ts'
import {
  connectedIntegrations,
  createIntegration,
  disconnectIntegration,
  testIntegration,
} from '#features/workspace/integrations/index.ts'
import { changeField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { withoutTrailingSlash } from '#kernel/api/setting-readers.ts'
import { uuid } from '#kernel/api/validation.ts'
import { minute } from '#kernel/base/durations.ts'
import { ApiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { buildParts, type Parts } from '#parts.ts'
import { addressProblem } from '#platform/public-fetch.ts'
import {
  CommandError,
  chooseWorkspace,
  print,
  table,
  type WorkspaceOption,
  withDatabase,
} from '../context.ts'

interface IntegrationCommand {
  readonly db: Db
  readonly by: Caller
  readonly parts: Parts
}

/** The rules of the API are those of the command line too. */
export const withIntegrations = (
  workspace: string | undefined,
  work: (command: IntegrationCommand) => Promise<void>,
): Promise<void> =>
  withDatabase('integrations', async ({ db }, config) => {
    const by = await chooseWorkspace(db, workspace)
    try {
      await work({ db, by, parts: buildParts(config) })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const messages = [error.message, ...(error.details ?? []).slice(1).map(detail => detail.message)]
      throw new CommandError(
        [...messages, ...(error.remediation ? [error.remediation.message] : [])].join('\n'),
      )
    }
  })

/** The settings whose options were given. */
export const onlyGiven = (settings: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))

const isEmpty = (value: unknown): boolean => [value].flat().every(item => item === '')

/** An empty value brings back the usual one: null. */
export const changesOf = (settings: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, isEmpty(value) ? null : value]))

/** The settings that all directories have. */
export const directoryOptions = ({ drive, graceDays }: Omit<DirectoryOptions, 'name'>) => ({
  drives_teammates: drive,
  ...(graceDays !== undefined && { grace_days: graceDays }),
})

/** A setting that only the operator has: another address of a provider. */
export function baseAddress(
  option: string,
  setting: string,
  value: string | undefined,
): Record<string, string> {
  if (value === undefined) return {}
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new CommandError(`${option} must be an address that begins with https:// or http://; not ${value}.`)
  return { [setting]: withoutTrailingSlash(value) }
}

interface WebhookOptions extends WorkspaceOption {
  readonly url: string
  readonly name: string
}

export const addWebhook = (options: WebhookOptions): Promise<void> =>
  withDatabase('integrations', async ({ db }, config) => {
    const { url, name } = options
    const problem = addressProblem(url, config)
    if (problem !== undefined) throw new CommandError(`--url: the address ${problem}.`)
    const by = await chooseWorkspace(db, options.workspace)
    const input = { kind: 'webhook', name, settings: { url } }
    const { id, reveals } = await createIntegration(db, by, input, buildParts(config).integrations)
    const { signing_secret: secret } = reveals as { readonly signing_secret: string }
    print(
      `Connected as ${id}. Signatures are posted to ${url}, signed as Standard Webhooks with\n\n  ${secret}\n`,
    )
    print('It is shown this once.')
  })

export const list = (options: WorkspaceOption): Promise<void> =>
  withDatabase('integrations', async ({ db }) => {
    const by = await chooseWorkspace(db, options.workspace)
    const systems = await connectedIntegrations(db, by.workspaceId)
    const rows = systems.map(({ id, kind, settings, has_error }) => [
      id,
      kind,
      has_error ? 'error' : 'active',
      String(settings.url ?? settings.client_email ?? settings.tenant ?? settings.next_hop ?? ''),
    ])
    print(table([['id', 'kind', 'status', 'address'], ...rows]))
  })

interface DirectoryOptions extends WorkspaceOption {
  readonly name: string
  readonly drive: boolean
  readonly graceDays?: number
}

interface CsvOptions extends DirectoryOptions {
  readonly idColumn?: string
  readonly aliasColumn?: string
  readonly groupColumn?: readonly string[]
}

export const addCsv = (options: CsvOptions): Promise<void> =>
  withIntegrations(options.workspace, async ({ db, by, parts }) => {
    const { idColumn, aliasColumn, groupColumn } = options
    const columns = { id_column: idColumn, alias_column: aliasColumn, group_columns: groupColumn }
    const settings = { ...onlyGiven(columns), ...directoryOptions(options) }
    const input = { kind: 'csv', name: options.name, settings }
    const { id } = await createIntegration(db, by, input, parts.integrations)
    print(`Connected as ${id}. Imports with the mode directory are its runs from now on.`)
  })

export const addScim = (options: DirectoryOptions): Promise<void> =>
  withIntegrations(options.workspace, async ({ db, by, parts }) => {
    const input = { kind: 'scim', name: options.name, settings: directoryOptions(options) }
    const { id, reveals } = await createIntegration(db, by, input, parts.integrations)
    const { base_url } = reveals as { readonly base_url: string }
    print(`Connected as ${id}. The identity provider sends users and groups to\n\n  ${base_url}\n`)
    const create = `signoff keys create SCIM --scopes scim:write --expires never --workspace ${by.workspaceId}`
    print(`Make its bearer token with \`${create}\`.`)
  })

export const test = (id: string, options: WorkspaceOption): Promise<void> =>
  withIntegrations(options.workspace, async ({ db, by, parts }) => {
    const steps = await testIntegration(db, by, asId(id), parts.integrations)
    for (const { name, ok, message, remedy } of steps) {
      print(`${ok ? 'ok    ' : 'FAILED'}  ${name}: ${message}`)
      if (remedy !== null) print(`        ${remedy}`)
    }
    if (steps.some(({ ok }) => !ok)) throw new CommandError('Not everything works.')
  })

/** A text that is no id is an id that does not exist. */
export function asId(text: string): string {
  if (uuid.test(text)) return text.toLowerCase()
  throw new CommandError(`${text} is not an id: \`signoff integrations list\` shows them.`)
}

/** `job_title=organizations.title` */
export const map = (id: string, mappings: readonly string[], options: WorkspaceOption): Promise<void> =>
  withIntegrations(options.workspace, async ({ db, by, parts }) => {
    for (const text of mappings) {
      const [, key = '', attribute = ''] = /^([^=]+)=(.*)$/.exec(text) ?? []
      const field = (await smartFieldsOf(db, by.workspaceId)).find(row => row.key === key)
      if (!field) throw new CommandError(`There is no smart field ${key || text}; write key=attribute.`)
      const patch =
        attribute === ''
          ? { integration_id: null, integration_attribute: null }
          : { integration_id: asId(id), integration_attribute: attribute }
      await changeField(db, by, field.id, patch, parts.smartFields)
      print(
        attribute === '' ? `${field.label} is written by hand.` : `${field.label} comes from ${attribute}.`,
      )
    }
  })

interface SyncOptions extends WorkspaceOption {
  readonly dryRun?: boolean
  readonly full?: boolean
}

/** The longest time that the command waits for the worker of the service. */
const longestWait = 10 * minute

export const sync = (id: string | undefined, options: SyncOptions): Promise<void> =>
  withIntegrations(options.workspace, async ({ db, by, parts }) => {
    const request = {
      ...(id !== undefined && { integration_id: asId(id) }),
      dry_run: options.dryRun ?? false,
    }
    let run = await requestSync(db, by, request, parts.directorySync, options.full)
    print(`The run ${run.id} has begun; the worker of the service reads the directory.`)
    for (const until = Date.now() + longestWait; run.status === 'running' && Date.now() < until; ) {
      await sleep(500)
      run = (await findRun(db, by.workspaceId, run.id)) ?? run
    }
    printRun(run)
  })

function printRun(run: RunView): void {
  const counts = Object.entries(run).filter(
    ([name, value]) =>
      /^(people|entities|members)_|problem_count/.test(name) && typeof value === 'number' && value > 0,
  )
  print(
    table([
      ['status', run.status],
      ...counts.map(([name, value]) => [name.replace('_', ' '), String(value)]),
    ]),
  )
  for (const text of [run.held_reason, run.error_message]) if (text !== null) print(text)
  if (run.status === 'held') print(`Approve it with \`signoff integrations approve ${run.id}\`.`)
  if (run.status === 'failed') throw new CommandError('The run failed.')
}

export const approve = (runId: string, options: WorkspaceOption): Promise<void> =>
  withIntegrations(options.workspace, async ({ db, by }) => {
    const { people_held, members_held } = await approveHeldRun(db, by, asId(runId))
    print(`Approved: ${people_held} people leave, and ${members_held} memberships end.`)
  })

export const remove = (id: string, options: WorkspaceOption): Promise<void> =>
  withDatabase('integrations', async ({ db }, config) => {
    const by = await chooseWorkspace(db, options.workspace)
    await disconnectIntegration(db, by, id, buildParts(config).integrations).catch(error => {
      const isMissing = error instanceof ApiError && error.code === 'not_found'
      throw isMissing ? new CommandError(`There is no integration ${id}.`) : error
    })
    print('Disconnected.')
  })
