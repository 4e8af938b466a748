// What a verified assertion must say. The library checks its signature, times and audience; the rules here are those
// that it leaves to us.
import type { AssertedPerson } from '../person.ts'
import { childrenNamed, namespaces, parseDocument, reject, textIn } from './document.ts'
import { responseLimits } from './xml-limits.ts'

const { assertion: ns } = namespaces

export interface ExpectedAssertion {
  readonly issuer: string
  readonly acsUrl: string
  /** The id of our request; null for a sign-in that the provider has begun. */
  readonly requestId: string | null
  readonly clockSkewMilliseconds: number
  readonly now: Date
}

export interface AttributeNames {
  readonly email_claim: string | null
  readonly group_claim: string | null
}

export interface VerifiedAssertion {
  readonly issuer: string
  readonly id: string
  /** From then on it is refused anyway, whichever of its confirmations is looked at. */
  readonly expiresAt: Date
  readonly person: AssertedPerson
}

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const formats = 'urn:oasis:names:tc:SAML:1.1:nameid-format:'
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

/** Names that providers give to the address, unless the connection names another attribute. */
const emailAttributes = [
  'email',
  'mail',
  'emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
]
const nameAttributes = [
  'name',
  'displayname',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
]

/** Every later end would have a year that cannot be stored, with the difference of clocks. */
const latestEnd = Date.UTC(9999, 0)

const endOf = (data: Element | undefined): Date => new Date(data?.getAttribute('NotOnOrAfter') || Number.NaN)

/** The latest end of all confirmations. One that does not count yet, or for this request, can count later. */
function lastEnd(subject: Element): Date {
  const ends = childrenNamed(subject, ns, 'SubjectConfirmation')
    .flatMap(confirmation => childrenNamed(confirmation, ns, 'SubjectConfirmationData'))
    .map(data => endOf(data).getTime())
    .filter(end => !Number.isNaN(end))
  const end = Math.max(...ends)
  return end < latestEnd ? new Date(end) : reject('has an end that is too far away')
}

/** Refuses an assertion without a confirmation that lets the browser bring it here, now, for this request. */
function checkConfirmation(subject: Element, expected: ExpectedAssertion): void {
  const { acsUrl, requestId, clockSkewMilliseconds: skew, now } = expected
  const problems: string[] = []
  for (const confirmation of childrenNamed(subject, ns, 'SubjectConfirmation')) {
    const [data] = childrenNamed(confirmation, ns, 'SubjectConfirmationData')
    if (confirmation.getAttribute('Method') !== bearer || !data) continue
    const end = endOf(data)
    const inResponseTo = data.getAttribute('InResponseTo') || null
    if (data.getAttribute('Recipient') !== acsUrl) problems.push('is meant for another recipient')
    else if (Number.isNaN(end.getTime())) problems.push('has no end')
    else if (end.getTime() + skew <= now.getTime()) problems.push('has expired')
    else if (data.getAttribute('NotBefore'))
      problems.push('has a beginning, which a confirmation must not have')
    else if (inResponseTo !== requestId)
      problems.push(inResponseTo === null ? 'answers no request' : 'answers another request')
    else return
  }
  reject(problems[0] ?? 'has no confirmation of its subject')
}

/** Values by attribute name, in lower case, and by friendly name. */
function attributesOf(assertion: Element): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>()
  for (const statement of childrenNamed(assertion, ns, 'AttributeStatement'))
    for (const attribute of childrenNamed(statement, ns, 'Attribute')) {
      const texts = childrenNamed(attribute, ns, 'AttributeValue')
        .map(textIn)
        .filter(text => text !== '')
      for (const key of ['Name', 'FriendlyName']) {
        const name = attribute.getAttribute(key)?.toLowerCase()
        if (name) values.set(name, [...(values.get(name) ?? []), ...texts])
      }
    }
  return values
}

function readPerson(assertion: Element, subject: Element, names: AttributeNames): AssertedPerson {
  const [nameId, second] = childrenNamed(subject, ns, 'NameID')
  const id = textIn(nameId)
  if (id === '' || second) reject('has no NameID')
  const format = nameId?.getAttribute('Format') ?? ''
  if (format === transient)
    reject(
      'has a NameID that changes at each sign-in: let the provider send a persistent one, or the address',
    )
  const attributes = attributesOf(assertion)
  const firstOf = (keys: readonly string[]) => keys.flatMap(key => attributes.get(key) ?? [])[0] ?? null
  const email = firstOf(names.email_claim === null ? emailAttributes : [names.email_claim.toLowerCase()])
  const isAddress = format === `${formats}emailAddress` && names.email_claim === null
  return {
    subject: id,
    email: email ?? (isAddress ? id : null),
    // SAML has no such statement: the connection says whether its provider is trusted.
    isEmailVerified: false,
    name: firstOf(nameAttributes),
    groups: names.group_claim === null ? [] : (attributes.get(names.group_claim.toLowerCase()) ?? []),
  }
}

/** `xml` is the assertion as it was signed. */
export function readAssertion(
  xml: string,
  expected: ExpectedAssertion,
  names: AttributeNames,
): VerifiedAssertion {
  const assertion = parseDocument(xml, responseLimits)
  if (assertion.getAttribute('Version') !== '2.0') reject('is not of SAML 2.0')
  const id = assertion.getAttribute('ID') || reject('has no id')
  if (textIn(childrenNamed(assertion, ns, 'Issuer')[0]) !== expected.issuer)
    reject('comes from another provider than the connection names')
  const [subject, secondSubject] = childrenNamed(assertion, ns, 'Subject')
  if (!subject || secondSubject) return reject('has no subject')
  checkConfirmation(subject, expected)
  if (childrenNamed(assertion, ns, 'AuthnStatement').length === 0)
    reject('does not say that the person has signed in')
  return {
    issuer: expected.issuer,
    id,
    expiresAt: new Date(lastEnd(subject).getTime() + expected.clockSkewMilliseconds),
    person: readPerson(assertion, subject, names),
  }
}
