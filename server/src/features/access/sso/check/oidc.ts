// The steps of a check of OpenID Connect. The last one asks the token endpoint for a code that does not exist: the
// answer tells whether the client is known.
import { isObject as isRecord } from '#kernel/base/json-values.ts'
import type { StoredConnection } from '../connections/queries.ts'
import type { SsoDeps } from '../deps.ts'
import { isSecureAddress, type ProviderFetch, requestLimits } from '../outgoing.ts'
import type { CheckStep } from './steps.ts'

interface Discovered {
  readonly document: Readonly<Record<string, unknown>>
}

const ok = (name: string, message: string): CheckStep => ({ name, status: 'ok', message, remedy: null })
const failed = (name: string, message: string, remedy: string): CheckStep => ({
  name,
  status: 'failed',
  message,
  remedy,
})
const names = ['discovery', 'issuer', 'endpoints', 'keys', 'code_flow', 'client'] as const

async function readJson(url: string, fetch: ProviderFetch): Promise<Record<string, unknown> | string> {
  const answer = await fetch(url, {
    redirects: 0,
    headers: { accept: 'application/json' },
    ...requestLimits,
  })
  if (!answer.ok) return `The address ${url} ${answer.problem}.`
  if (answer.status !== 200) return `The address ${url} answers ${answer.status}.`
  try {
    const value: unknown = JSON.parse(answer.bytes.toString('utf8'))
    return isRecord(value) ? value : `The address ${url} gives no JSON object.`
  } catch {
    return `The address ${url} gives no JSON.`
  }
}

async function discover(issuer: string, fetch: ProviderFetch): Promise<Discovered | CheckStep> {
  const remedy =
    'Open this address in a browser. For a provider in a private network, the operator must allow it by SIGNOFF_PRIVATE_TARGETS.'
  if (!isSecureAddress(issuer)) return failed('discovery', 'The issuer is not an https address.', remedy)
  const base = issuer.endsWith('/') ? issuer.slice(0, -1) : issuer
  const document = await readJson(`${base}/.well-known/openid-configuration`, fetch)
  return typeof document === 'string' ? failed('discovery', document, remedy) : { document }
}

function issuerStep({ issuer }: StoredConnection, { document }: Discovered): CheckStep {
  if (document.issuer === issuer) return ok('issuer', `The provider calls itself ${issuer}.`)
  return failed(
    'issuer',
    `The provider calls itself ${String(document.issuer).slice(0, 500)}, the connection says ${issuer}.`,
    'Enter the issuer exactly as the provider writes it, including or without the last slash.',
  )
}

function endpointStep({ document }: Discovered, issuer: string): CheckStep {
  const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri']
  const missing = endpoints.filter(name => typeof document[name] !== 'string')
  if (missing.length > 0)
    return failed('endpoints', `The discovery document lacks ${missing.join(', ')}.`, 'Check the issuer.')
  const isLocal = issuer.startsWith('http:')
  const insecure = endpoints.filter(name => !isLocal && !String(document[name]).startsWith('https:'))
  if (insecure.length > 0)
    return failed('endpoints', `Not https: ${insecure.join(', ')}.`, 'Serve the provider over https alone.')
  return ok('endpoints', 'The provider names its endpoints.')
}

async function keyStep({ document }: Discovered, fetch: ProviderFetch): Promise<CheckStep> {
  const keys = await readJson(String(document.jwks_uri), fetch)
  const remedy = 'The provider must publish its signing keys at jwks_uri.'
  if (typeof keys === 'string') return failed('keys', keys, remedy)
  const list = Array.isArray(keys.keys) ? keys.keys.filter(isRecord) : []
  const signing = list.filter(key => key.use !== 'enc' && key.kty !== 'oct')
  return signing.length > 0
    ? ok('keys', `The provider publishes ${signing.length} signing keys.`)
    : failed('keys', 'The provider publishes no signing key.', remedy)
}

function flowStep({ document }: Discovered): CheckStep {
  const lists = (name: string, value: string) =>
    !Array.isArray(document[name]) || (document[name] as readonly unknown[]).includes(value)
  if (!lists('response_types_supported', 'code'))
    return failed(
      'code_flow',
      'The provider does not support the code flow.',
      'Switch it on at the provider.',
    )
  if (!lists('code_challenge_methods_supported', 'S256'))
    return failed(
      'code_flow',
      'The provider does not support PKCE with S256.',
      'Switch it on at the provider.',
    )
  return ok('code_flow', 'The provider supports the code flow with PKCE.')
}

async function clientStep(
  { client_id }: StoredConnection,
  secret: string | null,
  { document }: Discovered,
  { fetchPublic, publicUrl }: SsoDeps,
): Promise<CheckStep> {
  const methods = document.token_endpoint_auth_methods_supported
  const usesBasic = !Array.isArray(methods) || methods.includes('client_secret_basic')
  const id = client_id ?? ''
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'signoff-check',
    redirect_uri: `${publicUrl}/auth/oidc/callback`,
    code_verifier: 'signoff-check-signoff-check-signoff-check-1',
    ...((secret === null || !usesBasic) && { client_id: id }),
    ...(secret !== null && !usesBasic && { client_secret: secret }),
  })
  const encode = (text: string) => new URLSearchParams({ x: text }).toString().slice(2)
  const basic = Buffer.from(`${encode(id)}:${encode(secret ?? '')}`).toString('base64')
  const answer = await fetchPublic(String(document.token_endpoint), {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(secret !== null && usesBasic && { authorization: `Basic ${basic}` }),
    },
    body: form.toString(),
    redirects: 0,
    ...requestLimits,
  })
  if (!answer.ok)
    return failed('client', `The token endpoint ${answer.problem}.`, 'Check the network of the provider.')
  return clientOutcome(answer.status, answer.bytes.toString('utf8'))
}

/** `invalid_grant` is what a known client gets for a code that does not exist. */
function clientOutcome(status: number, body: string): CheckStep {
  const code = /"error"\s*:\s*"(\w+)"/.exec(body)?.[1] ?? ''
  if (code === 'invalid_grant') return ok('client', 'The provider knows the client and its secret.')
  const remedy = 'Compare client_id and client_secret with the provider; a secret can have expired.'
  if (code === 'invalid_client' || code === 'unauthorized_client' || status === 401)
    return failed('client', `The provider refuses the client (${code || status}).`, remedy)
  return {
    name: 'client',
    status: 'warning',
    message: `The token endpoint answers ${status} ${code}: this does not tell whether the client is right.`,
    remedy: 'Sign in once to be sure.',
  }
}

export async function oidcSteps(
  connection: StoredConnection,
  secret: string | null,
  deps: SsoDeps,
): Promise<readonly CheckStep[]> {
  const discovery = await discover(connection.issuer, deps.fetchPublic)
  const steps: CheckStep[] = []
  if ('name' in discovery) steps.push(discovery)
  else {
    steps.push(ok('discovery', 'The discovery document can be read.'), issuerStep(connection, discovery))
    steps.push(endpointStep(discovery, connection.issuer))
    if (steps.every(({ status }) => status === 'ok')) {
      steps.push(await keyStep(discovery, deps.fetchPublic), flowStep(discovery))
      steps.push(await clientStep(connection, secret, discovery, deps))
    }
  }
  const message = 'Not checked, because an earlier step has failed.'
  const rest = names.slice(steps.length)
  return [...steps, ...rest.map(name => ({ name, status: 'skipped' as const, message, remedy: null }))]
}
