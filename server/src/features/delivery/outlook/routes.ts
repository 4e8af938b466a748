// What Outlook asks for: the files of the add-in, its manifests, and signatures. All addresses have the deployment token.
import { hash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { LogoIconOf } from '#features/content/assets/index.ts'
import type { TroubleLog } from '#features/delivery/installations/index.ts'
import type { RenderDeps } from '#features/signatures/live-signatures/index.ts'
import {
  type Answer,
  dataOf,
  noContent,
  ok,
  Png,
  plainBody,
  type RequestClient,
  type Route,
} from '#kernel/api/routes.ts'
import { isEmailAddress } from '#kernel/api/validation.ts'
import { invalid } from '#kernel/base/errors.ts'
import { networkOf, RateLimiterMemory } from '#kernel/base/rate-limits.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Deployments } from './deployments.ts'
import { addInIcon } from './icons.ts'
import { type IdentityDeps, isOwnReport, refuseForeignAddress } from './identity.ts'
import { iconSides, manifestFacts } from './manifests/facts.ts'
import { jsonManifest } from './manifests/json.ts'
import { xmlManifest } from './manifests/xml.ts'
import { AddInExplanation, AddInSignature, FromQuery, TroubleReport } from './schemas.ts'
import { signInSettingsOf } from './settings.ts'
import type { SignatureAnswers } from './signatures/answers.ts'
import { explainFor } from './signatures/explanations.ts'
import { findAddressInUse } from './signatures/queries.ts'
import { openlyNamedTokens } from './tokens/queries.ts'
import { addInBase } from './tokens/rules.ts'

/** As `SIGNOFF` in front of the scripts. */
interface AddInStart {
  readonly base: string
  readonly auth: 'token' | 'naa'
  readonly clientId?: string
  readonly tenantId?: string
  readonly scope?: string
}

const addInFiles = ['launch.js', 'launch.html', 'taskpane.js', 'taskpane.html'] as const
type AddInFileName = (typeof addInFiles)[number]

/** The built add-in. */
interface AddInBundle {
  file(
    name: AddInFileName,
    settings: AddInStart,
  ): { readonly body: string; readonly headers: Readonly<Record<string, string>>; readonly hash: string }
}

export interface OutlookDeps extends IdentityDeps {
  readonly rendering: RenderDeps
  readonly deployments: Pick<Deployments, 'find' | 'forget'>
  readonly answers: Pick<SignatureAnswers, 'answer'>
  readonly troubles: Pick<TroubleLog, 'record'>
  readonly logoIconOf: LogoIconOf
  readonly openSecret: (sealed: Buffer, context: string) => Promise<string>
  /** A failed build rejects. */
  readonly loadAddIn: () => Promise<AddInBundle>
}

const Text = Type.Unsafe<never>({ type: 'string' })
const Json = Type.Unsafe<never>({ type: 'object' })

/** Browsers and Outlook ask each time whether the file has changed. */
const revalidated = { 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' }

const etagOf = (body: string | Buffer): string => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`

const answerOf = (body: string | Buffer, contentType: string): Answer => ({
  status: 200,
  body,
  headers: { ...revalidated, 'content-type': contentType, etag: etagOf(body) },
})

/** Further reports of one token and network are answered, and not recorded. */
const reportsPerMinute = 30
/** The list is public and read by every Outlook: more than so many scripts would make it too large. */
const maxNamedScripts = 1_000

interface PublicCall {
  readonly db: Db
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
  readonly client: RequestClient
}

const outlookRoute = (
  path: string,
  summary: string,
  answers: Route['answers'],
  handle: (call: PublicCall) => Promise<Answer>,
  more: Partial<Route> = {},
): Route => ({
  name: null,
  method: 'GET',
  path: `/outlook/{token}/${path}`,
  access: 'public',
  summary,
  cors: 'with identity',
  errors: ['not_found', 'rate_limited'],
  answers,
  handle: call => handle(call as unknown as PublicCall),
  ...more,
})

const authorizationIn = ({ client }: PublicCall): string => String(client.headers.authorization ?? '')

function fromIn(query: unknown): string {
  const { from } = query as Static<typeof FromQuery>
  if (from === undefined || from === '') throw invalid('from', 'missing', { missing: ['from'] })
  if (!isEmailAddress(from)) throw invalid('from', 'invalid', { message: 'from must be an email address' })
  return from
}

export function outlookRoutes(deps: OutlookDeps): readonly Route[] {
  const { publicUrl, deployments } = deps
  const find = ({ db, params, client }: PublicCall) =>
    deployments.find(db, params.token ?? '', networkOf(client.address))
  return [
    ...fileRoutes(deps, find),
    ...manifestRoutes(publicUrl, find),
    ...signatureRoutes(deps, find),
    allowedScripts(deps),
  ]
}

type FindDeployment = (call: PublicCall) => ReturnType<Deployments['find']>

function fileRoutes(deps: OutlookDeps, find: FindDeployment): readonly Route[] {
  const { publicUrl, logoIconOf, loadAddIn } = deps
  const files = addInFiles.map(name =>
    outlookRoute(name, 'A file of the Outlook add-in', { 200: Text, 304: null }, async call => {
      const { settings } = await find(call)
      const signIn = signInSettingsOf(settings, publicUrl)
      const start: AddInStart = {
        base: addInBase(publicUrl, call.params.token ?? ''),
        ...(signIn
          ? { auth: 'naa', clientId: signIn.clientId, tenantId: signIn.tenantId, scope: signIn.scope }
          : { auth: 'token' }),
      }
      const { body, headers, hash: version } = (await loadAddIn()).file(name, start)
      return { status: 200, body, headers: { ...revalidated, ...headers, etag: `"${version}"` } }
    }),
  )
  const icons = iconSides.map(side =>
    outlookRoute(`icon-${side}.png`, 'An icon of the Outlook add-in', { 200: Png, 304: null }, async call => {
      const { workspaceId } = await find(call)
      return answerOf(await addInIcon(call.db, workspaceId, side, logoIconOf), 'image/png')
    }),
  )
  return [...files, ...icons]
}

function manifestRoutes(publicUrl: string, find: FindDeployment): readonly Route[] {
  const factsFor = async (call: PublicCall) => {
    const { integrationId, number, company } = await find(call)
    return manifestFacts({ publicUrl, token: call.params.token ?? '', integrationId, number, company })
  }
  return [
    outlookRoute(
      'manifest.xml',
      'The XML manifest of the Outlook add-in',
      { 200: Text, 304: null },
      async call => answerOf(xmlManifest(await factsFor(call)), 'text/xml; charset=utf-8'),
    ),
    outlookRoute(
      'manifest.json',
      'The unified manifest of the Outlook add-in',
      { 200: Json, 304: null },
      async call =>
        answerOf(
          JSON.stringify(jsonManifest(await factsFor(call)), null, 2),
          'application/json; charset=utf-8',
        ),
    ),
  ]
}

function signatureRoutes(deps: OutlookDeps, find: FindDeployment): readonly Route[] {
  const reports = new RateLimiterMemory({ points: reportsPerMinute, duration: 60 })
  const more: Partial<Route> = {
    query: FromQuery,
    errors: [
      'not_found',
      'rate_limited',
      'missing',
      'invalid',
      'invalid_access_token',
      'foreign_address',
      'unavailable',
    ],
  }
  return [
    outlookRoute(
      'signature',
      'The signature of an address, for new mail, replies and internal mail',
      { 200: dataOf(AddInSignature), 304: null },
      async call => {
        const deployment = await find(call)
        const from = fromIn(call.query)
        await refuseForeignAddress(call.db, deployment, from, authorizationIn(call), deps)
        const { body, etag } = await deps.answers.answer(deployment, from)
        return {
          status: 200,
          body,
          headers: { ...revalidated, 'content-type': 'application/json; charset=utf-8', etag },
        }
      },
      more,
    ),
    outlookRoute(
      'explain',
      'Which signature an address gets in Outlook, and why',
      { 200: dataOf(AddInExplanation) },
      async call => {
        const deployment = await find(call)
        const from = fromIn(call.query)
        const reader = await refuseForeignAddress(call.db, deployment, from, authorizationIn(call), deps)
        const context = { ...deps.rendering, workspaceId: deployment.workspaceId }
        const answer = ok(await explainFor(call.db, context, from, reader.isSignedIn))
        return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } }
      },
      more,
    ),
    outlookRoute(
      'trouble',
      'Report that the add-in could not set a signature',
      { 204: null },
      async call => {
        const deployment = await find(call)
        const { workspaceId, integrationId, tokenId } = deployment
        const { code, host, platform, from = '' } = call.body as Static<typeof TroubleReport>
        const isCounted = await reports.consume(`${tokenId} ${networkOf(call.client.address)}`).then(
          () => true,
          () => false,
        )
        const isOwn = isCounted && (await isOwnReport(deployment, authorizationIn(call), deps))
        const address = isOwn ? await findAddressInUse(call.db, workspaceId, from) : undefined
        if (address)
          await deps.troubles.record(call.db, {
            workspaceId,
            integrationId,
            emailId: address.id,
            code,
            host,
            platform,
          })
        return noContent()
      },
      {
        method: 'POST',
        body: plainBody(TroubleReport),
        bodyLimit: 4_096,
        accepts: ['application/json', 'text/plain'],
      },
    ),
  ]
}

/**
 * Classic Outlook for Windows signs people in only for scripts that this file names. It is public, so it names no token that
 * is a secret: only those of integrations where the token alone opens nothing.
 */
const allowedScripts = ({ publicUrl, openSecret }: OutlookDeps): Route => ({
  name: null,
  method: 'GET',
  path: '/.well-known/microsoft-officeaddins-allowed.json',
  access: 'public',
  summary: 'The scripts that Outlook signs people in for',
  cors: true,
  answers: { 200: Json, 304: null },
  async handle({ db }) {
    const tokens = await openlyNamedTokens(db, maxNamedScripts)
    const allowed = await Promise.all(
      tokens.map(({ id, sealed }) =>
        openSecret(sealed, id).then(
          token => `${addInBase(publicUrl, token)}/launch.js`,
          // Sealed with a key that is gone: the scripts of other workspaces are still named.
          () => null,
        ),
      ),
    )
    const named = { allowed: allowed.filter(address => address !== null) }
    const answer = answerOf(JSON.stringify(named), 'application/json; charset=utf-8')
    return { ...answer, headers: { ...answer.headers, 'cache-control': 'public, max-age=300' } }
  },
})
