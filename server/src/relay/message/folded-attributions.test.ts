// Attributions of many clients and languages, folded at every width.
// @module-tag random
import { describe, expect, it } from 'vitest'
import { attributionForms } from '#test/messages/attribution-forms.ts'
import { attributions, foldText } from '#test/messages/attributions.ts'
import { roundRobin } from '#test/support/runs.ts'
import { inspectMessage } from './index.ts'

const options = { instance: 'here', linkHosts: ['links.example.com'], stampsAutoReplies: false }

/** The end of what the sender wrote. */
const endings = [
  'Yes, that works for me.\n\nBest regards,\nAda',
  'See you then!\n\nViele Grüße\nAda Lovelace',
  '- first item\n- second item',
  'Danke! Wir sehen uns am 20.11.2026 um 14:00',
  'Ada Lovelace | Analytical Engines Ltd\n+44 20 7946 0018 | ada@example.com',
  'Cordialement,\n\nAda\n-- \nEnvoyé de mon appareil mobile',
  'Ok',
  'I will send you the numbers of the third quarter tomorrow, and the others\nas soon as Bob has looked through them.',
  'The meeting is on 20 Nov 2026, 10:00',
  'Ваша Ада',
]
const nextEndings = roundRobin(endings, 1)
const nextAttributions = roundRobin(attributions, 500)
const most = 6

/** The lines of each different fold at 24 to 76 columns. */
function foldsOf(text: string): readonly (readonly string[])[] {
  const folds = Array.from({ length: 53 }, (_, at) => foldText(text, at + 24))
  const distinct = new Map(folds.map(lines => [lines.join('\n'), lines]))
  return [...distinct.values()].filter(lines => lines.length <= most)
}

type Body = (ending: string, lines: readonly string[]) => readonly [own: string, quote: string]

async function isRight(subtype: 'plain' | 'html', [own, quote]: readonly [string, string]): Promise<boolean> {
  const header = [
    'From: ada@example.com',
    'In-Reply-To: <1@example.org>',
    'MIME-Version: 1.0',
    `Content-Type: text/${subtype}; charset=utf-8`,
    'Content-Transfer-Encoding: 8bit',
  ]
  const message = Buffer.from(`${header.join('\n')}\n\n${own}${quote}`)
  const inspection = await inspectMessage(message, options)
  if (inspection.action === 'leave') return false
  const [body] = inspection.plan.bodies
  if (!body) return false
  const ends = [body.place, Buffer.byteLength(own)].sort((a, b) => a - b)
  return /^\s*$/.test(body.bytes.toString('utf8', ...ends).replace(/<[^>]*>/g, ''))
}

/** The cases that are wrong, and the number of all. */
async function judge(subtype: 'plain' | 'html', bodyOf: Body, texts: readonly string[]) {
  const wrong: string[] = []
  let count = 0
  for (const text of texts)
    for (const lines of foldsOf(text)) {
      count++
      const [ending = ''] = nextEndings()
      const body = bodyOf(ending, lines)
      if (!(await isRight(subtype, body))) wrong.push(body.join('«here»'))
    }
  return { wrong, count }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const inHtml = (text: string): string => escaped(text).replaceAll('\n', '<br>')

const bodies: readonly (readonly [string, 'plain' | 'html', Body])[] = [
  [
    'before lines with a quote mark',
    'plain',
    (ending, lines) => [ending, `\n\n${lines.join('\n')}\n> How are you?\n`],
  ],
  [
    'before an empty line and a quote mark',
    'plain',
    (ending, lines) => [ending, `\n\n${lines.join('\n')}\n\n> How are you?\n`],
  ],
  [
    'before a blockquote, in an element of its own',
    'html',
    (ending, lines) => [
      `<div>${inHtml(ending)}</div>`,
      `<div>${inHtml(lines.join('\n'))}</div><blockquote>How are you?</blockquote>`,
    ],
  ],
  [
    'before a blockquote, behind line breaks',
    'html',
    (ending, lines) => [
      inHtml(ending),
      `<br><br>${inHtml(lines.join('\n'))}<br><blockquote>How are you?</blockquote>`,
    ],
  ],
]

/** Without a quote mark behind it, an attribution needs a date, and a word for *wrote* or an address at its end. */
const isProof = (text: string): boolean => /\p{Nd}/u.test(text) && !/^Missatge de |^\* .*\]:$/.test(text)

describe('a folded attribution', () => {
  it('is tested for many clients and languages', () => {
    expect(new Set(attributions.map(({ client }) => client)).size).toBeGreaterThan(40)
    expect(Object.keys(attributionForms).length).toBeGreaterThan(40)
  })

  it.each(bodies)('is found %s', async (_name, subtype, bodyOf) => {
    const texts = nextAttributions().map(({ text }) => text)
    expect((await judge(subtype, bodyOf, texts)).wrong).toEqual([])
  })

  it.each([
    ['an empty line and a quote', '\n\n'],
    ['a quote', '\n'],
  ])('is found before %s without marks', async (_name, gap) => {
    const texts = nextAttributions()
      .map(({ text }) => text)
      .filter(isProof)
    const bodyOf: Body = (ending, lines) => [ending, `\n\n${lines.join('\n')}${gap}How are you?\n`]
    expect((await judge('plain', bodyOf, texts)).wrong).toEqual([])
  })

  it('is found directly below the text of the sender, but for lines of the same length', async () => {
    const texts = nextAttributions().map(({ text }) => text)
    const bodyOf: Body = (ending, lines) => [ending, `\n${lines.join('\n')}\n> How are you?\n`]
    const { wrong, count } = await judge('plain', bodyOf, texts)
    expect(wrong.length / count).toBeLessThan(0.04)
  })
})
