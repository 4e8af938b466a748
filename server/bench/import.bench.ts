import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'parse5'
import { convertHtml } from '#features/content/content-import/convert.ts'
import type { Bench, Figure } from './support/bench.ts'

const word = join(import.meta.dirname, '../test/signatures/outlook-word.html')
const size = 50 * 1024
const rounds = 60

/** A signature of Word: its style sheet, and its paragraphs as often as the size needs. */
function largeWordSignature(): string {
  const html = readFileSync(word, 'utf8')
  const start = html.indexOf('<p class=MsoNormal>')
  const end = html.lastIndexOf('</div>')
  const paragraphs = html.slice(start, end)
  const count = Math.ceil((size - (html.length - paragraphs.length)) / paragraphs.length)
  return html.slice(0, start) + paragraphs.repeat(count) + html.slice(end)
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The time that this thread computes: other programs on the machine do not count. */
const cpuMilliseconds = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

async function run(): Promise<Figure[]> {
  const html = largeWordSignature()
  const imports: number[] = []
  const parses: number[] = []
  // Alternately, so that both find the same state of the machine.
  for (let round = 0; round < rounds; round++) {
    let began = cpuMilliseconds()
    await convertHtml(html)
    imports.push(cpuMilliseconds() - began)
    began = cpuMilliseconds()
    parse(html)
    parses.push(cpuMilliseconds() - began)
  }
  const milliseconds = median(imports)
  const kilobytes = Math.round(html.length / 1024)
  return [
    {
      what: `import of a Word signature of ${kilobytes} KB, in milliseconds of CPU`,
      value: milliseconds,
      limit: { most: 50 },
    },
    {
      what: 'the same, against parsing its HTML alone',
      value: milliseconds / median(parses),
      limit: { most: 10 },
      note: `parsing takes ${median(parses).toFixed(2)} ms`,
    },
  ]
}

export const benches: readonly Bench[] = [{ name: 'import', run }]
