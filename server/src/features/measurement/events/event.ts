// An event as it is recorded.

/** `counted`, or the reason why the event is left out of totals. */
export const outcomes = ['counted', 'bot', 'scanner', 'prefetch', 'head'] as const
export type EventOutcome = (typeof outcomes)[number]

/** `api`: sent with an API key. `beacon`: sent by a web page, which anyone can imitate. */
export type EventSource = 'api' | 'beacon'

export const viewEvent = '$view'
export const clickEvent = '$click'
/** Tells who a visitor is. It is not recorded as an event. */
export const identifyEvent = '$identify'

export interface NewEvent {
  readonly workspaceId: string
  /** A UUIDv7 made at `recordedAt`. */
  readonly id: string
  readonly recordedAt: Date
  readonly name: string
  readonly outcome: EventOutcome
  readonly clickId?: string | null
  /** A click id that is not a UUID, as it was sent. */
  readonly otherClickId?: string | null
  readonly signatureId?: string | null
  readonly campaignId?: string | null
  readonly campaignVariant?: string | null
  readonly teammateId?: string | null
  readonly emailId?: string | null
  readonly anchorId?: string | null
  /** ISO 3166, two letters. */
  readonly country?: string | null
  readonly value?: number | null
  readonly currency?: string | null
  readonly distinctId?: string | null
  readonly anonymousId?: string | null
  readonly properties?: object | null
}

export interface Recorder {
  /** Answers after the commit. */
  record(event: NewEvent): Promise<void>
  /**
   * Answers whether the event is safe: committed, or after `timeoutMilliseconds` written to this machine's disk, from
   * where it is committed later.
   */
  recordWithin(timeoutMilliseconds: number, event: NewEvent): Promise<boolean>
}
