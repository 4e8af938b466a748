import {
  findSessionCredential,
  hashToken,
  SecondFactorNeeded,
  type SignInClient,
  signedIn,
} from '#features/access/access/index.ts'
import {
  accountRoute,
  anonymousRoute,
  created,
  dataOf,
  maybeWrappedBody,
  noContent,
  ok,
  plainBody,
  type Route,
} from '#kernel/api/routes.ts'
import { SessionCookie, withCookie } from '#kernel/api/session-cookies.ts'
import type { Db } from '#kernel/db/db.ts'
import type { SecondFactorDeps } from './deps.ts'
import { createOptionsLimit, type OptionsLimit } from './passkeys/options-limit.ts'
import { storedPasskeysOf } from './passkeys/queries.ts'
import {
  addPasskey,
  beginPasskey,
  type PendingSignIn,
  passkeySignInOptions,
  removePasskey,
  renamePasskey,
  signInByPasskey,
} from './passkeys/rules.ts'
import { giveCode, listFactors, renewRecoveryCodes } from './rules.ts'
import {
  AddedPasskeySchema,
  AssertionInput,
  CodeInput,
  FactorList,
  FirstCodes,
  PasskeyOptions,
  PasskeyPatch,
  PasskeySchema,
  RecoveryCodes,
  RegistrationInput,
  TotpSetUp,
} from './schemas.ts'
import { beginTotpSetUp, confirmTotpSetUp, removeTotp } from './totp/rules.ts'

/** The sign-in of this browser, when its second factor is missing and a passkey can be that. */
async function pendingSignInOf(
  db: Db,
  client: SignInClient,
  deps: SecondFactorDeps,
): Promise<PendingSignIn | null> {
  const token = new SessionCookie(deps.publicUrl).tokenIn(client.headers.cookie as string | undefined)
  const session = token === undefined ? null : await findSessionCredential(db, hashToken(token), deps)
  if (!session?.isPending || session.expiresAt.getTime() <= Date.now()) return null
  const passkeys = await storedPasskeysOf(db, session.accountId)
  return passkeys.length > 0 ? { accountId: session.accountId, sessionId: session.sessionId } : null
}

/** Ways to sign in. */
export function factorSignInRoutes(deps: SecondFactorDeps): readonly Route[] {
  const limitOptions = createOptionsLimit()
  return [...codeRoutes(deps), ...passkeySignInRoutes(deps, limitOptions)]
}

const codeRoutes = (deps: SecondFactorDeps): readonly Route[] => [
  accountRoute({
    name: 'auth.totp',
    method: 'POST',
    path: '/auth/totp',
    access: 'pending session',
    summary: 'Complete a sign-in by a code of the authenticator app, or by a recovery code',
    description:
      'The second step after a password or a link by mail. Each code works once; a code of the app is accepted one step of 30 seconds early or late. Wrong codes count like wrong passwords: after 10 for one account, or 30 from one network, within 15 minutes, the answer is 429.',
    body: plainBody(CodeInput),
    errors: ['invalid_credentials', 'too_many_attempts'],
    answers: { 204: null },
    async handle({ db, by, body }) {
      const cookie = await giveCode(db, by, body.code, deps)
      deps.onSessionChange()
      return withCookie(noContent(), cookie)
    },
  }),
]

const passkeySignInRoutes = (deps: SecondFactorDeps, limitOptions: OptionsLimit): readonly Route[] => [
  anonymousRoute({
    name: 'auth.passkeyOptions',
    method: 'POST',
    path: '/auth/passkey/options',
    summary: 'Begin a sign-in by passkey: the options for the browser',
    description:
      'The options for `navigator.credentials.get()`. Without a session the browser offers every passkey that it has for this installation. While the second factor of a sign-in is missing, only the passkeys of that account are offered. The challenge works once, within five minutes, in this browser. A network can ask 120 times in a minute; then the answer is 429.',
    errors: ['too_many_attempts'],
    answers: { 200: dataOf(PasskeyOptions) },
    async handle({ db, client }) {
      await limitOptions(client)
      const pending = await pendingSignInOf(db, client, deps)
      return ok(await passkeySignInOptions(db, pending, client, deps))
    },
  }),
  anonymousRoute({
    name: 'auth.passkey',
    method: 'POST',
    path: '/auth/passkey',
    summary: 'Sign in by passkey, or complete a sign-in by it',
    description:
      'Takes the credential that `navigator.credentials.get()` returned, as JSON. A passkey is a way in and the second factor at once, because the device has verified its user. A passkey that is not accepted counts like a wrong password.',
    body: maybeWrappedBody('credential', AssertionInput),
    errors: ['invalid_credentials', 'too_many_attempts', 'sso_required', 'unknown_property'],
    answers: { 202: dataOf(SecondFactorNeeded), 204: null },
    async handle({ db, body, client }) {
      const pending = await pendingSignInOf(db, client, deps)
      const started = await signInByPasskey(db, body as never, pending, client, deps)
      deps.onSessionChange()
      return signedIn(started)
    },
  }),
]

const changeErrors = [
  'recent_sign_in_required',
  'second_factor_required',
  'session_expired',
  'not_found',
] as const

/** Routes of a person about their own second factors. */
export const secondFactorRoutes = (deps: SecondFactorDeps): readonly Route[] => [
  accountRoute({
    name: 'me.listSecondFactors',
    method: 'GET',
    path: '/v1/me/second_factors',
    access: 'pending session',
    summary: 'List your second factors: authenticator app, passkeys, recovery codes',
    description:
      'What the account of this session has: whether an authenticator app is set up, its passkeys, how many recovery codes are left, and what a sign-in by password or link asks for.',
    errors: ['not_found'],
    answers: { 200: dataOf(FactorList) },
    handle: async ({ db, by }) => ok(await listFactors(db, by.accountId)),
  }),
  ...totpRoutes(deps),
  accountRoute({
    name: 'me.createRecoveryCodes',
    method: 'POST',
    path: '/v1/me/recovery_codes',
    summary: 'Make new recovery codes; the old ones stop working',
    description:
      'Ten codes, of which each replaces the second factor once. They are shown in this answer alone. The account must have a second factor, and its sign-in must not be older than 15 minutes. The other sessions end.',
    errors: changeErrors,
    secret: true,
    answers: { 200: dataOf(RecoveryCodes) },
    async handle({ db, by }) {
      const { codes, cookie } = await renewRecoveryCodes(db, by, deps)
      deps.onSessionChange()
      return withCookie(ok({ codes }), cookie)
    },
  }),
  ...passkeyRoutes(deps),
]

const totpRoutes = (deps: SecondFactorDeps): readonly Route[] => [
  accountRoute({
    name: 'me.beginTotp',
    method: 'POST',
    path: '/v1/me/totp',
    access: 'pending session',
    summary: 'Begin to set up an authenticator app: secret and QR code',
    description:
      'A new secret, as text and as QR code. It counts only after `POST /v1/me/totp/confirm`; beginning again replaces it. The sign-in must not be older than 15 minutes. An account has at most one authenticator app.',
    errors: [...changeErrors, 'second_factor_exists'],
    secret: true,
    answers: { 200: dataOf(TotpSetUp) },
    handle: async ({ db, by }) => ok(await beginTotpSetUp(db, by, deps)),
  }),
  accountRoute({
    name: 'me.confirmTotp',
    method: 'POST',
    path: '/v1/me/totp/confirm',
    access: 'pending session',
    summary: 'Finish the set-up of an authenticator app by the code that it shows',
    description:
      'From now on a sign-in by password or link asks for a code. With the first second factor of an account, the answer has ten recovery codes, which are shown this once. The other sessions of the account end, and this browser gets a new cookie.',
    body: plainBody(CodeInput),
    errors: [...changeErrors, 'second_factor_exists', 'invalid'],
    secret: true,
    answers: { 200: dataOf(FirstCodes) },
    async handle({ db, by, body }) {
      const { codes, cookie } = await confirmTotpSetUp(db, by, body.code, deps)
      deps.onSessionChange()
      return withCookie(ok({ recovery_codes: codes }), cookie)
    },
  }),
  accountRoute({
    name: 'me.deleteTotp',
    method: 'DELETE',
    path: '/v1/me/totp',
    summary: 'Remove the authenticator app',
    description:
      'The sign-in must not be older than 15 minutes. The last second factor cannot be removed while a workspace of the account requires one. With the last factor its recovery codes go. The other sessions of the account end.',
    errors: [...changeErrors, 'last_way_in'],
    answers: { 204: null },
    async handle({ db, by }) {
      const cookie = await removeTotp(db, by, deps)
      deps.onSessionChange()
      return withCookie(noContent(), cookie)
    },
  }),
]

const passkeyRoutes = (deps: SecondFactorDeps): readonly Route[] => [
  accountRoute({
    name: 'me.beginPasskey',
    method: 'POST',
    path: '/v1/me/passkeys/options',
    access: 'pending session',
    summary: 'Begin to add a passkey: the options for the browser',
    description:
      'The options for `navigator.credentials.create()`: a discoverable credential with user verification. The challenge works once, within five minutes, in this browser. The sign-in must not be older than 15 minutes.',
    errors: changeErrors,
    unaudited: true,
    answers: { 200: dataOf(PasskeyOptions) },
    handle: async ({ db, by }) => ok(await beginPasskey(db, by, deps)),
  }),
  accountRoute({
    name: 'me.createPasskey',
    method: 'POST',
    path: '/v1/me/passkeys',
    access: 'pending session',
    summary: 'Add a passkey',
    description:
      'Takes the credential that `navigator.credentials.create()` returned, as JSON, and a name to tell passkeys apart. With the first second factor of an account, the answer has ten recovery codes, which are shown this once. The other sessions of the account end, and this browser gets a new cookie.',
    body: plainBody(RegistrationInput),
    errors: [...changeErrors, 'invalid', 'too_many', 'taken'],
    secret: true,
    answers: { 201: dataOf(AddedPasskeySchema) },
    async handle({ db, by, body }) {
      const { name = 'Passkey', credential } = body
      const { passkey, codes, cookie } = await addPasskey(
        db,
        by,
        { name, credential: credential as never },
        deps,
      )
      deps.onSessionChange()
      const data = { ...passkey, recovery_codes: codes }
      return withCookie(created(data, `/v1/me/passkeys/${passkey.id}`, passkey), cookie)
    },
  }),
  accountRoute({
    name: 'me.updatePasskey',
    method: 'PATCH',
    path: '/v1/me/passkeys/{id}',
    summary: 'Rename a passkey',
    description:
      'Changes the name of one of your passkeys. The name is only for you, to tell passkeys apart; the browser and the device keep the one that they have chosen.',
    body: plainBody(PasskeyPatch),
    answers: { 200: dataOf(PasskeySchema) },
    handle: async ({ db, by, params, body }) => ok(await renamePasskey(db, by, params.id, body.name)),
  }),
  accountRoute({
    name: 'me.deletePasskey',
    method: 'DELETE',
    path: '/v1/me/passkeys/{id}',
    summary: 'Remove a passkey',
    description:
      'The sign-in must not be older than 15 minutes. The last way in cannot be removed, nor the last second factor while a workspace of the account requires one. The other sessions of the account end.',
    errors: [...changeErrors, 'last_way_in'],
    answers: { 204: null },
    async handle({ db, by, params }) {
      const cookie = await removePasskey(db, by, params.id, deps)
      deps.onSessionChange()
      return withCookie(noContent(), cookie)
    },
  }),
]
