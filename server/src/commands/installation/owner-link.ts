// The owner of a new workspace gets a way to sign in: by mail, or by a link that the operator passes on.
import type { Config } from '#config.ts'
import { createResetLink, createSetupLink, hasWayIn } from '#features/access/access/index.ts'
import {
  type Account,
  findAccountOfMember,
  findFirstOwner,
  findMember,
} from '#features/workspace/accounts/index.ts'
import { day } from '#kernel/base/durations.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { buildParts, type Parts } from '#parts.ts'

const validMilliseconds = day

/** Also where a mail server is configured: the link is the content of the first mail. */
const waysInOf = ({ secondFactors }: Parts) => ({ ...secondFactors, sendsMail: false })

/** The set-up page lets the first owner of an installation choose an address too. */
async function linkFor(db: Db, account: Account, expiresAt: Date, parts: Parts): Promise<string> {
  const { publicUrl } = parts.config
  const isFirst = (await findFirstOwner(db))?.id === account.id
  const setupLink = isFirst ? await createSetupLink(db, publicUrl, waysInOf(parts)) : undefined
  return setupLink ?? createResetLink(db, account, publicUrl, false, expiresAt)
}

/** Returns what the operator has to know. */
export async function inviteOwner(db: Db, workspaceId: string, config: Config): Promise<string> {
  const parts = buildParts(config)
  const member = orNotFound(await findMember(db, workspaceId))
  const account = orNotFound(await findAccountOfMember(db, workspaceId, member.id))
  if (await hasWayIn(db, account, waysInOf(parts)))
    return `${account.email} has an account already, and signs in as before.`
  const expiresAt = new Date(Date.now() + validMilliseconds)
  return db.transaction(async tx => {
    const url = await linkFor(tx, account, expiresAt, parts)
    if (!parts.access.sendsMail)
      return `No mail server is set: pass this link on to ${account.email}. It works once, for 24 hours:\n${url}`
    const { email: to, name, locale } = account
    const data = { url, expiresAt, invitedBy: null, role: 'owner' } as const
    await parts.enqueueAccountMail(tx, 'invitation', { to, name, locale, workspaceId, data })
    return `${to} gets a mail with a link to choose a password. It works once, for 24 hours.`
  })
}
