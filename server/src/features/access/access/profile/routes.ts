import { findAccount, lockAccount, updateProfile } from '#features/workspace/accounts/index.ts'
import { accountRoute, dataOf, maybeWrappedBody, ok, type Route } from '#kernel/api/routes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { auditAccount } from '../sessions/rules.ts'
import { Profile, ProfilePatch } from './schemas.ts'

type ProfileRow = NonNullable<Awaited<ReturnType<typeof findAccount>>>

const asJson = ({ id, name, email, locale }: ProfileRow) => ({ id, name, email, locale })

/** The account of the signed-in person. `onSessionChange` clears the cache of the authenticator in this process. */
export const profileRoutes = (onSessionChange: () => void): readonly Route[] => [
  accountRoute({
    name: 'me.getAccount',
    method: 'GET',
    path: '/v1/me/account',
    summary: 'Read your account: name, address and language',
    description:
      'The account of the person who is signed in, also while it belongs to no workspace. `locale` is the language of mails and pages; null follows the browser.',
    answers: { 200: dataOf(Profile) },
    handle: async ({ db, by }) => ok(asJson(orNotFound(await findAccount(db, by.accountId)))),
  }),
  accountRoute({
    name: 'me.updateAccount',
    method: 'PATCH',
    path: '/v1/me/account',
    versionAt: '/v1/me/account',
    summary: 'Change your own name and language',
    description:
      'Changes the name of the person who is signed in, in all workspaces, and the language of mails and pages: `en`, `de`, or null to follow the browser. The address cannot be changed here.',
    body: maybeWrappedBody('account', ProfilePatch),
    answers: { 200: dataOf(Profile) },
    async handle({ db, by, body }) {
      const { accountId, sessionId, requestId } = by
      const account = await db.transaction(async tx => {
        const before = orNotFound(await lockAccount(tx, accountId))
        const entry = { action: 'account.updated', resourceId: accountId, sessionId, requestId }
        await auditAccount(tx, accountId, entry)
        return updateProfile(tx, accountId, { name: before.name, locale: before.locale, ...body })
      })
      onSessionChange()
      return ok(asJson(orNotFound(account)))
    },
  }),
]
