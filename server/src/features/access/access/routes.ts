import { Type } from 'typebox'
import { findAccountOfMember, membershipsOf } from '#features/workspace/accounts/index.ts'
import { findWorkspace, workspacesByIds } from '#features/workspace/workspaces/index.ts'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import {
  type AccountCaller,
  type Answer,
  accepted,
  accountRoute,
  anonymousRoute,
  dataOf,
  list,
  noContent,
  ok,
  plainBody,
  type Route,
  route,
} from '#kernel/api/routes.ts'
import { allows, type Caller, grantsOf, scopes } from '#kernel/api/scopes.ts'
import { SessionCookie, withCookie } from '#kernel/api/session-cookies.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import type { AccessDeps } from './deps.ts'
import { changePassword, signInByPassword, signOutEverywhere, signOutHere } from './rules.ts'
import {
  Me,
  PasswordBody,
  PasswordChangeBody,
  SecondFactorNeeded,
  Session,
  SetupBody,
  SignOutBody,
} from './schemas.ts'
import { isSsoSession, listSessions } from './sessions/queries.ts'
import { endSession, type StartedSession } from './sessions/rules.ts'
import { completeSetup } from './setup/rules.ts'

/** The answer of every way to sign in: 204, or 202 while the second factor is missing. */
export const signedIn = ({ cookie, isPending, secondFactors }: StartedSession): Answer =>
  withCookie(isPending ? accepted({ second_factor: secondFactors }) : noContent(), cookie)

export interface AccessRouteDeps extends AccessDeps {
  /** Clears the cache of the authenticator in this process. */
  readonly onSessionChange: () => void
}

/** Ways to sign in and out. */
export const signInRoutes = (deps: AccessRouteDeps): readonly Route[] => [
  anonymousRoute({
    name: 'auth.setup',
    method: 'POST',
    path: '/auth/setup',
    summary: 'Complete the first start: the owner chooses address, name and password',
    description:
      'Takes the token of the link that the first start shows. It works once, within 24 hours. Where the operator has set the address of the owner, `email` can be left out and must not differ.',
    body: plainBody(SetupBody),
    errors: [
      'not_found',
      'missing',
      'taken',
      'not_allowed',
      'weak_password',
      'leaked_password',
      'sso_required',
    ],
    answers: { 202: dataOf(SecondFactorNeeded), 204: null },
    handle: async ({ db, body, client }) => signedIn(await completeSetup(db, body, client, deps)),
  }),
  anonymousRoute({
    name: 'auth.password',
    method: 'POST',
    path: '/auth/password',
    summary: 'Sign in with a password',
    description:
      'Answers 204 with the cookie of a new session, or 202 with the second factors of which one is needed next. Wrong addresses and wrong passwords get the same answer. After 10 wrong passwords for one address, or 30 from one network, within 15 minutes, the answer is 429.',
    body: plainBody(PasswordBody),
    errors: ['invalid_credentials', 'too_many_attempts', 'sso_required'],
    answers: { 202: dataOf(SecondFactorNeeded), 204: null },
    handle: async ({ db, body, client }) => signedIn(await signInByPassword(db, body, client, deps)),
  }),
  accountRoute({
    name: 'auth.changePassword',
    method: 'POST',
    path: '/auth/password/change',
    summary: 'Change the password',
    description:
      'Changes the password of the person who is signed in. The other sessions end, and this browser gets a new cookie. An account that has no password yet gets one without `current`, within 15 minutes after the sign-in.',
    body: plainBody(PasswordChangeBody),
    errors: [
      'invalid',
      'weak_password',
      'leaked_password',
      'too_many_attempts',
      'recent_sign_in_required',
      'not_found',
    ],
    answers: { 204: null },
    async handle({ db, by, body }) {
      const cookie = await changePassword(db, by, body, deps)
      deps.onSessionChange()
      return withCookie(noContent(), cookie)
    },
  }),
  accountRoute({
    name: 'auth.signOut',
    method: 'POST',
    path: '/auth/sign_out',
    access: 'pending session',
    admitsSso: true,
    summary: 'Sign out',
    description:
      'Ends the session of this browser, or all sessions of the account with `everywhere`: that needs the second factor, and ends links by mail too. Every process refuses an ended session within five seconds.',
    body: plainBody(SignOutBody),
    errors: ['second_factor_required'],
    answers: { 204: null },
    async handle({ db, by, body }) {
      await (body?.everywhere ? signOutEverywhere(db, by) : signOutHere(db, by))
      deps.onSessionChange()
      return withCookie(noContent(), new SessionCookie(deps.publicUrl).clear())
    },
  }),
]

/** Only what the role and the key both allow. */
const scopesOf = (by: Caller): readonly string[] =>
  scopes.filter(scope => allows(by.scopes, scope) && allows(grantsOf(by), scope))

/** A key knows the workspace that it belongs to, and no other. */
async function workspacesOf(db: Db, by: Caller): Promise<readonly object[]> {
  // A session of single sign-on knows one workspace too: its administrators could have made it.
  const isBound = by.accountId === null || (await isSsoSession(db, by.sessionId ?? ''))
  const memberships = isBound || by.accountId === null ? [by] : await membershipsOf(db, by.accountId)
  const ids = memberships.map(({ workspaceId }) => workspaceId)
  const names = new Map((await workspacesByIds(db, ids)).map(({ id, name }) => [id, name]))
  return memberships.map(({ workspaceId, role }) => ({
    id: workspaceId,
    name: names.get(workspaceId) ?? '',
    role,
  }))
}

async function meOf(db: Db, by: Caller): Promise<object> {
  const { id, name, email, locale } = orNotFound(
    await findAccountOfMember(db, by.workspaceId, by.memberId ?? ''),
  )
  return {
    account: { id, name, email, locale },
    member: { id: by.memberId, role: by.role },
    workspace: orNotFound(await findWorkspace(db, by.workspaceId)),
    workspaces: await workspacesOf(db, by),
    scopes: scopesOf(by),
  }
}

const clearIfOwn = (by: AccountCaller, id: string, publicUrl: string): Answer =>
  id === by.sessionId ? withCookie(noContent(), new SessionCookie(publicUrl).clear()) : noContent()

/** Routes of the API about the caller itself. */
export const accessRoutes = (deps: AccessRouteDeps): readonly Route[] => [
  route({
    name: 'me.get',
    method: 'GET',
    path: '/v1/me',
    access: 'any key',
    summary: 'Read who is calling: account, member, workspace and scopes',
    description:
      'The account and the member behind the API key or the session, the workspace of this request, the workspaces of the account, and the scopes that both the role and the key allow.',
    answers: { 200: dataOf(Me) },
    handle: async ({ db, by }) => ok(await meOf(db, by)),
  }),
  accountRoute({
    name: 'sessions.list',
    method: 'GET',
    path: '/v1/sessions',
    admitsSso: true,
    summary: 'List your sessions',
    description:
      'The browsers in which the person who is signed in has a session, the newest first: how and when it began, when it was last used and when it ends at the latest. `current` marks the session of this request.',
    query: Type.Object(pageQuery),
    answers: { 200: pageOf(Session) },
    handle: async ({ db, by, query }) => list(await listSessions(db, by.accountId, by, query)),
  }),
  accountRoute({
    name: 'sessions.delete',
    method: 'DELETE',
    path: '/v1/sessions/{id}',
    admitsSso: true,
    summary: 'End one of your sessions; every process refuses it within 5 seconds',
    description:
      'Ends a session of the person who is signed in, for example that of a lost laptop. Every process refuses its cookie within five seconds. The session of this request can be ended too.',
    answers: { 204: null },
    async handle({ db, by, params }) {
      const isEnded = await db.transaction(tx => endSession(tx, by.accountId, params.id, by))
      orNotFound(isEnded ? true : undefined)
      deps.onSessionChange()
      return clearIfOwn(by, params.id, deps.publicUrl)
    },
  }),
]
