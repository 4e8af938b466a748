// `integrations add ldap` and `integrations change ldap`: a server of the own network that people are read from.
import { readConfig } from '#config.ts'
import { changeIntegration, createIntegration } from '#features/workspace/integrations/index.ts'
import { CommandError, fileOfOption, print, type WorkspaceOption } from '../context.ts'
import { asId, changesOf, directoryOptions, onlyGiven, withIntegrations } from './integrations.ts'

interface LdapOptions extends WorkspaceOption {
  readonly name?: string
  readonly url?: string
  readonly startTls?: boolean
  readonly caFile?: string
  readonly preset?: string
  readonly bindDn?: string
  readonly passwordFile?: string
  readonly peopleBase?: readonly string[]
  readonly groupBase?: readonly string[]
  readonly peopleFilter?: string
  readonly groupFilter?: string
  readonly idAttribute?: string
  readonly addressAttribute?: string
  readonly aliasAttribute?: readonly string[]
  readonly photoAttribute?: string
  readonly disabledAttribute?: string
  readonly disabledValue?: readonly string[]
  readonly groupNameAttribute?: string
  readonly memberAttribute?: readonly string[]
  readonly attribute?: readonly string[]
  readonly pageSize?: number
  readonly drive: boolean
  readonly graceDays?: number
}

/** Only what was given: the rest stays, or is that of the preset. */
async function settingsIn(options: LdapOptions): Promise<Record<string, unknown>> {
  const { caFile } = options
  return onlyGiven({
    url: options.url,
    start_tls: options.startTls,
    ca_certificate: caFile === undefined ? undefined : await fileOfOption('--ca-file', caFile),
    preset: options.preset,
    bind_dn: options.bindDn,
    people_bases: options.peopleBase,
    group_bases: options.groupBase,
    people_filter: options.peopleFilter,
    group_filter: options.groupFilter,
    id_attribute: options.idAttribute,
    address_attribute: options.addressAttribute,
    alias_attributes: options.aliasAttribute,
    photo_attribute: options.photoAttribute,
    disabled_attribute: options.disabledAttribute,
    disabled_values: options.disabledValue,
    group_name_attribute: options.groupNameAttribute,
    member_attributes: options.memberAttribute,
    attributes: options.attribute,
    page_size: options.pageSize,
  })
}

/** Neither on the command line nor in the list of processes. A line break at the end of the file does not count. */
async function passwordIn({ passwordFile }: LdapOptions): Promise<string | null> {
  if (passwordFile === undefined) return readConfig().ldapPassword
  const password = (await fileOfOption('--password-file', passwordFile)).replace(/\r?\n$/, '')
  if (password === '') throw new CommandError(`--password-file: the file ${passwordFile} is empty.`)
  return password
}

const secretOf = (password: string | null) => (password === null ? {} : { secret: { password } })

export async function addLdap(options: LdapOptions): Promise<void> {
  const settings = { ...(await settingsIn(options)), ...directoryOptions(options) }
  const password = await passwordIn(options)
  if (options.bindDn !== undefined && password === null)
    throw new CommandError('--bind-dn needs a password: by --password-file, or in SIGNOFF_LDAP_PASSWORD.')
  await withIntegrations(options.workspace, async ({ db, by, parts }) => {
    const input = { kind: 'ldap', name: options.name ?? 'LDAP', settings, ...secretOf(password) }
    const { id } = await createIntegration(db, by, input, parts.integrations)
    print(`Connected as ${id}. The password is stored sealed.`)
    print(`Try its permissions with \`signoff integrations test ${id}\`, then read it with \`sync\`.`)
  })
}

/** An empty value brings back that of the preset. */
export async function changeLdap(id: string, options: LdapOptions): Promise<void> {
  const { name } = options
  const settings = changesOf(await settingsIn(options))
  const password = await passwordIn(options)
  await withIntegrations(options.workspace, async ({ db, by, parts }) => {
    const patch = { settings, ...(name !== undefined && { name }), ...secretOf(password) }
    await changeIntegration(db, by, asId(id), patch, parts.integrations)
    print(`Changed. Try it with \`signoff integrations test ${id}\`.`)
  })
}
