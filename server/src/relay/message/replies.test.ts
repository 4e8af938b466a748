// Replies and forwards as some ninety mail clients write them in thirty languages. `«here»` is where the signature must
// stand, `«or»` where it may stand too. The names, texts and addresses are made up; the forms are those of the clients.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inspectMessage } from './index.ts'

interface Reply {
  readonly id: string
  readonly client: string
  readonly language: string
  readonly format: 'text' | 'html'
  /** The header says that the message answers another one. */
  readonly isAnswer: boolean
  readonly subject: string
  readonly body: string
}

const options = { instance: 'here', linkHosts: ['links.example.com'], stampsAutoReplies: false }

const repliesIn = (file: string): Reply[] =>
  readFileSync(join(import.meta.dirname, '../../../test/messages', file), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

/** The body without its marks, and their offsets in it. */
function unmarked(body: string): { readonly bytes: Buffer; readonly places: readonly number[] } {
  const pieces = body.split(/^«(?:here|or)»\n?/m)
  const bytes = Buffer.from(pieces.join(''))
  const places = pieces.slice(1).map((_, at) => Buffer.byteLength(pieces.slice(0, at + 1).join('')))
  return { bytes, places }
}

/** Two places are the same when a reader sees nothing between them. */
function isBlank(between: string, format: Reply['format']): boolean {
  const text = format === 'html' ? between.replace(/<[^>]*>|&nbsp;/g, '') : between
  return text.replace(/[\s\u00a0\u200b\ufeff]/g, '') === ''
}

async function isRight({ format, isAnswer, subject, body }: Reply): Promise<boolean> {
  const { bytes, places } = unmarked(body)
  const header = [
    'From: ada@example.com',
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    ...(isAnswer ? ['In-Reply-To: <1@example.org>'] : []),
    'MIME-Version: 1.0',
    `Content-Type: text/${format === 'html' ? 'html' : 'plain'}; charset=utf-8`,
    'Content-Transfer-Encoding: 8bit',
  ]
  const message = Buffer.concat([Buffer.from(`${header.join('\n')}\n\n`), bytes])
  const inspection = await inspectMessage(message, options)
  if (inspection.action === 'leave') return false
  const place = inspection.plan.bodies[0]?.place ?? -1
  return places.some(expected =>
    isBlank(bytes.subarray(Math.min(expected, place), Math.max(expected, place)).toString(), format),
  )
}

/** In files of replies, those whose place is not found. */
const missed: Readonly<Record<string, readonly string[]>> = {
  'replies.jsonl': ['tricky-hash-quote'], // quoted with `#`, as headings of Markdown are
  'replies-second.jsonl': [],
  'replies-third.jsonl': [],
  // Below the last answer and above the rest of a quote; a table of Notes; a cited line between rules in a new mail.
  'replies-fourth.jsonl': ['d4-033', 'd4-093', 'd4-158'],
}

describe.each(Object.entries(missed))('the place of a signature in %s', (file, wrong) => {
  it('is right, but for those that are known to be wrong', async () => {
    const replies = repliesIn(file)
    expect(new Set(replies.map(({ id }) => id)).size).toBe(replies.length)
    const wrongIds: string[] = []
    for (const reply of replies) if (!(await isRight(reply))) wrongIds.push(reply.id)
    expect(wrongIds).toEqual(wrong)
  })

  it('is known for many clients and languages', () => {
    const replies = repliesIn(file)
    expect(new Set(replies.map(({ client }) => client)).size).toBeGreaterThan(20)
    expect(new Set(replies.map(({ language }) => language)).size).toBeGreaterThan(12)
  })
})
