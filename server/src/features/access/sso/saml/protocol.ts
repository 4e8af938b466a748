// The SAML 2.0 side of a sign-in: our request, the check of the response, and our metadata.
import type { SAML, SamlConfig } from '@node-saml/node-saml'
import { minute } from '#kernel/base/durations.ts'
import { SignInRefused } from '../refusal.ts'
import { type AttributeNames, readAssertion, type VerifiedAssertion } from './assertion.ts'
import { InvalidDocument } from './document.ts'
import { checkResponseShape, ProviderStatus } from './response-shape.ts'

/** The addresses of a workspace at this service. */
export interface ServiceProvider {
  readonly entityId: string
  readonly acsUrl: string
}

export const serviceProviderOf = (publicUrl: string, workspaceId: string): ServiceProvider => ({
  entityId: `${publicUrl}/auth/saml/${workspaceId}/metadata`,
  acsUrl: `${publicUrl}/auth/saml/${workspaceId}/acs`,
})

export interface SamlSettings extends AttributeNames {
  readonly issuer: string
  readonly sso_url: string
  readonly certificates: readonly string[]
}

/** The clocks of the provider and of this machine can differ by so much. */
const clockSkewMilliseconds = 2 * minute

/** Loaded on first use: most processes see no sign-in by SAML. */
async function createSaml(
  { entityId, acsUrl }: ServiceProvider,
  options: Partial<SamlConfig> & Pick<SamlConfig, 'idpCert'>,
): Promise<SAML> {
  const library = await import('@node-saml/node-saml')
  return new library.SAML({
    issuer: entityId,
    audience: entityId,
    callbackUrl: acsUrl,
    acceptedClockSkewMs: clockSkewMilliseconds,
    // As our metadata says. The response can be signed too.
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    // `readAssertion` compares it with the stored attempt.
    validateInResponseTo: library.ValidateInResponseTo.never,
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    ...options,
  })
}

/** The address of the provider that the browser opens. */
export async function samlRequestUrl(
  provider: ServiceProvider,
  { sso_url, certificates }: SamlSettings,
  { requestId, relayState }: { readonly requestId: string; readonly relayState: string },
): Promise<string> {
  const saml = await createSaml(provider, {
    idpCert: [...certificates],
    entryPoint: sso_url,
    generateUniqueId: () => requestId,
  })
  return saml.getAuthorizeUrlAsync(relayState, undefined, {})
}

const asRefusal = (error: unknown): SignInRefused => {
  if (error instanceof ProviderStatus) return new SignInRefused('provider_refused', error.message)
  const text = error instanceof Error ? error.message : String(error)
  const problem = error instanceof InvalidDocument ? `The document ${text}.` : text
  return new SignInRefused('invalid_answer', problem.slice(0, 500))
}

export interface SamlAnswer {
  readonly provider: ServiceProvider
  /** The connections of the workspace that can have sent it. */
  readonly connections: readonly SamlSettings[]
  /** As the form sends it, in base64. */
  readonly response: string
  /** The id of our request; null for a sign-in that the provider has begun. */
  readonly requestId: string | null
}

/** Can take a second of CPU time for the largest documents: see thread.ts. */
export async function verifyResponse(answer: SamlAnswer): Promise<VerifiedAssertion> {
  const { provider, connections, response, requestId } = answer
  try {
    const xml = Buffer.from(response, 'base64').toString('utf8')
    const shape = checkResponseShape(xml, provider)
    if (shape.inResponseTo !== null && shape.inResponseTo !== requestId)
      throw new InvalidDocument('answers another request')
    const settings = connections.find(({ issuer }) => issuer === shape.issuer)
    if (!settings) throw new InvalidDocument('comes from another provider than the connection names')
    const saml = await createSaml(provider, { idpCert: [...settings.certificates] })
    const { profile } = await saml.validatePostResponseAsync({
      SAMLResponse: Buffer.from(xml).toString('base64'),
    })
    const signed = profile?.getAssertionXml?.()
    if (signed === undefined) throw new InvalidDocument('has no assertion')
    const expected = {
      issuer: settings.issuer,
      acsUrl: provider.acsUrl,
      requestId,
      clockSkewMilliseconds,
      now: new Date(),
    }
    return readAssertion(signed, expected, settings)
  } catch (error) {
    throw asRefusal(error)
  }
}

/** For the administrator of the provider. */
export async function serviceProviderMetadata({ entityId, acsUrl }: ServiceProvider): Promise<string> {
  const { generateServiceProviderMetadata } = await import('@node-saml/node-saml')
  return generateServiceProviderMetadata({
    issuer: entityId,
    callbackUrl: acsUrl,
    wantAssertionsSigned: true,
    identifierFormat: null,
  })
}
