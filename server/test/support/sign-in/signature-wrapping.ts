// The forms of signature wrapping (XSW 1 to 8, Somorovsky et al., "On Breaking SAML"): each keeps the signed part
// somewhere in the document and shows a forged one to a careless reader.

const signaturePattern = /<(\w+:)?Signature\b[\s\S]*?<\/(\w+:)?Signature>/
const assertionPattern = /<saml:Assertion\b[\s\S]*<\/saml:Assertion>/

const part = (xml: string, pattern: RegExp): string => pattern.exec(xml)?.[0] ?? ''
const without = (xml: string, pattern: RegExp): string => xml.replace(pattern, () => '')

/** The forged copy: another subject and id, no signature. */
const forgedFrom = (signed: string, forge: (xml: string) => string): string =>
  forge(without(signed, signaturePattern)).replace(/ ID="[^"]*"/, ' ID="_forged"')

const inside = (xml: string, endTag: string, more: string): string =>
  xml.replace(new RegExp(`</${endTag}>(?![\\s\\S]*</${endTag}>)`), () => `${more}</${endTag}>`)
const afterIssuer = (xml: string, more: string): string =>
  xml.replace(/<\/saml:Issuer>/, issuer => `${issuer}${more}`)
const intoSignature = (signature: string, more: string): string =>
  signature.replace(/<\/((?:\w+:)?)Signature>$/, (end, prefix: string) => {
    return `<${prefix}Object>${more}</${prefix}Object>${end}`
  })

export type Forge = (xml: string) => string

/** For a response that is signed as a whole. */
export const responseWrappings: Readonly<Record<string, (xml: string, forge: Forge) => string>> = {
  'XSW1: the signed response inside the signature of a forged one': (xml, forge) => {
    const original = without(xml, signaturePattern)
    return afterIssuer(forgedFrom(xml, forge), intoSignature(part(xml, signaturePattern), original))
  },
  'XSW2: the signed response beside the signature in a forged one': (xml, forge) => {
    const original = without(xml, signaturePattern)
    return afterIssuer(forgedFrom(xml, forge), `${original}${part(xml, signaturePattern)}`)
  },
}

/** For a response whose assertion is signed. */
export const assertionWrappings: Readonly<Record<string, (xml: string, forge: Forge) => string>> = {
  'XSW3: a forged assertion before the signed one': (xml, forge) => {
    const signed = part(xml, assertionPattern)
    return xml.replace(signed, () => `${forgedFrom(signed, forge)}${signed}`)
  },
  'XSW4: the signed assertion inside a forged one': (xml, forge) => {
    const signed = part(xml, assertionPattern)
    return xml.replace(signed, () => inside(forgedFrom(signed, forge), 'saml:Assertion', signed))
  },
  'XSW5: the signature moved into a forged assertion, the original after it': (xml, forge) => {
    const signed = part(xml, assertionPattern)
    const forged = afterIssuer(forgedFrom(signed, forge), part(signed, signaturePattern))
    return xml.replace(signed, () => `${forged}${without(signed, signaturePattern)}`)
  },
  'XSW6: the original inside the signature of a forged assertion': (xml, forge) => {
    const signed = part(xml, assertionPattern)
    const signature = part(signed, signaturePattern)
    const original = without(signed, signaturePattern)
    const moved = signature.replace(/<\/((?:\w+:)?)Signature>$/, end => `${original}${end}`)
    return xml.replace(signed, () => afterIssuer(forgedFrom(signed, forge), moved))
  },
  'XSW7: a forged assertion in Extensions': (xml, forge) => {
    const signed = part(xml, assertionPattern)
    return xml.replace(
      signed,
      () => `<samlp:Extensions>${forgedFrom(signed, forge)}</samlp:Extensions>${signed}`,
    )
  },
  'XSW8: the original in an Object of the signature of a forged assertion': (xml, forge) => {
    const signed = part(xml, assertionPattern)
    const original = without(signed, signaturePattern)
    const signature = intoSignature(part(signed, signaturePattern), original)
    return xml.replace(signed, () => afterIssuer(forgedFrom(signed, forge), signature))
  },
  'the same id twice': (xml, forge) => {
    const signed = part(xml, assertionPattern)
    const forged = forge(without(signed, signaturePattern))
    return xml.replace(signed, () => `${forged}${signed}`)
  },
  'a forged assertion of another namespace': (xml, forge) => {
    const signed = part(xml, assertionPattern)
    const forged = forgedFrom(signed, forge).replace(/xmlns:saml="[^"]*"/, 'xmlns:saml="urn:other"')
    return xml.replace(signed, () => `${forged}${signed}`)
  },
}
