// Changes of a workspace's settings: by the API, and by the commands of the operator.

import type { Caller } from '#kernel/api/scopes.ts'
import { itemChecker } from '#kernel/api/validation.ts'
import { orNotFound, validationError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { findWorkspace, lockSettings, updateSettings, type WorkspaceSettings } from './queries.ts'
import { WorkspacePatch } from './schemas.ts'
import { canonicalDomain, canonicalLocale, canonicalTimeZone, settingProblems } from './setting-values.ts'

export interface WorkspaceDeps {
  /** Runs last in the transaction that changes a switch: signatures can look different, or lose a channel. */
  readonly onSwitchChange: (tx: Db, workspaceId: string) => Promise<unknown>
}

const schemaProblems = itemChecker(WorkspacePatch, 'workspace')

/** The HTTP layer has checked the body already; values of the command line are checked here. */
function refuseProblems(patch: WorkspacePatch): void {
  const schemaDetails = schemaProblems(patch)
  const fields = new Set(schemaDetails.map(({ field }) => field))
  const problems = [...schemaDetails, ...settingProblems(patch).filter(({ field }) => !fields.has(field))]
  if (problems.length > 0) throw validationError(problems)
}

/** The settings after the change. Texts with several spellings are stored in the one that the standard prefers. */
function patched(settings: WorkspaceSettings, patch: WorkspacePatch): WorkspaceSettings {
  const { domains, time_zone, locale, event_tracking, personal_page_enabled } = patch
  const withDefault = <
    K extends 'name' | 'mail_sender_name' | 'event_retention_days' | 'personal_page_link_days',
  >(
    key: K,
  ) => (patch[key] === undefined ? settings[key] : patch[key]) as WorkspaceSettings[K]
  return {
    ...settings,
    name: withDefault('name'),
    mail_sender_name: withDefault('mail_sender_name'),
    event_retention_days: withDefault('event_retention_days'),
    personal_page_link_days: withDefault('personal_page_link_days'),
    domains: domains?.map(domain => canonicalDomain(domain) ?? domain) ?? settings.domains,
    time_zone: time_zone === undefined ? settings.time_zone : (canonicalTimeZone(time_zone) ?? time_zone),
    locale: locale === undefined ? settings.locale : (canonicalLocale(locale) ?? locale),
    personal_page: personal_page_enabled ?? settings.personal_page,
    publish_approval: patch.publish_approval ?? settings.publish_approval,
    member_access: patch.member_access ?? settings.member_access,
    relay_addresses: patch.relay_addresses_enabled ?? settings.relay_addresses,
    tracking_enabled: event_tracking?.enabled ?? settings.tracking_enabled,
    click_parameter: patch.click_parameter ?? event_tracking?.click_parameter ?? settings.click_parameter,
  }
}

const isEqual = (first: WorkspaceSettings, other: WorkspaceSettings): boolean =>
  JSON.stringify(first) === JSON.stringify(other)

/** Writes the changed settings, then runs the hook if a switch has changed. Without a difference it writes nothing. */
async function save(
  tx: Db,
  by: Caller,
  action: string,
  change: (settings: WorkspaceSettings) => WorkspaceSettings,
  { onSwitchChange }: WorkspaceDeps,
): Promise<void> {
  const before = orNotFound(await lockSettings(tx, by.workspaceId))
  const after = change(before)
  if (isEqual(before, after)) return
  await updateSettings(tx, by, action, after)
  const hasSwitched =
    after.personal_page !== before.personal_page ||
    after.tracking_enabled !== before.tracking_enabled ||
    after.append_click_id !== before.append_click_id
  if (hasSwitched) await onSwitchChange(tx, by.workspaceId)
}

/** Changes the settings that are sent, and returns the workspace. */
export async function changeWorkspace(
  db: Db,
  by: Caller,
  patch: WorkspacePatch,
  deps: WorkspaceDeps,
): Promise<object> {
  refuseProblems(patch)
  return db.transaction(async tx => {
    await save(tx, by, 'workspace.updated', settings => patched(settings, patch), deps)
    return orNotFound(await findWorkspace(tx, by.workspaceId))
  })
}

/** The switches of a workspace, and their columns. */
const switches = {
  personal_page: 'personal_page',
  tracking: 'tracking_enabled',
  click_id: 'append_click_id',
} as const
type WorkspaceSwitch = keyof typeof switches

export async function changeSwitch(
  db: Db,
  by: Caller,
  name: WorkspaceSwitch,
  isOn: boolean,
  deps: WorkspaceDeps,
): Promise<void> {
  const action = `workspace.${name}_${isOn ? 'on' : 'off'}`
  const change = (settings: WorkspaceSettings) => ({ ...settings, [switches[name]]: isOn })
  await db.transaction(tx => save(tx, by, action, change, deps))
}

const noSwitch: WorkspaceDeps = { onSwitchChange: async () => undefined }

export async function changeEventRetention(db: Db, by: Caller, days: number | null): Promise<void> {
  const patch = { event_retention_days: days }
  refuseProblems(patch)
  const action = 'workspace.event_retention_changed'
  await db.transaction(tx => save(tx, by, action, settings => patched(settings, patch), noSwitch))
}

/** The default, and the name that links of other systems use: web pages understand both. */
export const knownClickParameters = ['signoff_click_id', 'scribe_click_id']

export async function changeClickParameter(db: Db, by: Caller, name: string): Promise<void> {
  const patch = { click_parameter: name }
  refuseProblems(patch)
  const action = 'workspace.click_parameter_changed'
  await db.transaction(tx => save(tx, by, action, settings => patched(settings, patch), noSwitch))
}
