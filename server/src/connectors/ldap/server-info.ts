// What the server says about itself, before anything else is read.
import { entryBytes, entryText, entryTexts, guidOf } from './entry.ts'
import { LdapError } from './errors.ts'
import type { LdapSession } from './session.ts'
import { type LdapSettings, namesGuids } from './settings.ts'

export interface ServerInfo {
  /** The base of the whole directory, if the server names one. */
  readonly base: string | null
  /** Active Directory only: for reading changes. Null: only full reads are possible. */
  readonly changes: ServerChanges | null
}

export interface ServerChanges {
  /** The numbers of changes belong to this database of this domain controller; it gets another id when it is restored. */
  readonly invocationId: string
  readonly highestUsn: bigint
  readonly base: string
}

async function readChanges(
  session: LdapSession,
  usn: string,
  serviceName: string,
  base: string,
): Promise<ServerChanges | null> {
  if (!/^\d{1,20}$/.test(usn) || serviceName === '' || base === '') return null
  const service = await session.entryIfAllowed(serviceName, ['invocationId'])
  const [id] = service ? entryBytes(service, 'invocationId') : []
  return id?.length === 16 ? { invocationId: guidOf(id), highestUsn: BigInt(usn), base } : null
}

export async function readServerInfo(session: LdapSession, settings: LdapSettings): Promise<ServerInfo> {
  const root = await session.entryIfAllowed('', [
    'defaultNamingContext',
    'namingContexts',
    'highestCommittedUSN',
    'dsServiceName',
  ])
  if (!root) return { base: null, changes: null }
  const contexts = entryTexts(root, 'namingContexts')
  const named = entryText(root, 'defaultNamingContext')
  const base = named || (contexts.length === 1 ? (contexts[0] ?? '') : '')
  const usn = entryText(root, 'highestCommittedUSN')
  return {
    base: base === '' ? null : base,
    changes: namesGuids(settings)
      ? await readChanges(session, usn, entryText(root, 'dsServiceName'), named)
      : null,
  }
}

export interface Bases {
  readonly people: readonly string[]
  readonly groups: readonly string[]
}

export function basesOf({ peopleBases, groupBases }: LdapSettings, { base }: ServerInfo): Bases {
  const people = peopleBases ?? (base === null ? null : [base])
  if (people === null)
    throw new LdapError(
      'access_lost',
      'The server does not name the base of its directory.',
      'Set where people are: signoff integrations add ldap --people-base.',
    )
  return { people, groups: groupBases ?? people }
}
