// The test of a connection with Microsoft 365: one step for the credential, and one for each permission.
import { DirectoryError } from '#features/people/directories/index.ts'
import type { OpenIntegration, TestStep } from '#features/workspace/integrations/index.ts'
import { day } from '#kernel/base/durations.ts'
import { CredentialProblem, openCredential } from './credentials.ts'
import { graphObjects } from './delta.ts'
import { groupProperties } from './directory.ts'
import {
  freshGraphTokens,
  type GraphAccess,
  type GraphPermission,
  graphPermissions,
  MicrosoftSignInRefused,
  readGraph,
  signInToMicrosoft,
} from './graph.ts'
import { userProperties } from './person.ts'
import { findPhotoTag } from './photos.ts'
import { permissionRemedy } from './remedies.ts'

const laterRemedy = 'Try again in some minutes.'
const credentialRemedy =
  'Make a new client secret, or upload a new certificate, under Certificates & secrets of the app registration, and send it.'

/** Certificates that expire sooner are mentioned. */
const noticeDays = 30

function credentialStep(secret: string | null): TestStep {
  try {
    const credential = openCredential(secret ?? '')
    if (credential.kind === 'client_secret')
      return { name: 'credential', ok: true, message: 'There is a client secret.', remedy: null }
    const until = new Date(credential.certificate.validTo)
    const days = Math.floor((until.getTime() - Date.now()) / day)
    const lastDay = until.toISOString().slice(0, 10)
    if (days < 0)
      return {
        name: 'credential',
        ok: false,
        message: `The certificate expired on ${lastDay}.`,
        remedy: credentialRemedy,
      }
    const warning = days < noticeDays ? ' Replace it soon.' : ''
    return {
      name: 'credential',
      ok: true,
      message: `The certificate is valid until ${lastDay}.${warning}`,
      remedy: null,
    }
  } catch (error) {
    if (!(error instanceof CredentialProblem)) throw error
    const message = `The stored ${error.field} ${error.message}.`
    return { name: 'credential', ok: false, message, remedy: credentialRemedy }
  }
}

/** A step that fails by the permission says how to add it. */
async function tryStep(
  name: string,
  remedy: string,
  { signal }: GraphAccess,
  attempt: () => Promise<string>,
): Promise<TestStep> {
  try {
    return { name, ok: true, message: await attempt(), remedy: null }
  } catch (error) {
    if (signal.aborted)
      return { name, ok: false, message: 'Microsoft answers too slowly.', remedy: laterRemedy }
    if (!(error instanceof DirectoryError)) throw error
    if (error instanceof MicrosoftSignInRefused)
      return { name, ok: false, message: error.refusal, remedy: error.remedy }
    const isPassing = error.code === 'unavailable'
    return { name, ok: false, message: error.message, remedy: isPassing ? laterRemedy : remedy }
  }
}

const signInStep = (access: GraphAccess): Promise<TestStep> =>
  tryStep('sign_in', credentialRemedy, access, async () => {
    await signInToMicrosoft(access)
    return 'Microsoft gives tokens to the app.'
  })

const listOf = async (path: string, access: GraphAccess, permission: GraphPermission) => {
  const isComplete = ({ body }: { readonly body: Readonly<Record<string, unknown>> }) =>
    Array.isArray(body.value)
  const { body } = await readGraph(path, access, { permission, attempts: 1, isComplete })
  return graphObjects(body.value)
}

/** The request of a run, without its data: Microsoft answers with a link only. */
const deltaProbe = (resource: string, properties: readonly string[]): string =>
  `/v1.0/${resource}/delta?$deltatoken=latest&$select=${properties.join(',')}`

const answers = 'Microsoft answers.'

/** With the id of any user: a permission for photos can be tried only there. */
async function tryPhoto(access: GraphAccess): Promise<string> {
  const [user] = await listOf('/v1.0/users?$top=1&$select=id', access, graphPermissions.photos)
  if (typeof user?.id !== 'string') return 'There is no user to try it with.'
  await findPhotoTag(access, user.id, 1)
  return answers
}

export async function testMicrosoft({ settings, secret }: OpenIntegration): Promise<TestStep[]> {
  const access = { settings, secret, signal: AbortSignal.timeout(25_000), freshTokens: freshGraphTokens() }
  const credential = credentialStep(secret)
  if (!credential.ok) return [credential]
  const signIn = await signInStep(access)
  if (!signIn.ok) return [credential, signIn]
  const extra = Array.isArray(settings.extra_attributes) ? settings.extra_attributes.map(String) : []
  const { users, groups, photos, domains } = graphPermissions
  const lists: readonly (readonly [string, GraphPermission, string])[] = [
    ['users', users, deltaProbe('users', [...new Set([...userProperties, ...extra])])],
    ['groups', groups, deltaProbe('groups', groupProperties)],
    ['domains', domains, '/v1.0/domains?$select=id,isVerified'],
  ]
  const steps = [credential, signIn]
  for (const [name, permission, path] of lists)
    steps.push(
      await tryStep(name, permissionRemedy(permission), access, async () => {
        await listOf(path, access, permission)
        return answers
      }),
    )
  steps.push(await tryStep('photos', permissionRemedy(photos), access, () => tryPhoto(access)))
  return steps
}
