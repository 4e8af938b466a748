import { searchSeatsNow } from '#features/people/directories/index.ts'
import {
  changeClickParameter,
  changeEventRetention,
  changeSeatLimit,
  changeSwitch,
  changeWorkspace,
  createWorkspace,
  listWorkspaces,
  type WorkspacePatch,
} from '#features/workspace/workspaces/index.ts'
import {
  CommandError,
  chooseWorkspace,
  print,
  table,
  type WorkspaceOption,
  withDatabase,
} from '../context.ts'

interface OwnerOptions {
  readonly ownerEmail: string
  readonly ownerName: string
}

export const create = (name: string, { ownerEmail, ownerName }: OwnerOptions): Promise<void> =>
  withDatabase(
    'workspaces',
    async ({ db }, config) => {
      const { id, key } = await createWorkspace(db, { name, ownerName, ownerEmail })
      print(`Workspace ${id}\nAPI key   ${key}\n\nThe key is shown this once.\n`)
      const { inviteOwner } = await import('../installation/owner-link.ts')
      print(await inviteOwner(db, id, config))
    },
    { isFirst: true },
  )

const switches = {
  'personal-page': { name: 'personal_page', subject: 'The personal page' },
  tracking: { name: 'tracking', subject: 'Tracking' },
  'click-id': { name: 'click_id', subject: 'The click id' },
} as const

/** The reconcile job runs after each change of a switch; a signature that stays the same is not installed again. */
export const turnSwitch = (
  command: keyof typeof switches,
  value: string,
  { workspace }: WorkspaceOption,
): Promise<void> =>
  withDatabase('workspaces', async ({ db }, config) => {
    if (value !== 'on' && value !== 'off') throw new CommandError(`Say on or off; not ${value}.`)
    const by = await chooseWorkspace(db, workspace)
    const { name, subject } = switches[command]
    // Loaded late: it imports most of the code, and the other commands of this file do not need it.
    const { buildParts } = await import('#parts.ts')
    await changeSwitch(db, by, name, value === 'on', buildParts(config).workspaces)
    print(`${subject} is ${value}.`)
  })

export const renameClickParameter = (parameter: string, { workspace }: WorkspaceOption): Promise<void> =>
  withDatabase('workspaces', async ({ db }) => {
    const by = await chooseWorkspace(db, workspace)
    await changeClickParameter(db, by, parameter)
    print(`Links add ${parameter} to the address that they lead to.`)
  })

export const setRetention = (value: string, { workspace }: WorkspaceOption): Promise<void> =>
  withDatabase('workspaces', async ({ db }) => {
    if (value !== 'forever' && !/^[1-9]\d{0,4}$/.test(value))
      throw new CommandError(`Say a number of days from 1 to 99999, or forever; not ${value}.`)
    const by = await chooseWorkspace(db, workspace)
    await changeEventRetention(db, by, value === 'forever' ? null : Number(value))
    print(value === 'forever' ? 'Events are kept for ever.' : `Events are kept for ${value} days.`)
  })

export const setSeatLimit = (value: string, { workspace }: WorkspaceOption): Promise<void> =>
  withDatabase('workspaces', async ({ db }) => {
    if (value !== 'none' && !/^\d{1,7}$/.test(value))
      throw new CommandError(`Say a number of seats from 0 to 9999999, or none; not ${value}.`)
    const by = await chooseWorkspace(db, workspace)
    const limit = value === 'none' ? null : Number(value)
    await changeSeatLimit(db, by, limit)
    await searchSeatsNow(db, by.workspaceId)
    print(limit === null ? 'Any number of people can be active.' : `At most ${limit} people can be active.`)
  })

interface SettingOptions extends WorkspaceOption {
  readonly name?: string
  readonly domains?: string
  readonly timeZone?: string
  readonly locale?: string
  readonly mailSenderName?: string
}

/** An empty text clears what can be empty: the domains and the sender name. */
const settingsOf = ({ name, domains, timeZone, locale, mailSenderName }: SettingOptions): WorkspacePatch => ({
  ...(name !== undefined && { name }),
  ...(domains !== undefined && { domains: domains.split(',').flatMap(domain => domain.trim() || []) }),
  ...(timeZone !== undefined && { time_zone: timeZone }),
  ...(locale !== undefined && { locale }),
  ...(mailSenderName !== undefined && { mail_sender_name: mailSenderName === '' ? null : mailSenderName }),
})

export const set = ({ workspace, ...options }: SettingOptions): Promise<void> =>
  withDatabase('workspaces', async ({ db }, config) => {
    const patch = settingsOf(options)
    if (Object.keys(patch).length === 0)
      throw new CommandError('Say what to set: --name, --domains, --time-zone, --locale, --mail-sender-name.')
    const by = await chooseWorkspace(db, workspace)
    const { buildParts } = await import('#parts.ts')
    await changeWorkspace(db, by, patch, buildParts(config).workspaces)
    print(`Set: ${Object.keys(patch).join(', ')}.`)
  })

export const list = (): Promise<void> =>
  withDatabase('workspaces', async ({ db }) => {
    const rows = (await listWorkspaces(db)).map(({ id, name }) => [id, name])
    print(table([['ID', 'NAME'], ...rows]))
  })
