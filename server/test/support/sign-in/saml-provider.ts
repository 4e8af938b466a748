// A SAML identity provider for tests: assertions by the library `saml`, signatures by `xml-crypto`, real keys.
import { createRequire } from 'node:module'
import { generate } from 'selfsigned'
import { SignedXml } from 'xml-crypto'
import { nextRsaKeys } from './rsa-keys.ts'

interface AssertionOptions {
  readonly uid?: string
  readonly issuer?: string
  readonly lifetimeInSeconds?: number
  readonly audiences?: string
  readonly recipient?: string
  readonly inResponseTo?: string
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>
  readonly nameIdentifier?: string
  readonly nameIdentifierFormat?: string
}

/** The library has no types. */
const { Saml20 } = createRequire(import.meta.url)('saml') as {
  readonly Saml20: {
    create(options: AssertionOptions & { readonly key: string; readonly cert: string }): string
    createUnsignedAssertion(options: AssertionOptions): string
  }
}

export const nameIdFormats = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  emailAddress: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
} as const

export interface ResponseOptions {
  readonly acsUrl: string
  readonly audience: string
  readonly requestId: string | null
  readonly subject?: string
  readonly format?: string
  readonly attributes?: AssertionOptions['attributes']
  readonly issuer?: string
  readonly signs?: 'assertion' | 'response' | 'both' | 'nothing'
  /** By which the provider's clock differs from ours, in seconds. */
  readonly clock?: number
  readonly lifetime?: number
  /** Changes the assertion before it is signed. */
  readonly edit?: (assertion: string) => string
  /** Changes the response before it is signed. */
  readonly editResponse?: (response: string) => string
  readonly recipient?: string
  readonly destination?: string
  readonly assertionId?: string
  readonly hash?: 'sha1' | 'sha256'
  readonly status?: string
  readonly responseInResponseTo?: string | null
  readonly nestedInResponseTo?: string | null
}

const transforms = [
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  'http://www.w3.org/2001/10/xml-exc-c14n#',
]

const hashes = {
  sha256: {
    signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
  },
  sha1: {
    signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
    digest: 'http://www.w3.org/2000/09/xmldsig#sha1',
  },
}

export interface SamlProvider {
  readonly entityId: string
  readonly key: string
  readonly certificate: string
  /** The XML of a response. */
  response(options: ResponseOptions): string
  sign(xml: string, element: 'Assertion' | 'Response', hash?: 'sha1' | 'sha256'): string
  metadata(ssoUrl: string, certificates?: readonly string[]): string
}

export const encode = (xml: string): string => Buffer.from(xml).toString('base64')

let ids = 0
const newId = (): string => `_${Date.now().toString(16)}${(ids++).toString(16).padStart(8, '0')}`

const shiftTimes = (xml: string, seconds: number): string =>
  xml.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, time =>
    new Date(new Date(time).getTime() + seconds * 1000).toISOString(),
  )

export async function samlProvider(entityId = 'https://idp.example/saml'): Promise<SamlProvider> {
  const { privateKey, publicKey } = nextRsaKeys()
  const { private: key, cert: certificate } = await generate([{ name: 'commonName', value: 'idp.example' }], {
    keyPair: {
      privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })),
    },
    algorithm: 'sha256',
  })

  const sign: SamlProvider['sign'] = (xml, element, hash = 'sha256') => {
    const signer = new SignedXml({
      privateKey: key,
      publicCert: certificate,
      signatureAlgorithm: hashes[hash].signature,
      canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
      idAttribute: 'ID',
    })
    const xpath = `//*[local-name(.)='${element}']`
    signer.addReference({ xpath, transforms, digestAlgorithm: hashes[hash].digest })
    signer.computeSignature(xml, {
      location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
    })
    return signer.getSignedXml()
  }

  const response: SamlProvider['response'] = options => {
    const { acsUrl, audience, requestId, signs = 'assertion', hash = 'sha256', issuer = entityId } = options
    const nested = options.nestedInResponseTo === undefined ? requestId : options.nestedInResponseTo
    const outer = options.responseInResponseTo === undefined ? requestId : options.responseInResponseTo
    const unsigned = Saml20.createUnsignedAssertion({
      uid: options.assertionId ?? newId(),
      issuer,
      lifetimeInSeconds: options.lifetime ?? 300,
      audiences: audience,
      recipient: options.recipient ?? acsUrl,
      ...(nested !== null && { inResponseTo: nested }),
      attributes: options.attributes ?? { email: 'ada@example.com', displayName: 'Ada Lovelace' },
      nameIdentifier: options.subject ?? 'ada-1',
      nameIdentifierFormat: options.format ?? nameIdFormats.persistent,
    })
    const shifted = shiftTimes(unsigned, options.clock ?? 0)
    const edited = options.edit?.(shifted) ?? shifted
    const signedAssertion =
      signs === 'assertion' || signs === 'both' ? sign(edited, 'Assertion', hash) : edited
    const whole = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${newId()}" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${options.destination ?? acsUrl}"${outer === null ? '' : ` InResponseTo="${outer}"`}><saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${options.status ?? 'Success'}"/></samlp:Status>${signedAssertion}</samlp:Response>`
    const final = options.editResponse?.(whole) ?? whole
    if (signs !== 'response' && signs !== 'both') return final
    // The first Issuer is that of the response.
    return signResponse(final, hash)
  }

  const signResponse = (xml: string, hash: 'sha1' | 'sha256') => {
    const signer = new SignedXml({
      privateKey: key,
      publicCert: certificate,
      signatureAlgorithm: hashes[hash].signature,
      canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
      idAttribute: 'ID',
    })
    signer.addReference({ xpath: '/*', transforms, digestAlgorithm: hashes[hash].digest })
    signer.computeSignature(xml, {
      location: { reference: "/*/*[local-name(.)='Issuer']", action: 'after' },
    })
    return signer.getSignedXml()
  }

  const base64 = (pem: string) => pem.replace(/-----[A-Z ]+-----|\s/g, '')
  const metadata: SamlProvider['metadata'] = (ssoUrl, certificates = [certificate]) =>
    `<?xml version="1.0" encoding="UTF-8"?><!-- exported --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${entityId}"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${certificates
      .map(
        pem =>
          `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${base64(pem)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
      )
      .join(
        '',
      )}<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${ssoUrl}/post"/><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${ssoUrl}"/></md:IDPSSODescriptor></md:EntityDescriptor>`

  return { entityId, key, certificate, response, sign, metadata }
}

/** A response whose assertion the library `saml` signs itself. */
export const libraryResponse = (provider: SamlProvider, options: ResponseOptions): string => {
  const assertion = Saml20.create({
    key: provider.key,
    cert: provider.certificate,
    uid: newId(),
    issuer: provider.entityId,
    lifetimeInSeconds: 300,
    audiences: options.audience,
    recipient: options.acsUrl,
    ...(options.requestId !== null && { inResponseTo: options.requestId }),
    attributes: options.attributes ?? { email: 'ada@example.com' },
    nameIdentifier: options.subject ?? 'ada-1',
    nameIdentifierFormat: options.format ?? nameIdFormats.persistent,
  })
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${newId()}" Version="2.0" Destination="${options.acsUrl}" InResponseTo="${options.requestId}"><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${assertion}</samlp:Response>`
}
