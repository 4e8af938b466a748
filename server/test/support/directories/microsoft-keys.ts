// Stands in for Microsoft's endpoint of keys, and signs access tokens as Microsoft Entra does.
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { listenLocally } from '../listen.ts'

export const tenantId = '11111111-2222-4333-8444-555555555555'
export const addInClientId = '99999999-8888-4777-8666-555555555555'

export interface MicrosoftKeys {
  /** For the setting `login_api`. */
  readonly api: string
  /** Requests for keys, with their paths. */
  readonly requests: readonly string[]
  /** While true, every request is answered with 503. */
  isAway: boolean
  /** A token as nested app authentication gives it. `claims` replace those of the person. */
  token(
    person: { readonly oid: string; readonly preferred_username?: string },
    claims?: object,
  ): Promise<string>
  /** From now on tokens are signed by another key, which the endpoint lists. */
  rotate(): Promise<void>
  /** A token with a key id of this tenant, signed by a key that is not Microsoft's. */
  forged(person: { readonly oid: string }): Promise<string>
}

export async function startMicrosoftKeys(): Promise<MicrosoftKeys> {
  const requests: string[] = []
  let count = 0
  const newKey = async () => ({
    kid: `key-${++count}`,
    ...(await generateKeyPair('RS256', { extractable: true })),
  })
  let key = await newKey()
  const server = createServer(async (request, response) => {
    requests.push(request.url ?? '')
    if (keys.isAway) return response.writeHead(503).end()
    if (request.url !== `/${tenantId}/discovery/v2.0/keys`) return response.writeHead(404).end()
    const listed = { ...(await exportJWK(key.publicKey)), kid: key.kid, use: 'sig' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [listed] }))
  })
  const address = await listenLocally(server)
  const sign = (claims: object, by: Pick<typeof key, 'kid' | 'privateKey'>) =>
    new SignJWT({
      aud: addInClientId,
      iss: `https://login.microsoftonline.com/${tenantId}/v2.0`,
      tid: tenantId,
      scp: 'signature.read',
      ver: '2.0',
      exp: Math.floor(Date.now() / 1_000) + 3_600,
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: by.kid, typ: 'JWT' })
      .sign(by.privateKey)
  const keys: MicrosoftKeys = {
    api: address,
    requests,
    isAway: false,
    token: (person, claims = {}) => sign({ ...person, ...claims }, key),
    async rotate() {
      key = await newKey()
    },
    forged: async person => sign(person, { ...(await newKey()), kid: key.kid }),
  }
  return keys
}
