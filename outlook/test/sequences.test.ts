// Random sequences of events and of what the user does, against a model of what the mail must carry.
// @module-tag random
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { runs } from '../../server/test/support/runs.ts'
import { bundledScript } from '../build/bundle.ts'
import type { MailSignature, SignatureAnswer } from '../src/wire.ts'
import { ClassicOutlook } from './support/classic.ts'
import { annasAnswer, bertsAnswer, noAnswer, plainAnswer, signatureOf } from './support/signatures.ts'

let script = ''
beforeAll(async () => {
  script = await bundledScript('launch.js')
})

const answers: Readonly<Record<string, SignatureAnswer>> = {
  'anna@acme.example': annasAnswer,
  'bert@acme.example': bertsAnswer,
  'plain@acme.example': plainAnswer,
  'hidden@acme.example': {
    new: signatureOf('Dora', 'dora-new'),
    reply: signatureOf('Dora', 'dora-reply'),
    internal: { html: '', text: '', sha: 'hidden' },
    domains: ['acme.example'],
  },
  'info@acme.example': noAnswer,
}
const senders = Object.keys(answers)
const answerOf = (from: string): SignatureAnswer => answers[from] ?? noAnswer

/** A quote that has a signature of the service, in one of the ways that Outlook begins quotes. */
const quote = `<div id="divRplyFwdMsg">From: Bert</div>${bertsAnswer.new?.html}`
const textQuote = `________________________________\nFrom: Bert\n${bertsAnswer.new?.text}`

const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('from' as const), from: fc.constantFrom(...senders) }),
    fc.record({ do: fc.constant('recipients' as const), isInternal: fc.boolean() }),
    fc.record({ do: fc.constant('compose' as const) }),
    fc.record({ do: fc.constant('remove' as const) }),
    fc.record({ do: fc.constant('away' as const), isAway: fc.boolean() }),
  ),
  { maxLength: 8 },
)

const setups = fc.record({
  from: fc.constantFrom(...senders),
  isReply: fc.boolean(),
  type: fc.constantFrom('html' as const, 'text' as const),
  stacks: fc.boolean(),
  hasSession: fc.boolean(),
  hasStorage: fc.boolean(),
  steps,
})

/** The signature in the mail where everything works: null is none. */
class Model {
  from: string
  isInternal = false
  /** False from when the user removes a signature until the sender changes. */
  isThere = false
  readonly isReply: boolean

  constructor(from: string, isReply: boolean) {
    this.from = from
    this.isReply = isReply
  }

  get expected(): MailSignature | null {
    const answer = answerOf(this.from)
    const target =
      this.isInternal && answer.internal ? answer.internal : answer[this.isReply ? 'reply' : 'new']
    return this.isThere && target?.html ? target : null
  }
}

/** Every signature of the service is recognised by its text: letters only, as the stand-in rewrites HTML. */
const lettersOf = (text: string): string => text.replace(/<[^<>]*>|&\w+;|[^A-Za-z0-9]/g, '')

const shapeOf = (signature: MailSignature | null, type: 'html' | 'text'): string[] =>
  signature ? [lettersOf(signature[type])] : []

it('leaves one signature at most, and the right one where Outlook replaces', async () => {
  await fc.assert(
    fc.asyncProperty(setups, async ({ from, isReply, type, stacks, hasSession, hasStorage, steps }) => {
      const model = new Model(from, isReply)
      let isAway = false
      const outlook = new ClassicOutlook(script, {
        from,
        composeType: isReply ? 'reply' : 'newMail',
        type,
        stacks,
        quote: isReply ? (type === 'html' ? quote : textQuote) : '',
        written: 'Dear customer',
        lacks: hasSession ? [] : ['sessionData'],
        mood: sender => (isAway ? 'away' : answerOf(sender)),
        ...(!hasStorage && { storage: null }),
      })
      const act = async (step: (typeof steps)[number]): Promise<void> => {
        if (step.do === 'away') {
          isAway = step.isAway
        } else if (step.do === 'remove') {
          outlook.mail.removeSignature()
          if (model.expected) model.isThere = false
        } else if (step.do === 'recipients') {
          model.isInternal = step.isInternal
          await outlook.changeRecipients([step.isInternal ? 'carla@acme.example' : 'customer@example.org'])
        } else if (step.do === 'compose') {
          await outlook.compose()
        } else if (step.from !== model.from) {
          model.from = step.from
          model.isThere = true
          await outlook.changeFrom(step.from)
        }
        outlook.troubles.length = 0
        expect(outlook.mail.signatures.length).toBeLessThanOrEqual(1)
        expect(outlook.mail.written).toBe('Dear customer')
      }
      await act({ do: 'compose' })
      model.isThere = true
      for (const step of steps) await act(step)

      // Without session data a removed signature, a hidden one and a repeated event cannot be told apart.
      if (hasSession && !stacks && !steps.some(step => step.do === 'away'))
        expect(outlook.mail.signatures.map(lettersOf)).toEqual(shapeOf(model.expected, type))
    }),
    { numRuns: runs(300) },
  )
})
