// Requests to Microsoft.
import { createJsonClient, type ProviderAnswer, type SendProviderRequest } from '../http/json-client.ts'

export type MicrosoftAnswer = ProviderAnswer
export type SendMicrosoftRequest = SendProviderRequest

/** A page of people has some hundred kilobytes, a page of a large group some megabytes. */
const maxBytes = 32 * 1024 * 1024

export const createMicrosoftClient = (): SendMicrosoftRequest => createJsonClient(maxBytes)

export interface MicrosoftReason {
  /** Such as `Authorization_RequestDenied`, or `AADSTS7000222` of the token endpoint. */
  readonly code: string
  readonly message: string
}

/**
 * The token endpoint writes `{error, error_description}`, whose first line begins with the number of the error; Graph
 * writes `{error: {code, message}}`.
 */
export function microsoftReason({ body }: MicrosoftAnswer): MicrosoftReason {
  const { error, error_description: description } = body
  if (typeof error === 'string') {
    const [line = ''] = String(description ?? '').split(/\r?\n| Trace ID: /)
    return { code: /^AADSTS\d+/.exec(line)?.[0] ?? error, message: (line || error).slice(0, 300) }
  }
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return { code: String(code ?? ''), message: String(message ?? '').slice(0, 300) }
}
