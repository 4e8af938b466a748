// One message: received whole, stamped, given to the next hop, answered with the hop's answer, and noted. Nothing of it is
// stored, and nothing is acknowledged that the hop has not acknowledged.
import { timingSafeEqual } from 'node:crypto'
import type { SMTPServerDataStream } from 'smtp-server'
import type { FetchLog } from '#features/installations/index.ts'
import type { ClientProof } from './clients.ts'
import { dkimHeader } from './dkim.ts'
import type { RelayJournal } from './journal.ts'
import { headerValues, withoutHeader } from './message-headers.ts'
import { MemoryRefusal, type MessageBuffer, type MessageMemory } from './message-memory.ts'
import type { RelayMetrics } from './metrics.ts'
import { asRefusal, type RefusalReason, RelayRefusal, replyRefusal } from './refusal.ts'
import { type AdmittedRoute, domainOf } from './routing.ts'
import type { NextHop } from './smtp/next-hop.ts'
import { hopSizeLimit } from './smtp/parameters.ts'
import { isPositive, replyText } from './smtp/replies.ts'
import { type PassReason, prepareMessage, type StampingDeps } from './stamping.ts'

/** An accepted MAIL, until the message is answered or the sender begins another one. */
export interface RelayTransaction {
  readonly admitted: AdmittedRoute
  readonly hop: NextHop
  readonly sender: string
  /** Those that the hop has accepted. */
  readonly recipients: readonly string[]
  readonly declaredBytes: number | null
}

export interface DeliveryDeps extends StampingDeps {
  readonly memory: MessageMemory
  readonly journal: Pick<RelayJournal, 'note'>
  readonly fetchLog: Pick<FetchLog, 'note'>
  readonly metrics: RelayMetrics
}

/** Each pass adds a line. A rule that sends messages back is noticed here before the mail systems notice it. */
const maxPasses = 5
const keptAddresses = 100

async function receive(stream: SMTPServerDataStream, buffer: MessageBuffer): Promise<void> {
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) await buffer.append(chunk)
  } catch (error) {
    // The rest is read and thrown away: the sender hears the answer after its last byte.
    stream.resume()
    if (error instanceof MemoryRefusal)
      throw new RelayRefusal(
        error.responseCode,
        error.message,
        error.responseCode === 552 ? 'too_large' : 'memory',
      )
    throw new RelayRefusal(451, '4.4.2 The message did not arrive in whole', 'disconnected')
  }
}

const hasSameBytes = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one, 'latin1'), Buffer.from(other, 'latin1'))

function isProven(message: Buffer, { header, value, isSecret }: ClientProof): boolean {
  const [shown, ...others] = headerValues(message, header)
  if (shown === undefined || others.length > 0) return false
  if (value === null) return false
  return isSecret ? hasSameBytes(shown, value) : shown.toLowerCase() === value
}

function refuseStrangers(message: Buffer, { proofs }: AdmittedRoute): void {
  if (proofs === null || proofs.some(proof => isProven(message, proof))) return
  throw new RelayRefusal(550, '5.7.1 This tenant may not use the relay', 'wrong_tenant')
}

/** Recipients would learn the secrets otherwise. */
const withoutSecrets = (message: Buffer, { route }: AdmittedRoute): Buffer =>
  route.clients.reduce(
    (rest, { proof }) => (proof?.isSecret ? withoutHeader(rest, proof.header) : rest),
    message,
  )

function refuseLoops(message: Buffer, instance: string): void {
  const passes = headerValues(message, 'X-Signoff-Processed').filter(name => name === instance)
  if (passes.length >= maxPasses)
    throw new RelayRefusal(554, '5.4.6 The message has come through this relay too often: a loop', 'loop')
}

export interface DeliveryEvents {
  /** The message is here in whole. */
  readonly onReceived: () => void
  /** Runs just before the hop can have the message. */
  readonly onEnd: () => void
}

/** Returns the words with which the hop has accepted the message. */
export async function deliverMessage(
  stream: SMTPServerDataStream,
  transaction: RelayTransaction,
  deps: DeliveryDeps,
  { onReceived, onEnd }: DeliveryEvents,
): Promise<string> {
  const { admitted, hop, sender, recipients } = transaction
  const { route } = admitted
  const buffer = deps.memory.open(transaction.declaredBytes)
  let began = performance.now()
  let bytes = 0
  let isFinished = false
  try {
    await receive(stream, buffer)
    began = performance.now()
    bytes = buffer.length
    onReceived()
    const { message } = buffer
    refuseStrangers(message, admitted)
    refuseLoops(message, deps.instance)
    const sizeLimit = hopSizeLimit(hop.features)
    const passed = withoutSecrets(message, admitted)
    const prepared = await prepareMessage(passed, { route, sender, recipients, sizeLimit }, deps)
    const signed = await withDkim(prepared.chunks, transaction, deps)
    const reply = await hop.data(signed, onEnd)
    isFinished = hop.hasFlushed
    if (!isPositive(reply)) throw replyRefusal(reply)
    const { found, reason } = prepared
    note(transaction, deps, { bytes, began, status: reply.code, reason })
    if (found?.newMailSha256)
      deps.fetchLog.note({
        workspaceId: route.workspaceId,
        channel: 'smtp_relay',
        integrationId: route.integrationId,
        emailId: found.emailId,
        signatureId: found.signatureId,
        sha256: found.newMailSha256,
      })
    return replyText(reply)
  } catch (error) {
    const { responseCode: status, reason } = asRefusal(error)
    note(transaction, deps, { bytes: bytes || buffer.length, began, status, reason })
    throw error
  } finally {
    if (isFinished) buffer.free()
    else buffer.drop()
  }
}

async function withDkim(
  chunks: readonly Buffer[],
  { admitted }: RelayTransaction,
  { log }: DeliveryDeps,
): Promise<readonly Buffer[]> {
  const { dkim } = admitted.route
  if (!dkim) return chunks
  try {
    return [await dkimHeader(chunks, dkim), ...chunks]
  } catch (error) {
    log.error({ err: error }, 'a message was passed on without a signature of DKIM')
    return chunks
  }
}

interface Noted {
  readonly bytes: number
  readonly began: number
  readonly status: number
  readonly reason: PassReason | RefusalReason | null
}

function outcomeOf(status: number, reason: string | null) {
  if (status >= 500) return 'rejected'
  if (status >= 400) return 'deferred'
  return reason === null ? 'stamped' : 'passed'
}

function note(
  { admitted: { route, isShared }, sender, recipients }: RelayTransaction,
  { journal, metrics }: DeliveryDeps,
  { bytes, began, status, reason }: Noted,
): void {
  const milliseconds = performance.now() - began
  const outcome = outcomeOf(status, reason)
  metrics.message(outcome, milliseconds, bytes)
  // A bounce that several workspaces could have caused is shown to none of them.
  if (isShared) return
  journal.note({
    workspaceId: route.workspaceId,
    integrationId: route.integrationId,
    outcome,
    reason,
    status,
    senderDomain: domainOf(sender) ?? null,
    recipientDomains: [...new Set(recipients.flatMap(address => domainOf(address) ?? []))].slice(
      0,
      keptAddresses,
    ),
    recipientsCount: recipients.length,
    senderAddress: route.keepsAddresses ? sender : null,
    recipientAddresses: route.keepsAddresses ? recipients.slice(0, keptAddresses) : null,
    bytes,
    milliseconds: Math.round(milliseconds),
    at: new Date(),
  })
}
