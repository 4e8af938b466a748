// Reads the bytes of a new asset, from the request body or from a URL.
import type { Reservation, ReserveMemory } from '#kernel/api/body.ts'
import type { Base64File } from '#kernel/api/file-in-body.ts'
import { ApiError, type Detail, detail, invalid, validationError } from '#kernel/base/errors.ts'
import { withoutDirectionMarks } from '#kernel/db/text.ts'
import { imageLimits } from './imaging/limits.ts'

interface FetchedFile {
  readonly ok: true
  readonly status: number
  readonly url: string
  readonly bytes: Buffer
}

/** Fetches from the public internet. `problem` is appended to the field name in the error message. */
export type FetchPublic = (
  url: string,
  request: {
    readonly headers: Readonly<Record<string, string>>
    readonly redirects: number
    readonly maxBytes: number
    readonly milliseconds: number
    readonly beforeBody?: (announcedBytes: number | undefined) => Promise<unknown>
  },
) => Promise<
  | FetchedFile
  | { readonly ok: false; readonly problem: string; readonly tooLarge?: true; readonly isTemporary?: true }
>

/** The host did not answer, or answered that it cannot right now: a later attempt can succeed. */
export class SourceUnreachable extends ApiError {}

export interface FetchOptions extends ReserveMemory {
  readonly fetchPublic: FetchPublic
  /** Smaller limits than those of an upload. */
  readonly maxBytes?: number
  readonly milliseconds?: number
}

export interface SourceInput {
  readonly file_base64?: Base64File | null
  readonly filename?: string | null
  readonly source_url?: string | null
}

export interface UploadSource {
  /** The field that errors about the bytes are reported for. */
  readonly field: string
  readonly bytes: Buffer
  /** Encoding of the picture in `bytes`. */
  readonly encoding: 'bytes' | 'base64'
  readonly filename: string | undefined
}

const fieldError = (field: string, problem: string, code: 'invalid' | 'out_of_range' = 'invalid') =>
  invalid(field, code, { message: `${field} ${problem}` })

/** Control characters and lone surrogates. */
const unwantedCharacters = /[\p{Cc}\p{Cs}]/gu

/** The last part of a Unix or Windows path, cleaned; undefined when it is no usable name. */
function plainName(text: string): string | undefined {
  const [segment = ''] = text.split(/[/\\]/).slice(-1)
  const name = [...withoutDirectionMarks(segment).replace(unwantedCharacters, '').trim()].slice(-255).join('')
  return /^\.*$/.test(name) ? undefined : name
}

function readUpload({ literal }: Base64File, filename: string | null | undefined): UploadSource {
  if (filename === undefined || filename === null)
    throw validationError([detail('filename', 'missing', { missing: ['filename'] })])
  const name = plainName(filename)
  if (name === undefined) throw invalid('filename', 'invalid')
  return { field: 'file_base64', bytes: literal, encoding: 'base64', filename: name }
}

function lastSegment(url: string): string | undefined {
  const { pathname } = new URL(url)
  try {
    return plainName(decodeURIComponent(pathname))
  } catch {
    return plainName(pathname)
  }
}

function unreachable(field: string, problem: string): ApiError {
  const details = [detail(field, 'invalid', { message: `${field} ${problem}` })]
  return new SourceUnreachable('validation', { details, message: `${field} ${problem}` })
}

const isTemporary = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status)

/** `field` is the field that errors are reported for. */
export async function fetchSource(
  url: string,
  filename: string | null | undefined,
  { fetchPublic, reserve, maxBytes = imageLimits.bytes, milliseconds = 10_000 }: FetchOptions,
  field = 'source_url',
): Promise<UploadSource> {
  const givenName = filename ? plainName(filename) : undefined
  if (filename && givenName === undefined) throw invalid('filename', 'invalid')
  let reservation: Pick<Reservation, 'shrinkTo'> | undefined
  const answer = await fetchPublic(url, {
    headers: { accept: 'image/*' },
    redirects: 5,
    maxBytes,
    milliseconds,
    // A host that has not answered yet holds no memory.
    async beforeBody(announcedBytes = maxBytes) {
      reservation = await reserve(Math.min(announcedBytes, maxBytes))
    },
  })
  if (!answer.ok) {
    if (answer.isTemporary) throw unreachable(field, answer.problem)
    throw fieldError(field, answer.problem, answer.tooLarge ? 'out_of_range' : 'invalid')
  }
  if (answer.status !== 200) {
    const problem = `was answered with status ${answer.status}, not 200`
    throw isTemporary(answer.status) ? unreachable(field, problem) : fieldError(field, problem)
  }
  reservation?.shrinkTo(answer.bytes.length)
  const name = givenName ?? lastSegment(answer.url)
  return { field, bytes: answer.bytes, encoding: 'bytes', filename: name }
}

/** The problem of a body that names no file. */
export function sourceProblems(body: object): Detail[] {
  const { file_base64, source_url } = body as Partial<SourceInput>
  if (file_base64 != null || source_url != null) return []
  const missing = ['file_base64', 'source_url']
  const message = 'asset lacks its file: send file_base64 with filename, or source_url'
  return [detail('asset', 'missing', { missing, message })]
}

export async function readSource(input: SourceInput, options: FetchOptions): Promise<UploadSource> {
  const { file_base64 = null, source_url = null, filename } = input
  if (file_base64 !== null && source_url !== null)
    throw fieldError('source_url', 'and file_base64 exclude each other: send one of them')
  if (file_base64 !== null) return readUpload(file_base64, filename)
  if (source_url !== null) return fetchSource(source_url, filename, options)
  throw validationError(sourceProblems({}))
}
