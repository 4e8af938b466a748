// The shape of a response, checked before its signature. Attacks by signature wrapping move the signed part and add a
// forged one: they need a second assertion, a second element with the same id, or a signature in an unusual place. None
// of these occurs in an honest response.
import { ownEntry } from '#kernel/base/own-entry.ts'
import {
  childElements,
  childrenNamed,
  isNamed,
  namespaces,
  parseDocument,
  reject,
  textIn,
  walkElements,
} from './document.ts'
import { responseLimits } from './xml-limits.ts'

const { protocol, assertion, signature } = namespaces

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'

/** SHA-1 and everything that is keyed by a shared secret are refused. */
const algorithms: Readonly<Record<string, readonly string[]>> = {
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  ],
  DigestMethod: ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'],
  CanonicalizationMethod: ['http://www.w3.org/2001/10/xml-exc-c14n#'],
  Transform: [
    'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
    'http://www.w3.org/2001/10/xml-exc-c14n#',
  ],
}

export interface ResponseShape {
  /** The issuer of the assertion, not verified yet. */
  readonly issuer: string
  readonly inResponseTo: string | null
}

export interface ExpectedResponse {
  readonly acsUrl: string
}

/** The provider's own words about a failure, from the status of the response. */
export class ProviderStatus extends Error {}

function checkStatus(response: Element): void {
  const [status] = childrenNamed(response, protocol, 'Status')
  const codes = status
    ? [...walkElements(status)].filter(element => isNamed(element, protocol, 'StatusCode'))
    : []
  const [first] = codes
  if (!first) reject('has no status')
  if (first?.getAttribute('Value') === success) return
  const names = codes.map(code => code.getAttribute('Value')?.replace(/^.*:/, '').slice(0, 100))
  throw new ProviderStatus(`The provider answered ${names.join(', ')}.`)
}

function checkSignatures(response: Element, elements: readonly Element[], onlyAssertion: Element): void {
  const signatures = elements.filter(element => isNamed(element, signature, 'Signature'))
  const parents = signatures.map(({ parentNode }) => parentNode)
  if (parents.some(parent => parent !== response && parent !== onlyAssertion))
    reject('has a signature in an unusual place')
  if (new Set(parents).size < parents.length) reject('has two signatures of one element')
  if (signatures.length === 0) reject('is not signed')
  if (!parents.includes(onlyAssertion)) reject('has an assertion that is not signed')
  for (const element of elements) {
    if (element.namespaceURI !== signature) continue
    if (element.localName === 'Object') reject('has an object inside a signature')
    const allowed = ownEntry(algorithms, element.localName ?? '')
    const algorithm = element.getAttribute('Algorithm') ?? ''
    if (allowed && !allowed.includes(algorithm))
      reject(`is signed by the algorithm ${algorithm.slice(0, 200)}`)
  }
}

/** Two elements with one id: the signature could mean either. Libraries look for all three spellings. */
function checkIds(elements: readonly Element[]): void {
  const ids = elements.flatMap(element =>
    ['ID', 'Id', 'id'].map(name => element.getAttribute(name)).filter(id => id !== null && id !== ''),
  )
  if (new Set(ids).size < ids.length) reject('has two elements with the same id')
}

export function checkResponseShape(xml: string, { acsUrl }: ExpectedResponse): ResponseShape {
  const response = parseDocument(xml, responseLimits)
  if (!isNamed(response, protocol, 'Response')) reject('is not a SAML response')
  if (response.getAttribute('Version') !== '2.0') reject('is not of SAML 2.0')
  const destination = response.getAttribute('Destination')
  if (destination && destination !== acsUrl) reject('is meant for another destination')
  checkStatus(response)
  const elements = [...walkElements(response)]
  // By local name: a library that ignores namespaces would take such an element for an assertion.
  if (elements.some(({ localName }) => localName === 'EncryptedAssertion'))
    reject('has an encrypted assertion: switch encryption off at the provider')
  const assertions = elements.filter(({ localName }) => localName === 'Assertion')
  const [onlyAssertion] = assertions
  if (!onlyAssertion || assertions.length > 1)
    return reject(`has ${assertions.length} assertions instead of 1`)
  if (onlyAssertion.parentNode !== response || onlyAssertion.namespaceURI !== assertion)
    reject('has its assertion in an unusual place')
  checkSignatures(response, elements, onlyAssertion)
  checkIds(elements)
  return {
    issuer: textIn(childElements(onlyAssertion).find(child => isNamed(child, assertion, 'Issuer'))),
    inResponseTo: response.getAttribute('InResponseTo') || null,
  }
}
