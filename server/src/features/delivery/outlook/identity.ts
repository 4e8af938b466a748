// Nested app authentication: the person who writes the mail is signed in, and can only ask for their own addresses and for
// shared ones.

import { apiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
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

/** Not signed in: the deployment token alone is enough for this integration. */
interface AddInReader {
  readonly isSignedIn: boolean
}

/** Throws 401 or 403 when the person of this header must not read the signature of this address. */
export async function refuseForeignAddress(
  db: Db,
  deployment: Deployment,
  from: string,
  authorization: string,
  deps: IdentityDeps,
): Promise<AddInReader> {
  const signIn = signInSettingsOf(deployment.settings, deps.publicUrl)
  if (!signIn) return { isSignedIn: false }
  const token = bearerIn(authorization)
  if (token === null) {
    if (signIn.fallsBackToToken) return { isSignedIn: false }
    throw apiError('invalid_access_token')
  }
  const person = await verify(token, deployment, signIn, deps)
  if (signIn.sharedAddresses.has(comparisonKey(from))) return { isSignedIn: true }
  const { workspaceId } = deployment
  const teammateId = await findSignedInTeammate(db, workspaceId, {
    objectId: person.objectId,
    address: person.userName,
  })
  const address = await findAddressInUse(db, workspaceId, from)
  // An unknown address gets no signature anyway.
  if (address && address.teammate_id !== teammateId) throw apiError('foreign_address')
  return { isSignedIn: true }
}

/**
 * True if a report comes from an Outlook of the company. Where people sign in and the token alone opens nothing, the token
 * is public, and a report needs a person. The address need not be theirs: that can be the trouble.
 */
export async function isOwnReport(
  deployment: Deployment,
  authorization: string,
  deps: IdentityDeps,
): Promise<boolean> {
  const signIn = signInSettingsOf(deployment.settings, deps.publicUrl)
  if (!signIn || signIn.fallsBackToToken) return true
  const token = bearerIn(authorization)
  if (token === null) return false
  return verify(token, deployment, signIn, deps).then(
    () => true,
    () => false,
  )
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
