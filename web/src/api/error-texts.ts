// Errors of the API in the language of the dashboard. The API writes English; codes that people meet often are translated.
import { useTranslations } from 'use-intl'
import { codeOf, isSignoffError, messageOf } from './errors.ts'

/** The service has no mail server. The code `unavailable` has other causes too, so the setting in the message tells. */
export const isMailMissing = (error: unknown): boolean =>
  codeOf(error) === 'unavailable' && messageOf(error).includes('SIGNOFF_SMTP_URL')

/** The sentence for an error as a whole. */
export function useMessageOf(): (error: unknown) => string {
  const t = useTranslations('shell.errors')
  return error => {
    const code = (isMailMissing(error) ? 'no_mail_server' : codeOf(error)) as Parameters<typeof t.has>[0]
    return t.has(code) ? t(code as Parameters<typeof t>[0]) : messageOf(error)
  }
}

/** `teammate.smart_fields[2].value` → `smart_fields[2].value`: the forms know no wrapper. */
const withoutWrapper = (field: string): string => field.replace(/^[a-z_]+\./, '')

/** The problems of single fields, by the `name` of the control: with and without the wrapper of the body. */
export function useFieldErrors(): (error: unknown) => Record<string, string> {
  const t = useTranslations('shell.fieldErrors')
  return error => {
    if (!isSignoffError(error)) return {}
    return Object.fromEntries(
      error.details.flatMap(({ field, code, message }) => {
        const key = code as Parameters<typeof t.has>[0]
        const text = t.has(key) ? t(key as Parameters<typeof t>[0]) : message
        return [
          [field, text],
          [withoutWrapper(field), text],
        ]
      }),
    )
  }
}
