import type { StampPlan, StampSignature } from '../inspection.ts'
import { processedHeaderName } from '../leave.ts'
import { applyEdits } from './edits.ts'
import { stampHtml } from './stamp-html.ts'
import { stampText } from './stamp-text.ts'

/**
 * The message with the signature, in chunks: bytes that do not change are slices of the message. Throws only when the
 * plan is not of this message.
 */
export function stampMessage(message: Buffer, plan: StampPlan, signature: StampSignature): Buffer[] {
  if (plan.message !== message) throw new Error('the plan was made from another message')
  const edits = plan.bodies.flatMap(body =>
    body.kind === 'html'
      ? stampHtml(message, body, signature.html, plan.newline)
      : stampText(message, body, signature.text, plan.newline),
  )
  return applyEdits(message, edits)
}

/** The line that goes to the very top of every message that passes. The relay writes it before the chunks. */
export const processedHeader = (instance: string): Buffer =>
  Buffer.from(`${processedHeaderName}: ${instance}\r\n`)
