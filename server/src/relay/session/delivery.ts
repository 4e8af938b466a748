// One message: received whole, stamped, given to the next hop, answered with the hop's answer, and noted. Nothing of it is
// kept, and nothing is acknowledged that the hop has not acknowledged.
import type { SMTPServerDataStream } from 'smtp-server'
import type { FetchLog } from '#features/delivery/installations/index.ts'
import type { RelayJournal } from '../journal.ts'
import type { RelayMetrics } from '../metrics.ts'
import type { NextHop } from '../next-hop/next-hop.ts'
import { hopSizeLimit } from '../next-hop/parameters.ts'
import { isPositive, replyText } from '../next-hop/replies.ts'
import type { IncomingMessage, MessageStore } from '../receiving/incoming-message.ts'
import { MessageHeader } from '../receiving/message-header.ts'
import { type AdmittedRoute, domainOf, type RelayRoute } from '../routing.ts'
import { dkimHeader } from '../stamping/dkim.ts'
import type { FoundSignature } from '../stamping/signatures.ts'
import { type PassReason, prepareMessage, type StampingDeps } from '../stamping/stamping.ts'
import type { MessagePace } from './pace.ts'
import { showsProof } from './proofs.ts'
import { asRefusal, type RefusalReason, RelayRefusal, replyRefusal } from './refusal.ts'

/** The hop that has accepted sender and recipients of a message, and the relay that names it. */
export interface PassingHop {
  readonly admitted: AdmittedRoute
  readonly hop: NextHop
}

/** An accepted MAIL, until the message is answered or the sender begins another one. */
export interface RelayTransaction {
  /** Null: the message decides. */
  readonly admitted: AdmittedRoute | null
  readonly sender: string
  /** Those that the hop has accepted. */
  readonly recipients: readonly string[]
  readonly declaredBytes: number | null
  readonly connect: (header: MessageHeader) => Promise<PassingHop>
}

export interface DeliveryDeps extends StampingDeps {
  readonly store: MessageStore
  readonly journal: Pick<RelayJournal, 'note'>
  readonly fetchLog: Pick<FetchLog, 'note'>
  readonly metrics: RelayMetrics
}

/** Each pass adds a line. A rule that sends messages back is noticed here before the mail systems notice it. */
const maxPasses = 5
const keptAddresses = 100

async function receive(
  stream: SMTPServerDataStream,
  incoming: IncomingMessage,
  pace: MessagePace,
): Promise<void> {
  let failure: unknown
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      await incoming.append(chunk).catch(error => {
        failure = error
        throw error
      })
      pace.note(chunk.length)
    }
  } catch {
    // The rest is read and thrown away: the sender hears the answer after its last byte.
    stream.resume()
    if (failure) throw failure
    throw new RelayRefusal(451, '4.4.2 The message did not arrive in whole', 'disconnected')
  }
}

/** Temporary: a rule of the mail system that adds no secret, or another one, is a mistake that can be corrected. */
export const strangerRefusal = (): RelayRefusal =>
  new RelayRefusal(450, '4.7.1 This message does not show that it may use the relay', 'wrong_tenant')

/** Recipients would learn the secrets otherwise. */
function withoutSecrets(message: Buffer, { route }: AdmittedRoute): Buffer {
  const names = route.clients.flatMap(({ proof }) => (proof?.isSecret ? [proof.header] : []))
  return names.length > 0 ? new MessageHeader(message).messageWithout(new Set(names)) : message
}

function refuseLoops(header: MessageHeader, instance: string): void {
  const passes = header.values('X-Signoff-Processed').filter(name => name === instance)
  if (passes.length >= maxPasses)
    throw new RelayRefusal(554, '5.4.6 The message has come through this relay too often: a loop', 'loop')
}

export interface DeliveryEvents {
  readonly pace: MessagePace
  /** Aborts when the sender leaves. */
  readonly left: AbortSignal
  /** The message is here in whole. */
  readonly onReceived: () => void
  /** Runs just before the hop can have the message. */
  readonly onLastByte: () => void
}

/** Asks the hop, where the message decides which one it is. */
async function findHop(
  incoming: IncomingMessage,
  transaction: RelayTransaction,
  instance: string,
): Promise<PassingHop & { readonly isProven: boolean }> {
  const header = new MessageHeader(await incoming.beginning())
  refuseLoops(header, instance)
  const passing = await transaction.connect(header)
  return { ...passing, isProven: showsProof(header, passing.admitted) }
}

/** Returns the words with which the hop has accepted the message. */
export async function deliverMessage(
  stream: SMTPServerDataStream,
  transaction: RelayTransaction,
  deps: DeliveryDeps,
  { pace, left, onReceived, onLastByte }: DeliveryEvents,
): Promise<string> {
  const { sender, recipients } = transaction
  let { admitted } = transaction
  const incoming = deps.store.begin(admitted?.route.workspaceId ?? '', transaction.declaredBytes)
  let began = performance.now()
  try {
    await receive(stream, incoming, pace)
    began = performance.now()
    onReceived()
    const passing = await findHop(incoming, transaction, deps.instance)
    const { hop } = passing
    const { route } = passing.admitted
    admitted = passing.admitted
    if (!passing.isProven) throw strangerRefusal()
    const stamping = { route, sender, recipients, sizeLimit: hopSizeLimit(hop.features) }
    let reason: PassReason | null = null
    let signature: FoundSignature | null = null
    const pieces = await incoming.rewrite(async message => {
      const prepared = await prepareMessage(withoutSecrets(message, passing.admitted), stamping, deps)
      ;({ reason, signature } = prepared)
      return withDkim(prepared.chunks, route, deps)
    }, left)
    const reply = await hop.data(pieces, onLastByte)
    if (!isPositive(reply)) throw replyRefusal(reply)
    note(transaction, admitted, deps, { bytes: incoming.length, began, status: reply.code, reason })
    noteFetch(signature, route, deps)
    return replyText(reply)
  } catch (error) {
    const { responseCode: status, reason } = asRefusal(error)
    note(transaction, admitted, deps, { bytes: incoming.length, began, status, reason })
    throw error
  } finally {
    await incoming.discard()
  }
}

/** The recipients of a stamped message have the version for new mail. */
function noteFetch(signature: FoundSignature | null, route: RelayRoute, { fetchLog }: DeliveryDeps): void {
  if (!signature?.newMailSha256) return
  const { emailId, signatureId, newMailSha256: sha256 } = signature
  const { workspaceId, integrationId } = route
  fetchLog.note({ workspaceId, channel: 'smtp_relay', integrationId, emailId, signatureId, sha256 })
}

async function withDkim(
  chunks: readonly Buffer[],
  { dkim }: RelayRoute,
  { log }: DeliveryDeps,
): Promise<readonly Buffer[]> {
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
  { sender, recipients }: RelayTransaction,
  admitted: AdmittedRoute | null,
  { journal, metrics }: DeliveryDeps,
  { bytes, began, status, reason }: Noted,
): void {
  const milliseconds = performance.now() - began
  const outcome = outcomeOf(status, reason)
  metrics.message(outcome, milliseconds, bytes)
  // A bounce that several workspaces could have caused is shown to none of them.
  if (!admitted || admitted.isShared) return
  const { route } = admitted
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
