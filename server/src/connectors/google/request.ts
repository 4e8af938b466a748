// Requests to Google.
import { createJsonClient, type ProviderAnswer, type SendProviderRequest } from '../http/json-client.ts'

export type GoogleAnswer = Omit<ProviderAnswer, 'bytes'>
export type SendGoogleRequest = (...sent: Parameters<SendProviderRequest>) => Promise<GoogleAnswer>

const megabyte = 1024 * 1024

/** A page of 500 people can have some megabytes; other answers are small. */
export const createGoogleClient = (maxBytes = megabyte): SendGoogleRequest => createJsonClient(maxBytes)

/** The token endpoint writes `{error, error_description}`, the API `{error: {message, errors: [{reason}]}}`. */
export function googleReason({ body }: GoogleAnswer): { readonly reason: string; readonly message: string } {
  const { error, error_description: description } = body
  if (typeof error === 'string')
    return { reason: error, message: [error, description].filter(Boolean).join(', ') }
  const { message, errors } = (error ?? {}) as { message?: unknown; errors?: readonly { reason?: unknown }[] }
  return {
    reason: String((Array.isArray(errors) && errors[0]?.reason) || ''),
    message: String(message ?? ''),
  }
}
