import { headerAddresses } from './addresses.ts'
import { fieldsNamed, fieldText, type HeaderBlock, headerText } from './headers.ts'
import type { InspectionOptions, LeaveReason } from './inspection.ts'
import type { MessagePart } from './scan.ts'

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
}

const reasonsByFile: Readonly<Record<string, LeaveReason>> = {
  'message.rpmsg': 'rights_protected',
  'winmail.dat': 'tnef',
}

/** Why the type of some part says that the message is left alone. */
export function reasonInParts(part: MessagePart): LeaveReason | null {
  const reason = reasonsByType[part.type] ?? reasonsByFile[part.filename?.toLowerCase() ?? '']
  if (reason) return reason
  if (part.type === 'text/calendar' && part.disposition !== 'attachment') return 'invitation'
  for (const child of part.children) {
    const inner = reasonInParts(child)
    if (inner) return inner
  }
  return null
}

/** PGP in the text itself. Quoted ones have a `>` before them. */
export function reasonInText(body: Buffer): LeaveReason | null {
  const at = body.indexOf('-----BEGIN PGP ', 0, 'latin1')
  if (at < 0) return null
  const before = at === 0 ? 10 : body[at - 1]
  if (before !== 10 && before !== 62 && before !== 32) return null
  return body.toString('latin1', at + 15, at + 22) === 'MESSAGE' ? 'encrypted' : 'signed'
}
