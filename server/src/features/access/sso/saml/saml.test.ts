// What a SAML response must be to be believed.
import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { watchLoop } from '#test/support/processes/loop-watch.ts'
import {
  encode,
  libraryResponse,
  nameIdFormats,
  type ResponseOptions,
  type SamlProvider,
  samlProvider,
} from '#test/support/sign-in/saml-provider.ts'
import { assertionWrappings, responseWrappings } from '#test/support/sign-in/signature-wrapping.ts'
import { SignInRefused } from '../refusal.ts'
import { InvalidDocument } from './document.ts'
import { readMetadata } from './metadata.ts'
import { type SamlSettings, serviceProviderMetadata, serviceProviderOf } from './protocol.ts'
import { SamlVerifier } from './verifier.ts'

const service = serviceProviderOf('https://signoff.example', '01999999-0000-7000-8000-000000000000')
let provider: SamlProvider
let settings: SamlSettings
let options: ResponseOptions

beforeAll(async () => {
  provider = await samlProvider()
  settings = {
    issuer: provider.entityId,
    sso_url: 'https://idp.example/sso',
    certificates: [provider.certificate],
    email_claim: null,
    group_claim: 'groups',
  }
  options = { acsUrl: service.acsUrl, audience: service.entityId, requestId: '_request' }
})

const verifier = new SamlVerifier()
afterAll(() => verifier.close())

const answerOf = (xml: string, using = settings, requestId: string | null = '_request') => ({
  provider: service,
  connections: [using],
  response: encode(xml),
  requestId,
})
const network = '203.0.113.1'
const verify = (xml: string, using?: SamlSettings, requestId?: string | null) =>
  verifier.verify(answerOf(xml, using, requestId), network)

/** The subject of the person, or why the response is refused. */
async function outcome(
  xml: string,
  { using = settings, requestId = '_request' as string | null } = {},
): Promise<string> {
  try {
    return (await verify(xml, using, requestId)).person.subject
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error
    return `${error.code}: ${error.message}`
  }
}
const respond = (more: Partial<ResponseOptions> = {}) => provider.response({ ...options, ...more })

describe('a response', () => {
  it('is refused when the assertion inside is not signed itself', async () => {
    expect(await outcome(respond({ signs: 'response' }))).toContain('assertion that is not signed')
  })

  it.each(['assertion', 'both'] as const)('is accepted with a signature of: %s', async signs => {
    expect(await outcome(respond({ signs }))).toBe('ada-1')
  })

  it('is accepted as another library signs it', async () => {
    expect(await outcome(libraryResponse(provider, options))).toBe('ada-1')
  })

  it('gives address, name and groups', async () => {
    const attributes = { email: 'Ada@Example.com', displayName: 'Ada', groups: ['a', 'b'], other: 'x' }
    const { person } = await verify(respond({ attributes }))
    expect(person).toEqual({
      subject: 'ada-1',
      email: 'Ada@Example.com',
      isEmailVerified: false,
      name: 'Ada',
      groups: ['a', 'b'],
    })
  })

  it('gives the NameID as address if its format says so, and no attribute is named', async () => {
    const xml = respond({ attributes: {}, subject: 'a@example.com', format: nameIdFormats.emailAddress })
    const read = async (email_claim: string | null) =>
      (await verify(xml, { ...settings, email_claim })).person.email
    expect([await read(null), await read('upn')]).toEqual(['a@example.com', null])
  })

  it('is accepted with an old and a new certificate, while the provider changes it', async () => {
    const next = await samlProvider()
    const both = { ...settings, certificates: [provider.certificate, next.certificate] }
    expect(await outcome(respond(), { using: both })).toBe('ada-1')
    expect(await outcome(next.response(options), { using: both })).toBe('ada-1')
    expect(await outcome(next.response(options))).toContain('Invalid signature')
  })

  it('is remembered until the last of its confirmations ends', async () => {
    const later = new Date(Date.now() + 7 * 3600_000).toISOString()
    const edit = (xml: string) =>
      xml.replace(
        '</saml:Subject>',
        `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${later}" Recipient="${service.acsUrl}"/></saml:SubjectConfirmation></saml:Subject>`,
      )
    const { expiresAt } = await verify(respond({ edit }))
    expect(expiresAt.toISOString()).toBe(new Date(new Date(later).getTime() + 120_000).toISOString())
  })

  it('is accepted while clocks differ by less than two minutes, in both directions', async () => {
    for (const clock of [-110, 110]) expect(await outcome(respond({ clock })), String(clock)).toBe('ada-1')
    expect(await outcome(respond({ clock: 130 }))).toContain('not yet valid')
    expect(await outcome(respond({ clock: -425 }))).toContain('expired')
  })
})

const subject = (xml: string) => xml.replaceAll('ada-1', 'root-1')

describe('a response is refused', () => {
  it.each<readonly [string, Partial<ResponseOptions>, string]>([
    ['without a signature', { signs: 'nothing' }, 'is not signed'],
    ['of another audience', { audience: 'https://other.example' }, 'audience mismatch'],
    ['for another recipient', { recipient: 'https://other.example/acs' }, 'another recipient'],
    ['for another destination', { destination: 'https://other.example/acs' }, 'another destination'],
    ['of another issuer', { issuer: 'https://evil.example' }, 'another provider'],
    ['that has expired', { clock: -500 }, 'expired'],
    [
      'with an end that cannot be stored',
      { edit: xml => xml.replaceAll(/NotOnOrAfter="[^"]*"/g, 'NotOnOrAfter="9999-12-31T23:59:59Z"') },
      'too far',
    ],
    ['without an end', { edit: xml => xml.replaceAll(/ NotOnOrAfter="[^"]*"/g, '') }, 'NotOnOrAfter'],
    [
      'without conditions',
      { edit: xml => xml.replace(/<saml:Conditions[\s\S]*<\/saml:Conditions>/, '') },
      '',
    ],
    [
      'without audiences',
      { edit: xml => xml.replace(/<saml:AudienceR[\s\S]*nceRestriction>/, '') },
      'no Aud',
    ],
    ['to another request', { requestId: '_other' }, 'another request'],
    ['to another request, inside alone', { nestedInResponseTo: '_other' }, 'another request'],
    ['to another request, outside alone', { responseInResponseTo: '_other' }, 'another request'],
    ['to no request', { requestId: null }, 'no request'],
    ['to no request, inside alone', { nestedInResponseTo: null }, 'no request'],
    ['signed with SHA-1', { hash: 'sha1' }, 'algorithm'],
    ['without a subject', { edit: xml => xml.replace(/<saml:NameID[\s\S]*<\/saml:NameID>/, '') }, 'NameID'],
    ['with a NameID that changes', { format: nameIdFormats.transient }, 'changes at each sign-in'],
    [
      'with a confirmation that is not bearer',
      { edit: x => x.replace(/cm:bearer/, 'cm:sender-vouches') },
      'no conf',
    ],
    [
      'with a failure as status',
      { status: 'Responder' },
      'provider_refused: The provider answered Responder',
    ],
    ['of SAML 1', { edit: xml => xml.replace('Version="2.0"', 'Version="1.1"') }, 'SAML 2.0'],
    [
      'without a sign-in',
      { edit: xml => xml.replace(/<saml:AuthnStatement[\s\S]*AuthnStatement>/, '') },
      'signed in',
    ],
  ])('%s', async (_, more, problem) => {
    const result = await outcome(respond(more))
    expect(result).toMatch(/^(invalid_answer|provider_refused): /)
    expect(result).toContain(problem)
  })

  it('that the provider sent unasked, although the connection waits for an answer, and the reverse', async () => {
    expect(await outcome(respond({ requestId: null }))).toContain('no request')
    expect(await outcome(respond(), { requestId: null })).toContain('another request')
    expect(await outcome(respond({ requestId: null }), { requestId: null })).toBe('ada-1')
  })

  it('when a part of it was changed after signing', async () => {
    for (const signs of ['assertion', 'both'] as const)
      for (const change of [
        subject,
        (xml: string) => xml.replaceAll('ada@example.com', 'root@example.com'),
        (xml: string) => xml.replace(/NotOnOrAfter="2/g, 'NotOnOrAfter="3'),
      ])
        expect(await outcome(change(respond({ signs }))), signs).toContain('Invalid signature')
  })

  it('when another key has signed it, even with the right name and the key inside', async () => {
    const evil = await samlProvider()
    expect(await outcome(evil.response(options))).toContain('Invalid signature')
  })

  it.each(Object.entries(responseWrappings))('for wrapping: %s', async (_, wrap) => {
    const xml = wrap(respond({ signs: 'response' }), subject)
    expect(xml).toContain('root-1')
    expect(xml).toContain('ada-1')
    expect(await outcome(xml)).toMatch(/^invalid_answer: The document has/)
  })

  it.each(Object.entries(assertionWrappings))('for wrapping: %s', async (_, wrap) => {
    const xml = wrap(respond(), subject)
    expect(xml).toContain('root-1')
    expect(xml).toContain('ada-1')
    expect(await outcome(xml)).toMatch(/^invalid_answer: The document has/)
  })

  it('with two assertions, also when both are signed', async () => {
    const second = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(respond({ subject: 'root-1' }))?.[0] ?? ''
    const xml = respond().replace('</samlp:Response>', `${second}</samlp:Response>`)
    expect(await outcome(xml)).toContain('has 2 assertions')
  })

  it('with an encrypted assertion, which says what to change', async () => {
    const xml = respond().replace('</samlp:Response>', '<saml:EncryptedAssertion/></samlp:Response>')
    expect(await outcome(xml)).toContain('switch encryption off')
  })

  it('with a comment, which could cut a NameID', async () => {
    const edit = (xml: string) => xml.replace('ada-1', 'root@example.com<!-- -->.evil.example')
    expect(await outcome(respond({ edit }))).toContain('has a comment')
    const cdata = (xml: string) => xml.replace('ada-1', '<![CDATA[root]]>')
    expect(await outcome(respond({ edit: cdata }))).toContain('CDATA')
    const instruction = (xml: string) => xml.replace('ada-1', 'root<?x y?>.evil')
    expect(await outcome(respond({ edit: instruction }))).toContain('processing instruction')
  })
})

describe('a document that is made to cost', () => {
  const entities = Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join(
    '',
  )
  const deep = (levels: number) => `${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`
  const attributes = (count: number, name = 'a') =>
    Array.from({ length: count }, (_, n) => `${name}${n}="urn:${n}"`).join(' ')
  const declaring = (levels: number, count: number) =>
    `${Array.from({ length: levels }, (_, n) => `<a ${attributes(count, `xmlns:n${n}x`)}>`).join('')}${'</a>'.repeat(levels)}`
  it.each<readonly [string, () => string]>([
    ['an entity bomb', () => `<!DOCTYPE r [<!ENTITY e0 "x">${entities}]>${respond()}`],
    ['an outside entity', () => `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${respond()}`],
    [
      'a parameter entity',
      () => `<!DOCTYPE r [<!ENTITY % x SYSTEM "http://evil.example/x"> %x;]>${respond()}`,
    ],
    ['a DTD after the declaration', () => `<?xml version="1.0"?><!DOCTYPE r SYSTEM "http://e/">${respond()}`],
    ['10,000 levels', () => respond().replace('<samlp:Status>', `${deep(10_000)}<samlp:Status>`)],
    ['100,000 elements', () => respond().replace('<samlp:Status>', `${'<a/>'.repeat(60_000)}<samlp:Status>`)],
    ['20,000 attributes', () => `<a ${Array.from({ length: 20_000 }, (_, n) => `a${n}=""`).join(' ')}/>`],
    [
      '51 attributes of one element',
      () => respond().replace('<samlp:Status>', `<a ${attributes(51)}/><samlp:Status>`),
    ],
    [
      '1,900 namespaces in scope',
      () => respond().replace('<samlp:Status>', `${declaring(38, 50)}<samlp:Status>`),
    ],
    [
      'a namespace at each element',
      () => respond().replace('<samlp:Status>', `${declaring(1, 1).repeat(65)}<samlp:Status>`),
    ],
    ['a megabyte of text', () => respond({ subject: 'x'.repeat(1_000_000) })],
    ['a tag that does not end', () => `<a ${'x="'.repeat(50_000)}`],
    ['quotes', () => `<a ${`"`.repeat(200_001)}`],
    ['nothing but angle brackets', () => '<'.repeat(200_000)],
    ['nothing', () => ''],
    ['no XML', () => 'hello'],
    ['bytes', () => '\u0000\uffff'],
  ])('is refused before it is parsed: %s', async (_, make) => {
    expect(await outcome(make())).toMatch(/^invalid_answer: The document (has|is)/)
  })

  it('is verified in a thread of its own when it is as large as allowed', async () => {
    const values = '<saml:AttributeValue>v</saml:AttributeValue>'.repeat(1_900)
    const edit = (xml: string) =>
      xml.replace(
        '</saml:AttributeStatement>',
        `<saml:Attribute Name="x">${values}</saml:Attribute></saml:AttributeStatement>`,
      )
    const xml = respond({ edit })
    const before = performance.eventLoopUtilization()
    expect(await outcome(xml)).toBe('ada-1')
    expect(await outcome(xml.replace('ada-1', 'root-1'))).toContain('Invalid signature')
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
  })

  it('does not end the thread for others when it takes too long', async () => {
    const impatient = new SamlVerifier({ milliseconds: 1 })
    await expect(impatient.verify(answerOf(respond()), network)).rejects.toThrow('took too long')
    await impatient.close()
    expect(await outcome(respond())).toBe('ada-1')
  })

  it('fails alone when it takes too long: those that wait are verified', { tags: ['deep'] }, async () => {
    // The library checks the signature with one certificate after the other.
    const certificates = Array.from({ length: 20_000 }, () => settings.certificates[0] ?? '')
    const forged = respond().replace('ada-1', 'root-1')
    let subject: string | undefined
    // On a busy machine the honest response takes longer than a short limit too.
    for (let milliseconds = 1_000; subject === undefined && milliseconds < 10_000; milliseconds *= 2) {
      const verifier = new SamlVerifier({ milliseconds })
      const stuck = verifier.verify(answerOf(forged, { ...settings, certificates }), '203.0.113.2')
      const honest = verifier.verify(answerOf(respond()), '203.0.113.3').catch(() => undefined)
      await expect(stuck).rejects.toThrow('took too long')
      subject = (await honest)?.person.subject
      await verifier.close()
    }
    expect(subject).toBe('ada-1')
  })

  it('waits once per client network', async () => {
    const verifier = new SamlVerifier()
    const send = (from: string) =>
      verifier.verify(answerOf(respond()), from).then(
        ({ person }) => person.subject,
        error => error.code,
      )
    const outcomes = ['203.0.113.2', '203.0.113.2', '203.0.113.2', '203.0.113.3'].map(send)
    expect(await Promise.all(outcomes)).toEqual(['ada-1', 'ada-1', 'unavailable', 'ada-1'])
    expect(await send('203.0.113.2')).toBe('ada-1')
    await verifier.close()
  })
})

describe('metadata', () => {
  it('of a provider gives entity id, address and all certificates', async () => {
    const second = await samlProvider()
    const xml = provider.metadata('https://idp.example/sso', [provider.certificate, second.certificate])
    const read = readMetadata(xml)
    expect(read).toMatchObject({ issuer: provider.entityId, sso_url: 'https://idp.example/sso' })
    expect(read.certificates.map(pem => pem.trim())).toEqual(
      [provider.certificate, second.certificate].map(pem => pem.replaceAll('\r', '').trim()),
    )
  })

  it.each([
    ['no provider', '<a/>', 'describes no identity provider'],
    ['an entity bomb', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'has a declaration'],
    ['a broken document', '<a><b></a>', 'is not well-formed'],
    ['2,001 comments', `<a>${'<!---->'.repeat(2_001)}</a>`, 'more than 2000 elements'],
    ['51 attributes of one element', `<a ${'b="" '.repeat(51)}/>`, 'more than 50 attributes'],
    ['501 namespaces', `<a>${'<b xmlns="c"/>'.repeat(501)}</a>`, 'more than 500 declarations'],
  ])('with %s is refused', (_, xml, problem) => {
    expect(() => readMetadata(xml)).toThrow(InvalidDocument)
    expect(() => readMetadata(xml)).toThrow(problem)
  })

  it('that is as costly as allowed is read within milliseconds', async () => {
    const attributes = (level: number) =>
      Array.from({ length: 12 }, (_, n) => `xmlns:n${level}x${n}="urn:${n}"`).join(' ')
    const levels = Array.from({ length: 39 }, (_, n) => `<a ${attributes(n)}>`).join('')
    const filler = `<!-- ${'x'.repeat(200)} -->`.repeat(900) + '<b c="&amp;"/>'.repeat(900)
    const xml = `${levels}${filler}${'</a>'.repeat(39)}`
    const { held } = await watchLoop(async () =>
      expect(() => readMetadata(xml)).toThrow('no identity provider'),
    )
    expect(held).toBeLessThan(500) // CPU time: other programs on the machine do not increase it
  })

  it('of ours names the address for responses', async () => {
    const xml = await serviceProviderMetadata(service)
    expect(xml).toContain(`entityID="${service.entityId}"`)
    expect(xml).toContain(`Location="${service.acsUrl}"`)
    expect(xml).toContain('WantAssertionsSigned="true"')
  })
})
