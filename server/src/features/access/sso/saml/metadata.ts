// Reads what a SAML connection needs from the metadata of its provider.
import { readCertificate } from './certificates.ts'
import {
  childrenNamed,
  isNamed,
  namespaces,
  parseDocument,
  reject,
  textIn,
  walkElements,
} from './document.ts'
import { metadataLimits } from './xml-limits.ts'

const { metadata, signature } = namespaces
const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

export interface ProviderMetadata {
  readonly issuer: string
  readonly sso_url: string
  readonly certificates: readonly string[]
}

/** Throws an InvalidDocument. */
export function readMetadata(xml: string): ProviderMetadata {
  const root = parseDocument(xml, metadataLimits)
  const entities = [...walkElements(root)].filter(
    element =>
      isNamed(element, metadata, 'EntityDescriptor') &&
      childrenNamed(element, metadata, 'IDPSSODescriptor').length > 0,
  )
  const [entity, another] = entities
  if (!entity) return reject('describes no identity provider')
  if (another) return reject('describes several identity providers')
  const issuer = entity.getAttribute('entityID') || reject('has no entityID')
  const [descriptor] = childrenNamed(entity, metadata, 'IDPSSODescriptor')
  if (!descriptor) return reject('describes no identity provider')
  const services = childrenNamed(descriptor, metadata, 'SingleSignOnService')
  const service = services.find(element => element.getAttribute('Binding') === redirectBinding)
  const ssoUrl = service?.getAttribute('Location') || reject('has no SingleSignOnService with HTTP-Redirect')
  const certificates = childrenNamed(descriptor, metadata, 'KeyDescriptor')
    .filter(key => key.getAttribute('use') !== 'encryption')
    .flatMap(key => [...walkElements(key)])
    .filter(element => isNamed(element, signature, 'X509Certificate'))
    .map(element => readCertificate(textIn(element)) ?? reject('has a certificate without an RSA key'))
  if (certificates.length === 0) reject('has no certificate')
  return { issuer, sso_url: ssoUrl, certificates: [...new Set(certificates)] }
}
