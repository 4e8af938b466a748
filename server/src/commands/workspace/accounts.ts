import {
  createResetLink,
  createSignInLink,
  endSessionsOf,
  findAccountByEmail,
  verifyAccount,
} from '#features/access/access/index.ts'
import { removeSecondFactors, secondFactorsOf } from '#features/access/second-factors/index.ts'
import { type Account, listAccounts } from '#features/workspace/accounts/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { buildParts } from '#parts.ts'
import { CommandError, print, table, withDatabase } from '../context.ts'

async function accountOf(db: Db, email: string): Promise<Account> {
  const account = await findAccountByEmail(db, email)
  if (!account)
    throw new CommandError(`There is no account with the address ${email}; \`accounts list\` shows them.`)
  return account
}

export const listAll = (): Promise<void> =>
  withDatabase('accounts', async ({ db }) => {
    const rows: string[][] = []
    for (const { id, email, name, hasPassword, isVerified } of await listAccounts(db)) {
      const factors = await secondFactorsOf(db, id)
      rows.push([
        email,
        name,
        isVerified ? 'yes' : 'no',
        hasPassword ? 'yes' : 'no',
        factors.join(', ') || 'none',
      ])
    }
    print(table([['EMAIL', 'NAME', 'VERIFIED', 'PASSWORD', 'SECOND FACTOR'], ...rows]))
  })

/** Break glass: it also opens accounts that single sign-on alone could open. */
export const reset = (email: string, options: { removeSecondFactors?: boolean }): Promise<void> =>
  withDatabase('accounts', async ({ db }, config) => {
    const account = await accountOf(db, email)
    // The link removes them anyway: another person can have added them.
    const removes = options.removeSecondFactors === true || !account.isVerified
    print(await createResetLink(db, account, config.publicUrl, removes))
    print(
      `\nThis link sets a new password for ${account.email}${removes ? ', removes the second factors' : ''} and signs in. It works once, for an hour.`,
    )
  })

/** For a person without a mail server or a password, such as the operator on this machine. */
export const signInLink = (email: string): Promise<void> =>
  withDatabase('accounts', async ({ db }, config) => {
    const account = await accountOf(db, email)
    print(await createSignInLink(db, account, config.publicUrl))
    print(
      `\nThis link signs in as ${account.email}, in any browser. It works once, for 15 minutes.${account.isVerified ? '' : ' It verifies the account: a password or second factor that another person can have chosen ends.'}`,
    )
  })

/** Vouches for the person who has the ways in of the account now. */
export const verify = (email: string): Promise<void> =>
  withDatabase('accounts', async ({ db }) => {
    const account = await accountOf(db, email)
    if (account.isVerified) throw new CommandError(`${account.email} is verified already.`)
    await db.transaction(tx => verifyAccount(tx, account.id, { isByOperator: true }))
    print(
      `${account.email} is verified: its password and passkeys open all its workspaces from now on. If another person can have chosen them, use \`accounts reset\` as well.`,
    )
  })

export const removeFactors = (email: string): Promise<void> =>
  withDatabase('accounts', async ({ db }, config) => {
    const account = await accountOf(db, email)
    const deps = { ...buildParts(config).secondFactors, onSessionChange: () => undefined }
    const isRemoved = await db.transaction(async tx => {
      const removed = await removeSecondFactors(tx, account.id, deps)
      if (removed) await endSessionsOf(tx, account.id, null, { isByOperator: true })
      return removed
    })
    if (!isRemoved) throw new CommandError(`${account.email} has no second factor.`)
    print('Removed, and signed out everywhere.')
  })

export const signOut = (email: string): Promise<void> =>
  withDatabase('accounts', async ({ db }) => {
    const account = await accountOf(db, email)
    const count = await db.transaction(tx => endSessionsOf(tx, account.id, null, { isByOperator: true }))
    print(
      `Ended ${count} ${count === 1 ? 'session' : 'sessions'}; every process refuses them within 5 seconds.`,
    )
  })
