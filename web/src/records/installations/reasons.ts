// Why installations fail, as channels report it, and how mailboxes were changed. Each has a text that says what to do.
import type { Installation } from '@signoff/sdk'

const failureReasons = [
  'user_not_found',
  'alias_not_found',
  'signature_too_long',
  'forbidden',
  'access_lost',
  'refused',
  'rate_limited',
  'unreachable',
  'delivery_failed',
  'changed',
  'removed',
  'overwritten',
] as const
export type FailureReason = (typeof failureReasons)[number] | 'other'

export const reasonOfCode = (code: string | null): FailureReason =>
  failureReasons.find(reason => reason === code) ?? 'other'

export const remedyPages = {
  people: '/people',
  signatures: '/signatures',
  integrations: '/integrations',
} as const

/** The page where the reason is mended, if there is one. */
export const remedyPageOf: Partial<Record<FailureReason, keyof typeof remedyPages>> = {
  user_not_found: 'people',
  alias_not_found: 'people',
  signature_too_long: 'signatures',
  access_lost: 'integrations',
  forbidden: 'integrations',
  changed: 'integrations',
}

/** Codes that Outlook reports; a code of a newer version is an unknown trouble. */
const troubleCodes = [
  'fetch_failed',
  'timeout',
  'refused',
  'no_token',
  'too_long',
  'body_type',
  'set_failed',
  'unexpected',
] as const

export const troubleOfCode = (code: string): (typeof troubleCodes)[number] =>
  troubleCodes.find(each => each === code) ?? 'unexpected'

/** Outlook and the relay take a signature when the person writes a mail: it is not on its way before. */
export const waitsForMail = ({ channel, status }: Pick<Installation, 'channel' | 'status'>): boolean =>
  status === 'pending' && (channel === 'microsoft_365' || channel === 'smtp_relay')
