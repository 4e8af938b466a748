// Builders for signatures in tests.
import type { Answer, TestApp } from './app.ts'

export const text = (value: string) => ({ type: 'text', tokens: [{ type: 'textToken', value }] })
export const field = (smartFieldUuid: string) => ({
  type: 'text',
  tokens: [{ type: 'textToken', smartFieldUuid }],
})
/** A text block with a fixed text, a space and the value of a smart field. */
export const textWithField = (value: string, smartFieldUuid: string) => ({
  type: 'text',
  tokens: [{ value: `${value} ` }, { smartFieldUuid }],
})
export const stack = (...children: object[]) => ({ type: 'stack', children })

let n = 0
export const createSignature = (app: TestApp, more: object = {}): Promise<Answer> =>
  app.post('/v1/signatures', { signature: { name: `Signature ${++n}`, ...more } })

/** Removes the ids that the service adds. */
export function withoutIds(content: unknown): unknown {
  if (Array.isArray(content)) return content.map(withoutIds)
  if (typeof content !== 'object' || content === null) return content
  const { id: _, ...rest } = content as Record<string, unknown>
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withoutIds(value)]))
}
