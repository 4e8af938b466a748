// The launch script in classic Outlook for Windows: no window, no document, everything that is missing is missing.
import { beforeAll, describe, expect, it } from 'vitest'
import { bundledScript } from '../build/bundle.ts'
import type { SignatureAnswer } from '../src/wire.ts'
import { ClassicOutlook, type ClassicSetup } from './support/classic.ts'
import { annasAnswer, bertsAnswer, noAnswer, plainAnswer, signatureOf } from './support/signatures.ts'

let script = ''
beforeAll(async () => {
  script = await bundledScript('launch.js')
})

const outlook = (setup: Partial<ClassicSetup> = {}) =>
  new ClassicOutlook(script, { mood: annasAnswer, ...setup })

/** The signatures that are in the mail, by the key in their links or text. */
const keysIn = ({ mail }: ClassicOutlook): readonly string[] =>
  mail.signatures.map(text => /GmbH, ([a-z-]+)/.exec(text)?.[1] ?? text)

const forAnnaAndBert = (from: string): SignatureAnswer =>
  from === 'anna@acme.example' ? annasAnswer : from === 'bert@acme.example' ? bertsAnswer : noAnswer

/** A quoted mail of a colleague, which has the same marks, as each Outlook begins it. */
const colleague = signatureOf('Carla', 'carla-new').html
const quotes = {
  web: `<div id="appendonsend"></div><hr style="width:98%"><div id="divRplyFwdMsg">From: Carla</div>${colleague}`,
  phone: `<div id="mail-editor-reference-message-container"><div>From: Carla</div>${colleague}</div>`,
  classic: `<div style='border:none;border-top:solid #E1E1E1 1.0pt'><p>From: Carla</p></div>${colleague}`,
  bookmark: `<a name="_MailOriginal"></a><p>Von: Carla</p>${colleague}`,
  unknown: `<p>On Monday Carla wrote:</p>${colleague}`,
}

it('is at most 6 kB, one file, in ECMAScript 2016', () => {
  expect(script.length).toBeLessThanOrEqual(6_000)
  expect(script).not.toMatch(
    /\bimport\b|\bexport\b|\basync\b|\bawait\b|\?\?|\?\.|\.\.\.|\*\*|\bwindow\b|\bdocument\b/,
  )
})

describe('a mail that is opened', () => {
  it.each([
    ['newMail', [], 'anna-new'],
    ['newMail', ['carla@acme.example', 'dora@ACME.test'], 'anna-internal'],
    ['newMail', ['carla@acme.example', 'customer@example.org'], 'anna-new'],
    ['newMail', ['someone@sub.acme.example'], 'anna-new'],
    ['newMail', ['not resolved'], 'anna-new'],
    ['reply', ['customer@example.org'], 'anna-reply'],
    ['reply', ['carla@acme.example'], 'anna-internal'],
    ['forward', [], 'anna-reply'],
  ] as const)('as %s to %j gets the signature %s', async (composeType, to, key) => {
    const it = outlook({ composeType, to })
    await it.compose()
    expect(keysIn(it)).toEqual([key])
    expect(it.requests).toEqual(['GET /signature?from=anna%40acme.example'])
  })

  it('is internal only if Cc and Bcc are too', async () => {
    const it = outlook({ to: ['carla@acme.example'], bcc: ['customer@example.org'] })
    await it.compose()
    expect(keysIn(it)).toEqual(['anna-new'])
  })

  it('gets the other signature as internal mail where there is none for it', async () => {
    const it = outlook({ mood: bertsAnswer, composeType: 'reply', to: ['carla@acme.example'] })
    await it.compose()
    expect(keysIn(it)).toEqual(['bert-reply'])
  })

  it('loses the own signature of the account', async () => {
    const it = outlook({ ownSignature: '<p>Sent from my desk</p>', stacks: true })
    await it.compose()
    expect(keysIn(it)).toEqual(['anna-new'])
    expect(it.mail.isOwnEnabled).toBe(false)
  })

  it('stays as it is where the address has no signature', async () => {
    const it = outlook({ mood: noAnswer, ownSignature: '<p>Sent from my desk</p>' })
    await it.compose()
    expect(it.mail.signatures).toEqual(['<p>Sent from my desk</p>'])
    expect([it.mail.isOwnEnabled, it.troubles]).toEqual([true, []])
  })

  it('carries nothing where the variant is hidden', async () => {
    const hidden = { html: '', text: '', sha: 'hidden' }
    const it = outlook({
      mood: { ...annasAnswer, reply: hidden },
      composeType: 'reply',
      ownSignature: '<p>x</p>',
    })
    await it.compose()
    expect([it.mail.signatures, it.mail.isOwnEnabled, it.troubles]).toEqual([[], false, []])
  })

  it.each(Object.entries(quotes))(
    'gets a signature above the quote of a colleague (%s)',
    async (_name, quote) => {
      const it = outlook({ composeType: 'reply', quote, stacks: true })
      await it.compose()
      expect(keysIn(it)).toEqual(['anna-reply'])
    },
  )

  it('gets the text in a mail of plain text', async () => {
    const it = outlook({
      type: 'text',
      composeType: 'reply',
      quote: '________________________________\nFrom: Carla',
    })
    await it.compose()
    expect(it.mail.signatures).toEqual([annasAnswer.reply?.text])
  })
})

describe('an Outlook that adds instead of replacing', () => {
  it('shows one signature when the event comes twice', async () => {
    const it = outlook({ stacks: true })
    await it.compose()
    await it.compose()
    expect(keysIn(it)).toEqual(['anna-new'])
  })

  it('does not bring back a removed signature when the event comes twice', async () => {
    const it = outlook()
    await it.compose()
    it.mail.removeSignature()
    it.mood = { ...annasAnswer, new: signatureOf('Anna', 'anna-newer') }
    await it.compose()
    expect(it.mail.signatures).toEqual([])
  })

  it('shows one signature when two events come at once', async () => {
    const it = outlook({ stacks: true, mood: forAnnaAndBert })
    await Promise.all([it.office.raise('onNewMessageCompose'), it.office.raise('onMessageFromChanged')])
    expect(keysIn(it)).toEqual(['anna-new'])
    it.expectClean()
  })

  it.each(['html', 'text'] as const)(
    'keeps the first signature when another would be added (%s)',
    async type => {
      const it = outlook({ stacks: true, type, mood: forAnnaAndBert })
      await it.compose()
      await it.changeRecipients(['carla@acme.example'])
      await it.changeFrom('bert@acme.example')
      expect(keysIn(it)).toEqual(['anna-new'])
    },
  )

  it('adds none to a mail that is sent again', async () => {
    const it = outlook({ stacks: true, pasted: annasAnswer.new?.html ?? '' })
    await it.compose()
    expect(it.mail.signatures).toEqual([])
  })

  it('adds none to a mail of plain text that is sent again', async () => {
    const it = outlook({ stacks: true, type: 'text', mood: plainAnswer, pasted: plainAnswer.new?.text ?? '' })
    await it.compose()
    expect(it.mail.signatures).toEqual([])
  })
})

describe('changed recipients', () => {
  it('change the kind without a request', async () => {
    const it = outlook({ to: ['carla@acme.example'] })
    await it.compose()
    await it.changeRecipients(['carla@acme.example', 'customer@example.org'])
    expect(keysIn(it)).toEqual(['anna-new'])
    await it.changeRecipients(['carla@acme.example'])
    expect(keysIn(it)).toEqual(['anna-internal'])
    expect(it.requests).toHaveLength(1)
  })

  it('of the same kind leave the mail alone', async () => {
    const it = outlook({ to: ['customer@example.org'] })
    await it.compose()
    it.office.calls.length = 0
    await it.changeRecipients(['other@example.org'])
    expect(it.office.calls.filter(name => name.startsWith('body.'))).toEqual([])
  })

  it.each(['html', 'text'] as const)(
    'do not bring back a signature that the user removed (%s)',
    async type => {
      const it = outlook({ to: ['customer@example.org'], type, written: 'My very secret text' })
      await it.compose()
      it.mail.removeSignature()
      await it.changeRecipients(['carla@acme.example'])
      await it.changeRecipients(['customer@example.org'])
      expect(it.mail.signatures).toEqual([])
    },
  )

  it.each(['web', 'phone', 'classic', 'bookmark'] as const)(
    'do not take the quoted signature of a colleague for the own one (%s)',
    async name => {
      const it = outlook({ composeType: 'reply', quote: quotes[name], to: ['customer@example.org'] })
      await it.compose()
      it.mail.removeSignature()
      it.office.calls.length = 0
      await it.changeRecipients(['carla@acme.example'])
      expect(it.mail.signatures).toEqual([])
      expect(it.office.calls).not.toContain('body.setSignatureAsync')
    },
  )

  it('of the same kind leave the mail alone where Outlook has no session data', async () => {
    const it = outlook({ lacks: ['sessionData'], to: ['customer@example.org'] })
    await it.compose()
    it.office.calls.length = 0
    await it.changeRecipients(['other@example.org'])
    expect(it.office.calls).not.toContain('body.setSignatureAsync')
  })

  it.each([annasAnswer, plainAnswer])(
    'are followed where Outlook has no session data (phones)',
    async mood => {
      const it = outlook({ mood, lacks: ['sessionData'], to: ['customer@example.org'], host: 'OutlookIOS' })
      await it.compose()
      await it.changeRecipients(['carla@acme.example'])
      expect(it.mail.session.size).toBe(0)
      expect(it.mail.body).toContain(mood === annasAnswer ? 'anna-internal' : '<p>Acme GmbH</p>')
      await it.changeRecipients(['customer@example.org'])
      expect(it.mail.signatures).toHaveLength(1)
      expect(it.mail.body).toContain(mood === annasAnswer ? 'anna-new' : '1234567')
    },
  )

  const hiddenInside = { ...annasAnswer, internal: { html: '', text: '', sha: 'hidden' } }

  it('take the signature away where the internal one is hidden, and bring it back', async () => {
    const it = outlook({ mood: hiddenInside })
    await it.compose()
    await it.changeRecipients(['carla@acme.example'])
    expect(it.mail.signatures).toEqual([])
    await it.changeRecipients(['carla@acme.example', 'customer@example.org'])
    expect(keysIn(it)).toEqual(['anna-new'])
  })

  it('never lose a signature where Outlook has no session data', async () => {
    const it = outlook({ mood: hiddenInside, lacks: ['sessionData'] })
    await it.compose()
    await it.changeRecipients(['carla@acme.example'])
    await it.changeRecipients(['carla@acme.example', 'customer@example.org'])
    expect(keysIn(it)).toEqual(['anna-new'])
  })

  it('ask the service where Outlook stores nothing', async () => {
    const it = outlook({ storage: null, to: ['customer@example.org'] })
    await it.compose()
    await it.changeRecipients(['carla@acme.example'])
    expect(keysIn(it)).toEqual(['anna-internal'])
    expect(it.requests).toHaveLength(2)
  })
})

describe('a changed sender', () => {
  it.each(['html', 'text'] as const)('brings the signature of the other address (%s)', async type => {
    const it = outlook({ mood: forAnnaAndBert, type })
    await it.compose()
    await it.changeFrom('bert@acme.example')
    expect(keysIn(it)).toEqual(['bert-new'])
    await it.changeFrom('anna@acme.example')
    expect(keysIn(it)).toEqual(['anna-new'])
  })

  it.each(Object.entries(quotes))('replaces the signature above a quote (%s)', async (_name, quote) => {
    const it = outlook({ mood: forAnnaAndBert, composeType: 'reply', quote })
    await it.compose()
    await it.changeFrom('bert@acme.example')
    expect(keysIn(it)).toEqual(['bert-reply'])
  })

  it.each([
    ['html', false],
    ['text', false],
    ['html', true],
    ['text', true],
  ] as const)('replaces a signature without links (%s), or keeps it (%s)', async (type, stacks) => {
    const bert = { html: '<p>Bert Meier</p>', text: 'Bert Meier', sha: 'bert' }
    const other = { new: bert, reply: bert, internal: null, domains: [] }
    const it = outlook({ type, stacks, mood: from => (from === 'bert@acme.example' ? other : plainAnswer) })
    await it.compose()
    const [first] = it.mail.signatures
    await it.changeFrom('bert@acme.example')
    expect(it.mail.signatures).toEqual([stacks ? first : bert[type]])
  })

  it('takes away the signature of the other person where the new address has none', async () => {
    const it = outlook({ mood: forAnnaAndBert, written: 'Dear customer' })
    await it.compose()
    await it.changeFrom('info@acme.example')
    expect([it.mail.signatures, it.mail.written]).toEqual([[], 'Dear customer'])
    await it.changeFrom('anna@acme.example')
    expect(keysIn(it)).toEqual(['anna-new'])
    await it.changeFrom('info@acme.example')
    await it.changeFrom('bert@acme.example')
    expect(keysIn(it)).toEqual(['bert-new'])
  })

  it('is the account itself where Outlook does not tell the sender', async () => {
    const it = outlook({ lacks: ['from', 'sessionData', 'getComposeTypeAsync'], from: 'bert@acme.example' })
    await it.compose()
    expect(it.requests).toEqual(['GET /signature?from=anna%40acme.example'])
    expect(keysIn(it)).toEqual(['anna-new'])
  })
})

const filled = async (): Promise<Map<string, string>> => {
  const storage = new Map<string, string>()
  await outlook({ storage }).compose()
  return storage
}

describe('a service that is', () => {
  it.each(['away', 500, 429, 408, 'broken'] as const)('%s is replaced by the stored answer', async mood => {
    const it = outlook({ mood, storage: await filled() })
    await it.compose()
    expect([keysIn(it), it.troubles]).toEqual([['anna-new'], []])
  })

  it.each([401, 403, 404])('refusing (%s) is obeyed, and the stored answer is forgotten', async mood => {
    const storage = await filled()
    const it = outlook({ mood, storage })
    await it.compose()
    expect([it.mail.signatures, it.troubles[0]?.code]).toEqual([[], 'refused'])
    const later = outlook({ mood: 'away', storage })
    await later.compose()
    expect([later.mail.signatures, later.troubles[0]?.code]).toEqual([[], 'fetch_failed'])
  })

  it('slow to refuse is obeyed from the next mail on', async () => {
    const storage = await filled()
    const { promise, resolve } = Promise.withResolvers<number>()
    const it = outlook({ mood: promise, storage })
    const done = it.compose()
    await it.clock.pass(3_100)
    expect(keysIn(it)).toEqual(['anna-new'])
    resolve(404)
    await done
    const later = outlook({ mood: 'away', storage })
    await later.compose()
    expect(later.mail.signatures).toEqual([])
  })

  it('slow is waited for three seconds, then the stored answer is used and the new one is stored', async () => {
    const storage = await filled()
    const newer = { ...annasAnswer, new: signatureOf('Anna', 'anna-newer') }
    const { promise, resolve } = Promise.withResolvers<SignatureAnswer>()
    const it = outlook({ mood: promise, storage })
    const done = it.compose()
    await it.clock.pass(2_900)
    expect(it.mail.signatures).toEqual([])
    await it.clock.pass(200)
    expect(keysIn(it)).toEqual(['anna-new'])
    let isDone = false
    void done.then(() => {
      isDone = true
    })
    await it.clock.pass(1_000)
    expect(isDone).toBe(false)
    resolve(newer)
    await done
    expect(storage.get('signoff:anna@acme.example')).toContain('anna-newer')
  })

  it('slow is waited for ten seconds where nothing is stored', async () => {
    const { promise, resolve } = Promise.withResolvers<SignatureAnswer>()
    const it = outlook({ mood: promise })
    const done = it.compose()
    await it.clock.pass(9_000)
    resolve(annasAnswer)
    await done
    expect(keysIn(it)).toEqual(['anna-new'])
  })

  it('silent leaves the mail alone after ten seconds', async () => {
    const it = outlook({ mood: new Promise(() => {}), storage: null })
    const done = it.compose()
    await it.clock.pass(10_100)
    await done
    expect([it.mail.signatures, it.troubles[0]?.code]).toEqual([[], 'timeout'])
  })

  it('away for more than a month brings no old signature', async () => {
    const storage = await filled()
    const it = outlook({ mood: 'away', storage })
    await it.clock.pass(31 * 24 * 3_600_000)
    await it.compose()
    expect([it.mail.signatures, it.troubles[0]?.code]).toEqual([[], 'fetch_failed'])
  })

  it.each([
    ['away', 'fetch_failed'],
    [503, 'fetch_failed'],
    ['broken', 'fetch_failed'],
    [401, 'refused'],
    [404, 'refused'],
    [429, 'fetch_failed'],
  ] as const)('%s is reported as %s, and the mail stays as it is', async (mood, code) => {
    const it = outlook({ mood, ownSignature: '<p>Own</p>', written: 'My very secret text' })
    await it.compose()
    expect(it.mail.signatures).toEqual(['<p>Own</p>'])
    expect(it.troubles).toEqual([
      { code, host: 'Outlook', platform: 'PC 16.0.18324.20032', from: 'anna@acme.example' },
    ])
  })
})

describe('an Outlook that', () => {
  it('takes 30,000 characters gets the text of a longer signature, and a report', async () => {
    const long = { ...signatureOf('Anna', 'anna-new'), html: `<p>${'x'.repeat(31_000)}</p>` }
    const it = outlook({ mood: { ...annasAnswer, new: long } })
    await it.compose()
    expect([it.mail.signatures, it.troubles[0]?.code]).toEqual([[long.text], 'too_long'])
    await it.compose()
    expect(it.mail.signatures).toHaveLength(1)
  })

  it.each(['html', 'text'] as const)('refuses the second signature keeps the first one (%s)', async type => {
    const it = outlook({ type, mood: forAnnaAndBert, refuses: 'Bert', written: 'Dear customer' })
    await it.compose()
    const before = it.mail.signatures
    expect(before).toHaveLength(1)
    await it.changeFrom('bert@acme.example')
    expect([it.mail.signatures, it.troubles[0]?.code]).toEqual([before, 'set_failed'])
  })

  it('takes 30,000 characters keeps the signature that a longer one cannot replace', async () => {
    const x = 'x'.repeat(31_000)
    const long = { html: x, text: x, sha: 'long' }
    const other = { new: long, reply: long, internal: null, domains: [] }
    const it = outlook({ mood: from => (from === 'bert@acme.example' ? other : annasAnswer) })
    await it.compose()
    await it.changeFrom('bert@acme.example')
    expect([keysIn(it), it.troubles[0]?.code]).toEqual([['anna-new'], 'too_long'])
  })

  it('takes 30,000 characters gets nothing where the text is longer too', async () => {
    const long = 'x'.repeat(31_000)
    const it = outlook({ mood: { ...annasAnswer, new: { html: long, text: long, sha: 'long' } } })
    await it.compose()
    expect([it.mail.signatures, it.troubles[0]?.code]).toEqual([[], 'too_long'])
  })

  it.each([
    ['body.getTypeAsync', 'body_type'],
    ['body.setSignatureAsync', 'set_failed'],
    ['body.getAsync', 'unexpected'],
  ] as const)('fails in %s keeps the mail, and reports %s', async (name, code) => {
    const it = outlook({ fails: [name] })
    await it.compose()
    expect([it.mail.signatures, it.troubles[0]?.code]).toEqual([[], code])
  })

  it.each([
    'sessionData.setAsync',
    'disableClientSignatureAsync',
    'getComposeTypeAsync',
    'from.getAsync',
    'to.getAsync',
  ])('fails in %s gets its signature', async name => {
    const it = outlook({ fails: [name] })
    await it.compose()
    expect([keysIn(it), it.troubles]).toEqual([['anna-new'], []])
  })

  it.each(['body.getTypeAsync', 'from.getAsync', 'body.setSignatureAsync'])(
    'never answers %s is left after 25 seconds, and later events work',
    async name => {
      const it = outlook({ hangs: [name] })
      const first = it.compose()
      const second = it.changeRecipients(['carla@acme.example'])
      await it.clock.pass(25_100)
      await first
      expect(it.troubles.map(({ code }) => code)).toEqual(['timeout'])
      it.troubles.length = 0
      await it.clock.pass(25_100)
      await second
      it.office.release()
      await it.clock.pass(1_000)
      it.expectClean()
    },
  )
})
