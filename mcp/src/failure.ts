// What a tool answers when it cannot do its work: the error of the API, with the paths of the wrong fields, so that an
// agent can correct its own call.
import { isRecord, type JsonRecord, type RouteAnswer } from './api.ts'

export interface FailureDetail {
  readonly field: string
  readonly code: string
  readonly message: string
  readonly allowed?: readonly unknown[]
}

export class ToolFailure extends Error {
  /** As the API answers it: `error`, `details`, `remediation`. */
  readonly answer: JsonRecord

  constructor(answer: JsonRecord, message: string) {
    super(message)
    this.answer = answer
  }
}

/** The advice to an agent about an error that its arguments did not cause. */
const advice: Readonly<Record<string, string>> = {
  not_found: 'Ids come from the list_ tools; ids of another workspace are not found.',
  insufficient_scope: 'Ask for a key with this scope; do not try other tools for the same purpose.',
  insufficient_role: 'Ask an owner or admin of the workspace.',
  rate_limited: 'Wait before the next call.',
  unavailable: 'Try again in a few seconds.',
  preview_unavailable: 'This service cannot draw pictures; use the text of the preview.',
  directory_managed: 'Teammates are changed in the connected directory.',
  campaign_state: 'get_campaign shows the state of the campaign.',
  installation_unavailable: 'Nothing is connected that installs signatures; list_integrations shows it.',
  no_signature_to_install: 'Publish a signature for this recipient first.',
  nothing_to_show: 'check_signature explains it.',
}

const listedAllowed = 40

const lineOf = ({ field, message, allowed }: FailureDetail): string => {
  const words = allowed?.filter(value => value !== null).slice(0, listedAllowed)
  const isNamed = words === undefined || message.includes(String(words[0]))
  const place = message.startsWith(field) ? '' : `${field}: `
  return `- ${place}${message}${isNamed ? '' : ` (allowed: ${words.join(', ')})`}`
}

export function invalidArguments(details: readonly FailureDetail[]): ToolFailure {
  const [first] = details
  const message = `The arguments are not valid: ${first?.message ?? 'unknown'}.`
  const error = { type: 'validation_error', code: first?.code ?? 'invalid', message }
  return new ToolFailure({ error, details }, textOf(message, 422, details, first?.code ?? 'invalid'))
}

function textOf(message: string, status: number, details: readonly FailureDetail[], code: string): string {
  const lines = [`${message} (${status} ${code})`, ...details.map(lineOf)]
  if (details.length > 0) lines.push('Correct these fields and call the tool again.')
  else if (advice[code]) lines.push(advice[code])
  return lines.join('\n')
}

const isDetail = (value: unknown): value is FailureDetail =>
  isRecord(value) && typeof value.field === 'string' && typeof value.message === 'string'

/** The failure in an answer of 400 and more. */
export function failureIn({ status, bytes, retryAfter }: RouteAnswer): ToolFailure {
  const body = jsonIn(bytes)
  const error = isRecord(body.error)
    ? body.error
    : { code: 'internal_error', message: 'Something went wrong.' }
  const details = Array.isArray(body.details) ? body.details.filter(isDetail) : []
  const code = String(error.code)
  const text = textOf(String(error.message), status, details, code)
  const wait = retryAfter === undefined ? '' : `\nRetry after ${retryAfter} s.`
  return new ToolFailure({ ...body, error, status }, `${text}${wait}`)
}

/** An empty body is an empty object. */
export function jsonIn(bytes: Uint8Array): JsonRecord {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
