// What a change of a connection means: another provider, settings that were not tested yet, another trust of the owner.
import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '#kernel/api/scopes.ts'
import { summaryOf } from '../saml/certificates.ts'
import type { ConnectionSettings, StoredConnection } from './queries.ts'

export interface ConnectionChange {
  readonly before: StoredConnection
  readonly after: ConnectionSettings
  readonly hasNewSecret: boolean
}

const differs = <Key extends keyof ConnectionSettings>(
  { before, after }: ConnectionChange,
  keys: readonly Key[],
): boolean => keys.some(key => !isDeepStrictEqual(before[key], after[key]))

/** The subjects of one provider or client mean nothing at another. A provider that changes its key keeps the old one. */
export const isOtherProvider = (change: ConnectionChange): boolean => {
  const { before, after } = change
  const keepsCertificate = before.certificates.some(pem => after.certificates.includes(pem))
  return (
    differs(change, ['issuer', 'client_id', 'sso_url']) ||
    (before.certificates.length > 0 && !keepsCertificate)
  )
}

const isExpired = (pem: string, now: Date): boolean => new Date(summaryOf(pem).valid_to) <= now

const losesCertificate = ({ before, after }: ConnectionChange, now: Date): boolean =>
  before.certificates.some(pem => !after.certificates.includes(pem) && !isExpired(pem, now))

const losesDomain = ({ before, after }: ConnectionChange): boolean =>
  after.allowed_domains.length > 0 &&
  (before.allowed_domains.length === 0 ||
    before.allowed_domains.some(domain => !after.allowed_domains.includes(domain)))

const refusesByGroups = (change: ConnectionChange): boolean =>
  change.after.default_role === null &&
  change.after.group_roles.length > 0 &&
  differs(change, ['default_role', 'group_claim', 'group_roles'])

/** True if people who got in before can be refused now: the earlier test and the last sign-in prove nothing now. */
export const needsNewTest = (change: ConnectionChange, now: Date): boolean =>
  isOtherProvider(change) ||
  change.hasNewSecret ||
  differs(change, ['scopes', 'email_claim']) ||
  losesCertificate(change, now) ||
  losesDomain(change) ||
  (change.before.trust_email && !change.after.trust_email) ||
  refusesByGroups(change)

/** True if the change decides which persons the provider can name. */
export const concernsIdentity = (change: ConnectionChange): boolean =>
  change.hasNewSecret ||
  differs(change, [
    'issuer',
    'client_id',
    'sso_url',
    'certificates',
    'metadata_url',
    'email_claim',
    'allowed_domains',
    'trust_email',
  ])

/** The owner in person, or the command line. An admin who has rotated a key of the owner is not the owner. */
export const isByOwner = ({ role, memberId, actorId }: Caller): boolean =>
  role === 'owner' && (actorId === null || actorId === memberId)
