import type { TimeSlice } from '#kernel/base/time-slice.ts'
import type { InspectionOptions, LeaveReason } from './inspection.ts'
import { headerAddresses } from './reading/addresses.ts'
import { fieldsNamed, fieldText, type HeaderBlock, headerText } from './reading/headers.ts'
import type { MessagePart } from './reading/scan.ts'

export const processedHeaderName = 'X-Signoff-Processed'

const mostHops = 25

/** The address of a From header with exactly one. */
export function authorOf(message: Buffer, header: HeaderBlock): string | 'no_sender' | 'several_senders' {
  const fields = fieldsNamed(header, 'from')
  const senders = fields.flatMap(field => headerAddresses(fieldText(message, field)))
  if (fields.length > 1 || senders.length > 1) return 'several_senders'
  return senders[0] ?? 'no_sender'
}

function isAutoReply(message: Buffer, header: HeaderBlock): boolean {
  const submitted = headerText(message, header, 'auto-submitted')?.toLowerCase() ?? 'no'
  if (!/^no\b/.test(submitted)) return true
  if (headerText(message, header, 'precedence')?.toLowerCase() === 'auto_reply') return true
  return ['x-autoreply', 'x-autorespond', 'x-autorespond-to'].some(name => headerText(message, header, name))
}

/** Why the header lines of a message say that it is left alone. */
export function reasonInHeader(
  message: Buffer,
  header: HeaderBlock,
  options: InspectionOptions,
): LeaveReason | null {
  const has = (name: string) => header.fields.some(field => field.name === name)
  const processed = fieldsNamed(header, processedHeaderName.toLowerCase())
  if (processed.some(field => fieldText(message, field) === options.instance)) return 'already_processed'
  if (fieldsNamed(header, 'received').length > mostHops) return 'too_many_hops'
  if (has('resent-from') || has('resent-to')) return 'resent'
  if (has('list-id') && has('list-post')) return 'mailing_list'
  const contentClass = headerText(message, header, 'content-class')?.toLowerCase() ?? ''
  if (contentClass === 'rpmsg.message') return 'rights_protected'
  if (contentClass === 'urn:content-classes:calendarmessage') return 'invitation'
  return !options.stampsAutoReplies && isAutoReply(message, header) ? 'auto_reply' : null
}

const reasonsByType: Readonly<Record<string, LeaveReason>> = {
  'multipart/signed': 'signed',
  'application/pkcs7-signature': 'signed',
  'application/x-pkcs7-signature': 'signed',
  'application/pgp-signature': 'signed',
  'multipart/encrypted': 'encrypted',
  'application/pkcs7-mime': 'encrypted',
  'application/x-pkcs7-mime': 'encrypted',
  'application/pgp-encrypted': 'encrypted',
  'application/x-microsoft-rpmsg-message': 'rights_protected',
  'application/ms-tnef': 'tnef',
  'application/vnd.ms-tnef': 'tnef',
  'multipart/report': 'report',
  'message/delivery-status': 'report',
  'message/disposition-notification': 'report',
  'message/feedback-report': 'report',
  'message/global-delivery-status': 'report',
  'message/partial': 'malformed',
  'application/ics': 'invitation',
}

const reasonsByFile: Readonly<Record<string, LeaveReason>> = {
  'message.rpmsg': 'rights_protected',
  'winmail.dat': 'tnef',
  'smime.p7m': 'encrypted',
  'smime.p7s': 'signed',
}

/** Why the type of some part says that the message is left alone. */
export function reasonInParts(part: MessagePart): LeaveReason | null {
  const reason = reasonsByType[part.type] ?? reasonsByFile[part.filename?.toLowerCase() ?? '']
  if (reason) return reason
  if (part.type === 'text/calendar' && (part.disposition !== 'attachment' || part.parameters.has('method')))
    return 'invitation'
  for (const child of part.children) {
    const inner = reasonInParts(child)
    if (inner) return inner
  }
  return null
}

const pgpStart = '-----BEGIN PGP '
const longestBlockName = 20
/** The words behind it. A public key is text that the sender shows, and has no entry. */
const pgpReasons: readonly (readonly [string, LeaveReason])[] = [
  ['MESSAGE', 'encrypted'],
  ['SIGN', 'signed'],
]

/** A block begins a line, with white space, the mark of a quote or a tag before it. Elsewhere its name is only mentioned. */
const isBeforeBlock = (byte: number | undefined): boolean =>
  byte === undefined || [9, 10, 13, 32, 59, 62, 0xa0].includes(byte)

/** PGP in the text itself, also behind a line that only mentions it. */
export async function reasonInText(body: Buffer, slice: TimeSlice): Promise<LeaveReason | null> {
  for (let at = body.indexOf(pgpStart, 0, 'latin1'); at >= 0; at = body.indexOf(pgpStart, at + 1, 'latin1')) {
    const what = body.toString('latin1', at + pgpStart.length, at + pgpStart.length + longestBlockName)
    const reason = pgpReasons.find(([name]) => what.startsWith(name))
    if (reason && isBeforeBlock(body[at - 1])) return reason[1]
    await slice.pause()
  }
  return null
}
