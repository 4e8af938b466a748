// A fake Google: the token endpoint and the part of the Gmail API that the channel uses, with the checks and the error
// messages of the real one.
import { createPublicKey, generateKeyPairSync, randomUUID, verify } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenLocally } from '../listen.ts'
import { FakeDirectory } from './google-directory.ts'

export const basicScope = 'https://www.googleapis.com/auth/gmail.settings.basic'
export const sharingScope = 'https://www.googleapis.com/auth/gmail.settings.sharing'
const adminPath = '/admin/directory/v1/'
const tokenAudience = 'https://oauth2.googleapis.com/token'

/** The response of the Gmail API; `well` processes the request. */
export type GmailBehavior =
  | 'well'
  | 'too many'
  | 'user rate'
  | 'project rate'
  | 'down'
  | 'denied'
  | 'not enabled'
  | 'no mailbox'
  | 'junk'

export interface Google {
  readonly api: string
  readonly tokenUri: string
  /** The service account's key file. */
  readonly keyFile: string
  readonly clientEmail: string
  /** By primary address: the send-as addresses of the user, with their stored signatures. */
  readonly users: Map<string, Map<string, string>>
  /** The signatures sent for each address, before sanitizing. */
  readonly sent: Map<string, string[]>
  /** The addresses whose signature was read, in order. */
  readonly read: string[]
  /** Requests that a correct client never sends. */
  readonly faults: string[]
  readonly tokensGiven: () => number
  behavior: (address: string) => GmailBehavior
  /** The scopes that the administrator has delegated. */
  delegated: Set<string>
  /** Invalidates all tokens. */
  forgetTokens(): void
  delay: number
  retryAfter: string | null
  /** Waits before the answer to a request for this address. */
  holdAnswer: (url: string) => Promise<void>
  /** The Directory API of the Admin SDK. */
  readonly directory: FakeDirectory
}

interface Grant {
  readonly user: string
  readonly scopes: ReadonlySet<string>
  readonly until: number
}

/** Like Gmail: removes comments and `mso-` properties. */
export const sanitize = (html: string): string =>
  html.replace(/<!--[\s\S]*?-->/g, '').replace(/mso-[\w-]+:[^;"]*;?/g, '')

const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const publicKey = createPublicKey(pair.publicKey.export({ type: 'spki', format: 'pem' }))

export async function startGoogle(): Promise<Google> {
  const clientEmail = 'signoff@example-project.iam.gserviceaccount.com'
  const keyId = randomUUID().replaceAll('-', '')
  const tokens = new Map<string, Grant>()
  let tokenCount = 0

  function grantFor(form: URLSearchParams): Grant | [status: number, error: string, description: string] {
    if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
      return [400, 'unsupported_grant_type', 'Invalid grant_type']
    const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      publicKey,
      Buffer.from(signature, 'base64url'),
    )
    if (!isSigned) return [400, 'invalid_grant', 'Invalid JWT Signature.']
    const { alg, typ, kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
    if (alg !== 'RS256' || typ !== 'JWT' || kid !== keyId)
      return [400, 'invalid_grant', 'Invalid JWT header.']
    const { iss, sub, scope, aud, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    if (iss !== clientEmail) return [400, 'invalid_grant', 'Invalid grant: account not found']
    if (aud !== tokenAudience) return [400, 'invalid_grant', 'Invalid JWT: Failed audience check.']
    const now = Date.now() / 1_000
    if (!Number.isInteger(iat) || !Number.isInteger(exp) || iat > now + 60 || exp < now || exp - iat > 3_600)
      return [
        400,
        'invalid_grant',
        'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.',
      ]
    const scopes = new Set<string>(String(scope).split(' '))
    if (scopes.size === 0 || ![...scopes].every(scope => google.delegated.has(scope)))
      return [
        401,
        'unauthorized_client',
        'Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes requested.',
      ]
    if (!google.users.has(sub) && !google.directory.admins.has(sub))
      return [400, 'invalid_grant', 'Invalid email or User ID']
    return { user: sub, scopes, until: Date.now() + 3_599_000 }
  }

  function issueToken(body: string, type: string | undefined, response: ServerResponse): ServerResponse {
    if (type !== 'application/x-www-form-urlencoded') google.faults.push(`a token asked for with ${type}`)
    const grant = grantFor(new URLSearchParams(body))
    if (Array.isArray(grant)) {
      const [status, error, error_description] = grant
      return json(response, status, { error, error_description })
    }
    const access_token = `ya29.${randomUUID()}`
    tokens.set(access_token, grant)
    tokenCount += 1
    return json(response, 200, { access_token, expires_in: 3_599, token_type: 'Bearer' })
  }

  /** PATCH with a body, GET without one. */
  function askSendAs(
    path: RegExpExecArray,
    bearer: string,
    body: string | null,
    response: ServerResponse,
  ): ServerResponse {
    const [user = '', alias = ''] = path.slice(1).map(decodeURIComponent)
    const grant = tokens.get(bearer.replace(/^Bearer /, ''))
    if (!grant || grant.until < Date.now())
      return refuse(response, 401, 'authError', 'UNAUTHENTICATED', 'Invalid Credentials')
    if (grant.user !== user)
      return refuse(response, 403, 'forbidden', 'PERMISSION_DENIED', `Delegation denied for ${grant.user}`)
    const scope = alias === user || body === null ? basicScope : sharingScope
    if (!grant.scopes.has(scope))
      return refuse(
        response,
        403,
        'insufficientPermissions',
        'PERMISSION_DENIED',
        'Request had insufficient authentication scopes.',
      )
    const respond = responders[google.behavior(alias)]
    if (respond) return respond(response, google)
    const aliases = google.users.get(user)
    if (!aliases?.has(alias))
      return refuse(response, 404, 'notFound', 'NOT_FOUND', 'Requested entity was not found.')
    if (body === null) google.read.push(alias)
    else {
      const { signature, ...unexpected } = JSON.parse(body)
      if (typeof signature !== 'string' || Object.keys(unexpected).length > 0)
        google.faults.push(`a body of ${body}`)
      if (signature.length > 10_000)
        return refuse(
          response,
          400,
          'invalidArgument',
          'INVALID_ARGUMENT',
          'Signature exceeds maximum length',
        )
      google.sent.set(alias, [...(google.sent.get(alias) ?? []), signature])
      aliases.set(alias, sanitize(signature))
    }
    const isPrimary = alias === user
    return json(response, 200, { sendAsEmail: alias, isPrimary, signature: aliases.get(alias) })
  }

  function readDirectory(url: string, bearer: string, response: ServerResponse): ServerResponse {
    const grant = tokens.get(bearer.replace(/^Bearer /, ''))
    if (!grant || grant.until < Date.now())
      return refuse(response, 401, 'authError', 'UNAUTHENTICATED', 'Invalid Credentials')
    const { pathname, searchParams } = new URL(url, 'http://google')
    const { status, body, isCut } = google.directory.answer(
      pathname.slice(adminPath.length),
      searchParams,
      grant,
    )
    if (status === 0) return response.destroy()
    if (!isCut) return json(response, status, body ?? {})
    const text = JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' })
    return response.end(text.slice(0, Math.floor(text.length / 2)))
  }

  const server = createServer(async (request, response) => {
    const body = await readText(request)
    if (google.delay > 0) await sleep(google.delay)
    const { method, url = '', headers } = request
    await google.holdAnswer(url)
    const path = /^\/gmail\/v1\/users\/([^/]+)\/settings\/sendAs\/([^/]+)$/.exec(url)
    if (method === 'POST' && url === '/token') return issueToken(body, headers['content-type'], response)
    if (method === 'PATCH' && path && headers['content-type'] === 'application/json')
      return askSendAs(path, headers.authorization ?? '', body, response)
    if (method === 'GET' && path) return askSendAs(path, headers.authorization ?? '', null, response)
    if (method === 'GET' && url.startsWith(adminPath))
      return readDirectory(url, headers.authorization ?? '', response)
    google.faults.push(`${method} ${url}`)
    refuse(response, 404, 'notFound', 'NOT_FOUND', 'Not Found')
  })
  const address = await listenLocally(server)

  const google: Google = {
    api: address,
    tokenUri: `${address}/token`,
    keyFile: JSON.stringify({
      type: 'service_account',
      project_id: 'example-project',
      private_key_id: keyId,
      private_key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      client_email: clientEmail,
      client_id: '100000000000000000000',
      token_uri: tokenAudience,
    }),
    clientEmail,
    users: new Map(),
    sent: new Map(),
    read: [],
    faults: [],
    tokensGiven: () => tokenCount,
    behavior: () => 'well',
    delegated: new Set([basicScope, sharingScope]),
    forgetTokens: () => tokens.clear(),
    delay: 0,
    retryAfter: null,
    holdAnswer: async () => undefined,
    directory: new FakeDirectory(),
  }
  return google
}

function json(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): ServerResponse {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers })
  return response.end(JSON.stringify(body))
}

function refuse(
  response: ServerResponse,
  code: number,
  reason: string,
  status: string,
  message: string,
  headers: Record<string, string> = {},
): ServerResponse {
  const error = { code, message, errors: [{ message, domain: 'global', reason }], status }
  return json(response, code, { error }, headers)
}

type Responder = (response: ServerResponse, google: Google) => ServerResponse

const retryHeaders = ({ retryAfter }: Google): Record<string, string> =>
  retryAfter === null ? {} : { 'retry-after': retryAfter }

const responders: Readonly<Record<GmailBehavior, Responder | undefined>> = {
  well: undefined,
  'too many': (response, google) =>
    refuse(
      response,
      429,
      'rateLimitExceeded',
      'RESOURCE_EXHAUSTED',
      'Too many concurrent requests for user',
      retryHeaders(google),
    ),
  'user rate': (response, google) =>
    refuse(
      response,
      403,
      'userRateLimitExceeded',
      'PERMISSION_DENIED',
      'User Rate Limit Exceeded',
      retryHeaders(google),
    ),
  'project rate': (response, google) =>
    refuse(
      response,
      403,
      'rateLimitExceeded',
      'PERMISSION_DENIED',
      'Rate Limit Exceeded',
      retryHeaders(google),
    ),
  down: (response, google) =>
    refuse(
      response,
      503,
      'backendError',
      'UNAVAILABLE',
      'The service is currently unavailable.',
      retryHeaders(google),
    ),
  denied: response =>
    refuse(response, 403, 'forbidden', 'PERMISSION_DENIED', 'Delegation denied for signoff@example.com'),
  'not enabled': response =>
    refuse(
      response,
      403,
      'accessNotConfigured',
      'PERMISSION_DENIED',
      'Gmail API has not been used in project',
    ),
  'no mailbox': response =>
    refuse(response, 400, 'failedPrecondition', 'FAILED_PRECONDITION', 'Mail service not enabled'),
  junk: response => json(response, 200, { hello: 'from a proxy' }),
}
