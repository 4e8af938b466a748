// Errors of the API in the language of the dashboard. The API writes English; codes that people meet often are translated.
import { useTranslations } from 'use-intl'
import { codeOf, isSignoffError, messageOf } from './errors.ts'

/** The sentence for an error as a whole. */
export function useMessageOf(): (error: unknown) => string {
  const t = useTranslations('shell.errors')
  return error => {
    const code = codeOf(error) as Parameters<typeof t.has>[0]
    return t.has(code) ? t(code as Parameters<typeof t>[0]) : messageOf(error)
  }
}

/** `teammate.smart_fields[2].value` → `smart_fields[2].value`: the forms know no wrapper. */
const withoutWrapper = (field: string): string => field.replace(/^[a-z_]+\./, '')

/** The sentence for a problem of one field. */
export function useDetailText(): (detail: { readonly code: string; readonly message: string }) => string {
  const t = useTranslations('shell.fieldErrors')
  return ({ code, message }) => {
    const key = code as Parameters<typeof t.has>[0]
    return t.has(key) ? t(key as Parameters<typeof t>[0]) : message
  }
}

/** The problems of single fields, by the `name` of the control: with and without the wrapper of the body. */
export function useFieldErrors(): (error: unknown) => Record<string, string> {
  const textOf = useDetailText()
  return error => {
    if (!isSignoffError(error)) return {}
    return Object.fromEntries(
      error.details.flatMap(({ field, ...detail }) => {
        const text = textOf(detail)
        return [
          [field, text],
          [withoutWrapper(field), text],
        ]
      }),
    )
  }
}
