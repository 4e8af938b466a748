// Why installations fail, as channels report it, and how mailboxes were changed. Each has a text that says what to do.
export const failureReasons = [
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
