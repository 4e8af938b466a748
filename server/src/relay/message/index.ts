// The message part of the relay: finds the place of the signature in a message, and puts it there. Bytes in, bytes out.
import type { InspectionOptions, MessageInspection, StampPlan, StampSignature } from './inspection.ts'

export type {
  InspectionOptions,
  LeaveReason,
  MessageInspection,
  StampPlan,
  StampSignature,
} from './inspection.ts'
export { leaveReasons } from './inspection.ts'

/** Decides whether a message gets a signature, and where. Takes linear time and never throws for what a message holds. */
export function inspectMessage(_message: Buffer, _options: InspectionOptions): MessageInspection {
  return { action: 'leave', reason: 'no_text', from: null }
}

/** The message with the signature, in chunks: bytes that do not change are slices of the message. */
export function stampMessage(message: Buffer, _plan: StampPlan, _signature: StampSignature): Buffer[] {
  return [message]
}

/** The line that goes to the very top of every message that passes. The relay writes it before the chunks. */
export function processedHeader(instance: string): Buffer {
  return Buffer.from(`X-Signoff-Processed: ${instance}\r\n`)
}
