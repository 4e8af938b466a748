// Why the service does not take what was typed, and where in the content the reason is.
import type { Content } from '@signoff/render'
import { needsSignIn } from '#api/client.ts'
import { type AnyBlock, childrenOf } from '#records/content/block.ts'
import { isSignoffError } from '#state/errors.ts'

export type Refusal = 'signedOut' | 'forbidden' | 'deleted' | 'content' | 'other'

const reasons: ReadonlyMap<number, Refusal> = new Map([
  [403, 'forbidden'],
  [404, 'deleted'],
  [410, 'deleted'],
  [422, 'content'],
])

export function refusalOf(error: unknown): Refusal {
  if (needsSignIn(error)) return 'signedOut'
  const status = isSignoffError(error) ? error.status : 0
  return reasons.get(status) ?? 'other'
}

/** The innermost block that the first detail names: `signature.draft_content.children[1].children[0].href`. */
export function refusedBlock(tree: Content, error: unknown): AnyBlock | undefined {
  const field = isSignoffError(error) ? error.details[0]?.field : undefined
  const steps = [...(field?.matchAll(/children\[(\d+)\]/g) ?? [])].map(([, index]) => Number(index))
  if (steps.length === 0) return undefined
  return steps.reduce<AnyBlock>((block, index) => childrenOf(block)[index] ?? block, tree)
}
