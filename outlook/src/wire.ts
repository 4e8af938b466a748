// What the add-in and the service say to each other. Types and names only: the service imports them too.

/** The value of `SIGNOFF`, which the service declares in front of every script. */
export interface AddInSettings {
  /** `https://host/outlook/<token>`, absolute: classic Outlook for Windows has no base address. */
  readonly base: string
  readonly auth: 'token' | 'naa'
  /** Only for `naa`. The scope is complete: `api://<host>/<client id>/signature.read`. */
  readonly clientId?: string
  readonly tenantId?: string
  readonly scope?: string
}

/** Empty `html` and `text`: the variant is hidden, this kind of mail carries no signature. */
export interface MailSignature {
  readonly html: string
  readonly text: string
  readonly sha: string
}

/**
 * `GET {base}/signature?from=<address>`, the value of `data`. Answered with an `ETag` and `cache-control: private,
 * no-cache`: browsers revalidate by themselves. With nested app authentication the request has `authorization: Bearer
 * <token>`; without one when there was no token, and the service decides whether the deployment token is enough.
 * A kind that is null: no signature for this address, and the add-in leaves the mail alone.
 */
export interface SignatureAnswer {
  readonly new: MailSignature | null
  readonly reply: MailSignature | null
  /** Null: internal mail carries `new` or `reply`. */
  readonly internal: MailSignature | null
  /** The own domains of the workspace, lower case: mail to these alone is internal. */
  readonly domains: readonly string[]
}

/** Why the add-in set no signature. */
export const troubleCodes = [
  /** No answer from the service, a status of 408, 429 or above 499, or not JSON, and no stored answer. */
  'fetch_failed',
  /** No answer within ten seconds, and no stored answer. With a stored answer, the add-in waits three seconds. */
  'timeout',
  /** The service answered with another status between 400 and 499. A stored answer is forgotten. */
  'refused',
  /** The same, because nested app authentication gave no token without a dialog. */
  'no_token',
  /** The HTML has over 30,000 characters, which is Outlook's limit. The text was set instead, if it is short enough. */
  'too_long',
  /** Outlook did not say whether the body is HTML or text. */
  'body_type',
  /** Outlook refused the signature. */
  'set_failed',
  /** Anything else, also an Outlook that did not answer within 25 seconds. */
  'unexpected',
] as const

export type TroubleCode = (typeof troubleCodes)[number]

/**
 * `POST {base}/trouble`, at most one per event. Answered with 204. Nothing of the mail itself is sent. With nested app
 * authentication the request has `authorization`, as that for a signature.
 */
export interface TroubleReport {
  readonly code: TroubleCode
  /** `mailbox.diagnostics.hostName`: `Outlook`, `OutlookWebApp`, `newOutlookWindows`, `OutlookIOS`, … */
  readonly host: string
  /** `Office.context.platform`: `PC`, `Mac`, `OfficeOnline`, `iOS`, `Android`; and the version of the host. */
  readonly platform: string
  readonly from?: string | undefined
}

/** `why` of one candidate: the codes of `GET /v1/emails/{id}/signature`. */
export type ExplainedReason = 'first' | 'same_priority' | 'later' | 'never_published' | 'switched_off'

export interface ExplainedCandidate {
  readonly name: string
  readonly priority: number
  readonly chosen: boolean
  readonly reason_code: ExplainedReason
}

/** `GET {base}/explain?from=<address>`, the value of `data`, for the task pane. */
export interface AddInExplanation {
  readonly from: string
  /** False: the service knows no such address, and all else is empty. */
  readonly known: boolean
  /** Null: no signature reaches the address. */
  readonly signature: {
    readonly name: string
    /** ISO 8601. */
    readonly published_at: string
    /** The signature of replies and internal mails: the signature itself, a variant, or nothing. */
    readonly reply: 'same' | 'variant' | 'hidden'
    readonly internal: 'same' | 'variant' | 'hidden'
    /** The name of the campaign whose banner the signature has now. */
    readonly campaign: string | null
  } | null
  /**
   * In the order of precedence; the chosen one is first unless others are switched off. Empty where nested app
   * authentication has signed no person in.
   */
  readonly candidates: readonly ExplainedCandidate[]
}
