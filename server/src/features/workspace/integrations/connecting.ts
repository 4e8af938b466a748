// Creates and changes integrations by the API and the command line, by the rules of their kinds.
import { type TObject, Type } from 'typebox'
import type { Caller } from '#kernel/api/scopes.ts'
import { itemChecker } from '#kernel/api/validation.ts'
import { ClosedObject } from '#kernel/base/closed.ts'
import { apiError, type Detail, detail, invalid, orNotFound, validationError } from '#kernel/base/errors.ts'
import { type Db, isViolation } from '#kernel/db/db.ts'
import type { AcceptedIntegration, Capability, IntegrationKind, IntegrationKinds, TestStep } from './kinds.ts'
import {
  type ConnectedIntegration,
  findConnected,
  findIntegration,
  insertIntegration,
  lockConnected,
  saveSecret,
  updateIntegration,
} from './queries.ts'
import type { IntegrationDeps } from './rules.ts'
import type { IntegrationInput, IntegrationPatch } from './schemas.ts'
import { directorySettingsOf } from './settings.ts'
import { findDirectoryOfKind } from './sync/queries.ts'

/** The command line acts for no member, and no run of a directory. */
const isOperator = (by: Caller): boolean =>
  by.memberId === null && by.apiKeyId === null && by.directoryId === null

/** The kind of a new integration. */
function kindNamed(kinds: IntegrationKinds, by: Caller, name: string): IntegrationKind {
  const isAllowed = ({ isOperatorOnly = false }: IntegrationKind): boolean =>
    !isOperatorOnly || isOperator(by)
  const kind = kinds.get(name)
  if (kind && isAllowed(kind)) return kind
  const allowed = [...kinds.values()].filter(isAllowed).map(({ kind }) => kind)
  const message = kind
    ? `kind: ${kind.title} is connected by the operator, on the command line: signoff integrations add ${name}`
    : `kind must be one of ${allowed.join(', ')}`
  throw invalid('kind', 'not_allowed', { allowed, message })
}

function settingsSchema({ settings, operatorSettings }: IntegrationKind, by: Caller): TObject {
  if (!operatorSettings || !isOperator(by)) return settings
  return ClosedObject({ ...settings.properties, ...operatorSettings.properties })
}

type Check = (value: unknown) => Detail[]
const checks = new Map<string, Check>()

/** Compiled once per kind and caller: an API client and the command line have different settings. */
function checkOf(kind: IntegrationKind, by: Caller): Check {
  const key = `${kind.kind} ${isOperator(by)}`
  const ready = checks.get(key)
  if (ready) return ready
  const schema = Type.Object({
    settings: settingsSchema(kind, by),
    ...(kind.secret && { secret: Type.Optional(kind.secret) }),
  })
  const check = itemChecker(schema, 'integration')
  checks.set(key, check)
  return check
}

/** A setting that exists, but not for this caller. */
const operatorOnly = ({ operatorSettings }: IntegrationKind, problem: Detail): Detail => {
  const [, name = ''] = /^settings\.(\w+)$/.exec(problem.field) ?? []
  if (problem.code !== 'unknown_property' || !Object.hasOwn(operatorSettings?.properties ?? {}, name))
    return problem
  return { ...problem, message: `${problem.field} can be set by the operator only, on the command line` }
}

function refuseUnknownCapabilities(kind: IntegrationKind, sent: readonly Capability[]): void {
  const { capabilities: allowed } = kind
  const index = sent.findIndex(capability => !allowed.includes(capability))
  const field = `capabilities[${index}]`
  if (index >= 0)
    throw invalid(field, 'not_allowed', {
      allowed,
      message: `${field}: an integration of kind ${kind.kind} can only be ${allowed.join(' or ')}`,
    })
}

interface Wanted {
  readonly capabilities: readonly Capability[]
  readonly settings: Readonly<Record<string, unknown>>
  readonly secret: Readonly<Record<string, unknown>> | null
  /** Those of `settings` that the request sends. */
  readonly sent: Readonly<Record<string, unknown>>
}

/** Throws all problems that the schemas of the kind find, and then those that the kind finds itself. */
async function accept(
  db: Db,
  kind: IntegrationKind,
  by: Caller,
  { capabilities, settings, secret, sent }: Wanted,
  stored: Pick<ConnectedIntegration, 'id' | 'settings' | 'secret'> | null,
  { openSecret }: Pick<IntegrationDeps, 'openSecret'>,
): Promise<AcceptedIntegration> {
  refuseUnknownCapabilities(kind, capabilities)
  const problems = checkOf(
    kind,
    by,
  )({ settings, ...(secret && { secret }) }).map(problem => operatorOnly(kind, problem))
  if (secret && !kind.secret) problems.push(detail('secret', 'unknown_property'))
  if (problems.length > 0) throw validationError(problems)
  const { workspaceId } = by
  const request = {
    capabilities,
    settings,
    secret,
    isNew: stored === null,
    hasSecret: stored?.secret != null,
    openSecret: async () => (stored?.secret ? openSecret(stored.secret, stored.id) : null),
    storedSettings: stored?.settings ?? {},
    isOperator: isOperator(by),
    sentNames: new Set(Object.keys(sent)),
    workspaceId,
  }
  return kind.accept(request, db)
}

const drives = (capabilities: readonly Capability[], settings: object): boolean =>
  capabilities.includes('directory') && directorySettingsOf(settings).drivesTeammates

const secondOfKind = ({ title }: IntegrationKind) =>
  invalid('kind', 'taken', {
    message: `kind: this workspace has an integration of the kind ${title} already, and can have one only. Change that one, or disconnect it.`,
  })

/** Before the insert: PostgreSQL would name the second driving directory, and sending false would not help. */
async function refuseSecondOfKind(tx: Db, { workspaceId }: Caller, kind: IntegrationKind): Promise<void> {
  if (kind.isSingle && (await findDirectoryOfKind(tx, workspaceId, kind.kind))) throw secondOfKind(kind)
}

const rethrowSecond =
  (kind: IntegrationKind) =>
  (error: unknown): never => {
    if (isViolation(error, 'integrations_one_scim')) throw secondOfKind(kind)
    if (!isViolation(error, 'integrations_one_driver')) throw error
    const field = 'settings.drives_teammates'
    throw invalid(field, 'taken', {
      message: `${field}: another directory decides who is a teammate already. Send false, and this one only fills values and groups.`,
    })
  }

const defaultCapabilitiesOf = (
  { defaultCapabilities }: IntegrationKind,
  settings: Readonly<Record<string, unknown>>,
): readonly Capability[] =>
  typeof defaultCapabilities === 'function' ? defaultCapabilities(settings) : defaultCapabilities

/** Returns the integration, and what is shown this once. */
export async function createIntegration(
  db: Db,
  by: Caller,
  input: IntegrationInput,
  deps: IntegrationDeps,
): Promise<{ readonly integration: object; readonly reveals: object; readonly id: string }> {
  const { sealSecret, onConnectionChange, kinds } = deps
  const kind = kindNamed(kinds, by, input.kind)
  const { name = kind.title, settings = {}, secret = null } = input
  const capabilities = input.capabilities ?? defaultCapabilitiesOf(kind, settings)
  const accepted = await accept(db, kind, by, { capabilities, settings, secret, sent: settings }, null, deps)
  const sentNames = new Set(Object.keys(settings))
  return db.transaction(async tx => {
    await refuseSecondOfKind(tx, by, kind)
    const id = await insertIntegration(tx, by, {
      kind: kind.kind,
      name: name.trim(),
      dashboardUrl: kind.dashboardUrl,
      drivesTeammates: drives(capabilities, accepted.settings),
      capabilities,
      settings: accepted.settings,
    }).catch(rethrowSecond(kind))
    if (accepted.secret != null)
      await saveSecret(tx, by.workspaceId, id, await sealSecret(accepted.secret, id))
    const reveals = { ...accepted.reveals, ...(await kind.onSave?.(tx, by, { id, capabilities, sentNames })) }
    await onConnectionChange(tx, by.workspaceId)
    const integration = orNotFound(await findIntegration(tx, by.workspaceId, id))
    return { integration, reveals, id }
  })
}

/** Splits the stored settings into those that a client can set, with its changes, and the rest, which stays. */
function mergedSettings(
  kind: IntegrationKind,
  by: Caller,
  stored: ConnectedIntegration['settings'],
  patch: Readonly<Record<string, unknown>>,
) {
  const own = new Set(Object.keys(settingsSchema(kind, by).properties))
  const entries = Object.entries(stored)
  const merged = { ...Object.fromEntries(entries.filter(([key]) => own.has(key))), ...patch }
  return {
    own: Object.fromEntries(
      // An unknown setting is refused, also when it is null.
      Object.entries(merged).filter(
        ([key, value]) => value !== null || !own.has(key) || isNullable(kind, key),
      ),
    ),
    rest: Object.fromEntries(entries.filter(([key]) => !own.has(key))),
  }
}

/** Null is a value of some settings; of the others it means the default. */
const isNullable = ({ settings }: IntegrationKind, key: string): boolean =>
  [(settings.properties[key] as { type?: unknown } | undefined)?.type].flat().includes('null')

export async function changeIntegration(
  db: Db,
  by: Caller,
  id: string,
  patch: IntegrationPatch,
  deps: IntegrationDeps,
): Promise<object> {
  const { sealSecret, onConnectionChange, kinds } = deps
  return db.transaction(async tx => {
    const stored = orNotFound(await lockConnected(tx, by.workspaceId, id))
    const integrationNow = async () => orNotFound(await findIntegration(tx, by.workspaceId, id))
    if (Object.keys(patch).length === 0) return integrationNow()
    const kind = kinds.get(stored.kind)
    if (!kind) throw apiError('not_found')
    const { name = stored.name, capabilities = stored.capabilities, secret = null } = patch
    const sent = patch.settings ?? {}
    const { own, rest } = mergedSettings(kind, by, stored.settings, sent)
    const accepted = await accept(tx, kind, by, { capabilities, settings: own, secret, sent }, stored, deps)
    const settings = { ...rest, ...accepted.settings }
    const drivesTeammates = drives(capabilities, settings)
    const startsRun = !kind.readsFiles
    const update = { name: name.trim(), capabilities, drivesTeammates, settings, startsRun }
    await updateIntegration(tx, by, id, update).catch(rethrowSecond(kind))
    if (accepted.secret != null)
      await saveSecret(tx, by.workspaceId, id, await sealSecret(accepted.secret, id))
    await kind.onSave?.(tx, by, { id, capabilities, sentNames: new Set(Object.keys(sent)) })
    await onConnectionChange(tx, by.workspaceId)
    return integrationNow()
  })
}

export async function testIntegration(
  db: Db,
  by: Caller,
  id: string,
  { openSecret, kinds }: Pick<IntegrationDeps, 'openSecret' | 'kinds'>,
): Promise<readonly TestStep[]> {
  const { secret: sealed, ...connected } = orNotFound(await findConnected(db, by.workspaceId, id))
  const kind = kinds.get(connected.kind)
  if (!kind) throw apiError('not_found')
  let secret: string | null
  try {
    secret = sealed && (await openSecret(sealed, id))
  } catch (error) {
    const { message } = error as Error
    return [{ name: 'secret', ok: false, message, remedy: 'Send the secret again.' }]
  }
  return kind.test({ ...connected, workspaceId: by.workspaceId, secret }, db)
}
