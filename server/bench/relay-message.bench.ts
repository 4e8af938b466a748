// What the relay does with the bytes of a message, without SMTP: find the place of the signature, put it there.
import { inspectMessage, stampMessage } from '#relay/message/index.ts'
import {
  alternative,
  type CorpusPart,
  file,
  html,
  mixed,
  picture,
  related,
  reply,
  text,
} from '../test/messages/builder.ts'
import type { Bench, Figure } from './support/bench.ts'

const rounds = 200
const options = { instance: 'bench', linkHosts: ['links.example.com'], stampsAutoReplies: false }
/** 5 kB, as large signatures are. */
const signature = {
  html: `<table role="presentation"><tr>${'<td style="padding:0;font-family:Arial">Łucja Ångström</td>'.repeat(80)}</tr></table>`,
  text: 'Łucja Ångström\nMathematician – Example Ltd\nWebsite: https://example.com',
}

const words = 'The engine weaves algebraic patterns, as the loom weaves flowers and leaves. '
const quoted = (paragraphs: number) =>
  `<div class="gmail_quote">On 16 Nov 2026 Bob wrote:<br><blockquote>${`<p class="MsoNormal">${words}</p>`.repeat(paragraphs)}</blockquote></div>`
const answer = (paragraphs: number): CorpusPart =>
  alternative(
    text(`It does.\n\nOn Mon, 16 Nov 2026 at 09:41 Bob wrote:\n${`> ${words}\n`.repeat(paragraphs)}`),
    html(`<div dir="ltr">${`<p>${words}</p>`.repeat(20)}</div>${quoted(paragraphs)}`),
  )

const messages: readonly (readonly [string, Buffer, number | undefined])[] = [
  ['text, 2 kB', reply('a', text(words.repeat(24))).bytes, undefined],
  ['text and HTML with a long quote, 23 kB', reply('b', answer(110)).bytes, undefined],
  [
    'a picture in the text, 0.2 MB',
    reply('c', related(answer(20), { ...picture('x'), body: file('x', 'image/png', 150_000).body })).bytes,
    undefined,
  ],
  ['a file, 2 MB', reply('d', mixed(answer(110), file('a.pdf', 'application/pdf', 1_450_000))).bytes, 3],
  [
    'files, 24 MB',
    reply('e', mixed(answer(110), file('a.pdf', 'application/pdf', 17_500_000))).bytes,
    undefined,
  ],
]

/** Per call, over many calls: the clock of the CPU time advances by whole milliseconds on some machines. */
async function cpuMilliseconds(work: () => Promise<unknown>, rounds: number): Promise<number> {
  const began = process.threadCpuUsage()
  for (let round = 0; round < rounds; round++) await work()
  const { user, system } = process.threadCpuUsage(began)
  return (user + system) / 1_000 / rounds
}

async function measure(message: Buffer): Promise<{ inspect: number; both: number }> {
  const stamp = async () => {
    const inspection = await inspectMessage(message, options)
    if (inspection.action === 'leave') throw new Error(`the message is left alone: ${inspection.reason}`)
    stampMessage(message, inspection.plan, signature)
  }
  return {
    inspect: await cpuMilliseconds(() => inspectMessage(message, options), rounds),
    both: await cpuMilliseconds(stamp, rounds),
  }
}

async function run(): Promise<Figure[]> {
  // The code is compiled with all of them before the first is measured.
  for (const [, bytes] of messages) await measure(bytes)
  const figures: Figure[] = []
  for (const [name, bytes, most] of messages) {
    const { inspect, both } = await measure(bytes)
    figures.push({
      what: `find the place and stamp, ${name}, in milliseconds of CPU`,
      value: both,
      ...(most === undefined ? {} : { limit: { most } }),
      note: `${inspect.toFixed(2)} ms to find the place; ${(bytes.length / 1e6).toFixed(3)} MB`,
    })
  }
  return figures
}

export const benches: readonly Bench[] = [{ name: 'relay messages', run }]
