// The types around the generated ones.
import type { Pagination } from './generated/schemas.ts'

export interface SignoffOptions {
  /** The address of the service, for example `https://signoff.example.com`. */
  readonly url: string
  /** An API key. Left out on pages of the service itself, where the cookie of the session is sent. */
  readonly key?: string | undefined
  /** With a session: the id of the workspace. Without it the service chooses the only or last one. */
  readonly workspace?: string | undefined
  /** With a session: `include` sends the cookie to another origin too. */
  readonly credentials?: 'same-origin' | 'include' | undefined
  /** Further attempts after the first one: 2 unless given. */
  readonly maxRetries?: number | undefined
  /** For each attempt: 30,000 unless given; 0 disables it. */
  readonly timeoutMs?: number | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
}

export interface RequestOptions extends Pick<SignoffOptions, 'maxRetries' | 'timeoutMs' | 'workspace'> {
  readonly signal?: AbortSignal | undefined
  /** Instead of a random one: a POST with the same key and body within 24 hours is done once. */
  readonly idempotencyKey?: string | undefined
  /** An `ETag` that was read: if the resource has changed since, the call fails with `stale_resource`. */
  readonly ifMatch?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Bytes are sent as base64. A string must be base64 already. */
export type FileInput = string | Blob | ArrayBuffer | Uint8Array

export interface Body<Data> {
  data: Data
  /** The fields that the request sent without effect. */
  ignored?: { field: string; code: string }[] | undefined
}

export interface Page<Row> extends Body<Row[]> {
  pagination: Pagination
}

export interface RawAnswer<Whole> {
  readonly status: number
  readonly headers: Headers
  /** The whole JSON body; `Response` where the answer is a file; undefined where it is empty. */
  readonly body: Whole
}

/** A promise for the `data` of the answer. The request is sent at once, and only once. */
export interface Call<Data, Whole = Body<Data>> extends Promise<Data> {
  raw(): Promise<RawAnswer<Whole>>
}

/** A promise for the rows of one page, and an iterable over the rows of this and all later pages. */
export interface ListCall<Row, Whole = Page<Row>> extends Call<Row[], Whole>, AsyncIterable<Row> {}
