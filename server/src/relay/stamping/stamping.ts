// What leaves the relay for what came in: the message with its signature, or as it came. A failure never stops mail.
import type { MailKind } from '#features/signatures/recipients/index.ts'
import { isInternalMail } from '#features/workspace/workspaces/index.ts'
import type { Log } from '#kernel/base/log.ts'
import {
  hasLettersOf,
  inspectMessage,
  type LeaveReason,
  processedHeader,
  stampMessage,
} from '../message/index.ts'
import type { RelayRoute } from '../routing.ts'
import type { FoundSignature, SignatureLookup } from './signatures.ts'

/** Why a message has no signature, besides the reasons that lie in the message. */
export type PassReason =
  | LeaveReason
  | 'bounce' // it has no sender
  | 'not_selected' // the setting `mails` leaves this kind of mail out
  | 'no_signature' // the sender is no active teammate, or gets no signature for this kind of mail
  | 'too_large_for_next_hop' // with a signature it would exceed the limit of the next hop
  | 'stamp_timeout'
  | 'stamp_error'

export interface PreparedMessage {
  readonly chunks: readonly Buffer[]
  /** Null: the message is stamped. */
  readonly reason: PassReason | null
  readonly signature: FoundSignature | null
}

export interface StampingDeps {
  readonly signatures: Pick<SignatureLookup, 'find'>
  /** The name of this installation in the processed header. */
  readonly instance: string
  readonly linkHosts: readonly string[]
  readonly log: Log
}

export interface Stamping {
  readonly route: RelayRoute
  readonly sender: string
  /** Recipients of the envelope. */
  readonly recipients: readonly string[]
  /** The largest message that the next hop takes. */
  readonly sizeLimit: number | undefined
}

const isSelected = ({ mails }: RelayRoute, { isReply, isInternal }: MailKind): boolean =>
  mails.has(isInternal ? 'internal' : 'external') && (!isReply || mails.has('replies'))

const sizeOf = (chunks: readonly Buffer[]): number => chunks.reduce((sum, { length }) => sum + length, 0)

/** The header goes on top of everything that passes: mail systems know by it that a message was here. */
export async function prepareMessage(
  message: Buffer,
  stamping: Stamping,
  deps: StampingDeps,
): Promise<PreparedMessage> {
  const header = processedHeader(deps.instance)
  const pass = (reason: PassReason): PreparedMessage => ({
    chunks: [header, message],
    reason,
    signature: null,
  })
  try {
    const stamped = await stampedMessage(message, stamping, deps)
    if (typeof stamped === 'string') return pass(stamped)
    const chunks = [header, ...stamped.chunks]
    const { sizeLimit } = stamping
    if (sizeLimit !== undefined && sizeOf(chunks) > sizeLimit) return pass('too_large_for_next_hop')
    return { chunks, reason: null, signature: stamped.signature }
  } catch (error) {
    deps.log.error({ err: error }, 'a message was passed on without a signature')
    return pass('stamp_error')
  }
}

async function stampedMessage(
  message: Buffer,
  { route, sender, recipients }: Stamping,
  { signatures, instance, linkHosts, log }: StampingDeps,
): Promise<PassReason | { readonly chunks: readonly Buffer[]; readonly signature: FoundSignature }> {
  if (sender === '') return 'bounce'
  const began = performance.now()
  const inspection = await inspectMessage(message, { instance, linkHosts, stampsAutoReplies: false })
  if (inspection.action === 'leave') return inspection.reason
  const { from, isReply, plan } = inspection
  const isInternal = isInternalMail([...inspection.recipients, ...recipients], route.ownDomains)
  const kind = { isReply, isInternal }
  if (!isSelected(route, kind)) return 'not_selected'
  const left = route.stampMilliseconds - (performance.now() - began)
  if (left <= 0) return 'stamp_timeout'
  try {
    const signature = await signatures.find(route.workspaceId, from, kind, left)
    if (!signature) return 'no_signature'
    if (await hasLettersOf(plan, [signature, ...signature.others])) return 'already_signed'
    return { chunks: stampMessage(message, plan, signature), signature }
  } catch (error) {
    const isLate = performance.now() - began >= route.stampMilliseconds - 5
    log.warn({ err: error }, 'the signature for a message was not found')
    return isLate ? 'stamp_timeout' : 'stamp_error'
  }
}
