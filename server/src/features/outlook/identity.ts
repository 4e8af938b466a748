// Nested app authentication: the person who writes the mail is signed in, and can only ask for their own addresses and for
// shared ones.
import type { Db } from '#kernel/db.ts'
import { apiError } from '#kernel/errors.ts'
import { comparisonKey } from '#kernel/text.ts'
import { type SignInSettings, signatureScope, signInSettingsOf } from './settings.ts'
import { findAddressInUse, findSignedInTeammate } from './signatures/queries.ts'
import type { Deployment } from './tokens/queries.ts'

export interface IdentityDeps {
  readonly publicUrl: string
  /** Throws `isRefusal` errors for a token that is not accepted, and others when Microsoft cannot be asked. */
  readonly verifyAccessToken: (
    token: string,
    demands: {
      readonly tenantId: string
      readonly clientId: string
      readonly scope: string
      readonly audiences: readonly string[]
      readonly settings: Readonly<Record<string, unknown>>
    },
  ) => Promise<{ readonly objectId: string; readonly userName: string | null }>
  readonly isRefusal: (error: unknown) => boolean
}

const bearerIn = (authorization: string): string | null =>
  /^bearer ([\w.-]{1,10000})$/i.exec(authorization)?.[1] ?? null

/** Throws 401 or 403 when the person of this header must not read the signature of this address. */
export async function refuseForeignAddress(
  db: Db,
  deployment: Deployment,
  from: string,
  authorization: string,
  deps: IdentityDeps,
): Promise<void> {
  const signIn = signInSettingsOf(deployment.settings, deps.publicUrl)
  if (!signIn) return
  const token = bearerIn(authorization)
  if (token === null) {
    if (signIn.fallsBackToToken) return
    throw apiError('invalid_access_token')
  }
  const person = await verify(token, deployment, signIn, deps)
  if (signIn.sharedAddresses.has(comparisonKey(from))) return
  const { workspaceId } = deployment
  const teammateId = await findSignedInTeammate(db, workspaceId, {
    objectId: person.objectId,
    address: person.userName,
  })
  const address = await findAddressInUse(db, workspaceId, from)
  // An unknown address gets no signature anyway.
  if (address && address.teammate_id !== teammateId) throw apiError('foreign_address')
}

async function verify(
  token: string,
  { settings }: Deployment,
  { tenantId, clientId, scope }: SignInSettings,
  { verifyAccessToken, isRefusal }: IdentityDeps,
) {
  const audience = scope.slice(0, -signatureScope.length - 1)
  const audiences = [audience, `api://${clientId}`]
  try {
    return await verifyAccessToken(token, { tenantId, clientId, scope: signatureScope, audiences, settings })
  } catch (error) {
    throw apiError(isRefusal(error) ? 'invalid_access_token' : 'unavailable')
  }
}
