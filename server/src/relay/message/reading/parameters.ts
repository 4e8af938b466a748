import type { HeaderField } from './headers.ts'

export interface HeaderParameter {
  readonly value: string
  /** Byte offsets of the value as written, with its quotes. Some senders write a parameter twice. */
  readonly ranges: { readonly start: number; readonly end: number }[]
}

/** `text/html; charset="utf-8"`: the word before the first semicolon in lower case, and the parameters. */
export interface ParameterizedField {
  readonly word: string
  readonly parameters: ReadonlyMap<string, HeaderParameter>
  /** A parameter comes twice with two values, or there are very many: readers disagree what counts. */
  readonly isContradictory: boolean
}

const isSpace = (char: string | undefined): boolean =>
  char === ' ' || char === '\t' || char === '\r' || char === '\n'

/** Skips white space and comments in parentheses. */
function skipSpace(text: string, from: number): number {
  let at = from
  let depth = 0
  while (at < text.length) {
    const char = text[at]
    if (depth > 0 && char === '\\') at++
    else if (char === '(') depth++
    else if (depth > 0 && char === ')') depth--
    else if (depth === 0 && !isSpace(char)) break
    at++
  }
  return Math.min(at, text.length)
}

function readUntil(text: string, from: number, stops: string): number {
  let at = from
  while (at < text.length && !stops.includes(text[at] as string)) at++
  return at
}

/** A quoted value or a word. `end` is after the closing quote. */
function readValue(text: string, from: number): { value: string; end: number } {
  if (text[from] !== '"') {
    const end = readUntil(text, from, '; \t\r\n')
    return { value: text.slice(from, end), end }
  }
  let value = ''
  let at = from + 1
  while (at < text.length && text[at] !== '"') {
    if (text[at] === '\\') at++
    if (at < text.length && text[at] !== '\r' && text[at] !== '\n') value += text[at]
    at++
  }
  return { value, end: Math.min(at + 1, text.length) }
}

const mostParameters = 100

export function readParameters(message: Buffer, field: HeaderField): ParameterizedField {
  const text = message.toString('latin1', field.valueAt, field.end)
  const wordAt = skipSpace(text, 0)
  let at = readUntil(text, wordAt, '; \t\r\n(')
  const word = text.slice(wordAt, at).toLowerCase()
  const parameters = new Map<string, HeaderParameter>()
  let isContradictory = false
  let count = 0
  while (at < text.length) {
    if (++count > mostParameters) return { word, parameters, isContradictory: true }
    at = readUntil(text, at, ';') + 1
    const nameAt = skipSpace(text, at)
    const nameEnd = readUntil(text, nameAt, '=; \t\r\n')
    const equals = skipSpace(text, nameEnd)
    if (text[equals] !== '=') {
      at = nameEnd
      continue
    }
    const valueAt = skipSpace(text, equals + 1)
    const { value, end } = readValue(text, valueAt)
    const name = text.slice(nameAt, nameEnd).toLowerCase()
    const parameter = parameters.get(name) ?? { value, ranges: [] }
    parameters.set(name, parameter)
    parameter.ranges.push({ start: field.valueAt + valueAt, end: field.valueAt + end })
    if (parameter.value !== value) isContradictory = true
    at = end
  }
  return { word, parameters, isContradictory }
}
