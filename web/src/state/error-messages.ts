// Errors of the API in the language of the dashboard: `shell.errors.<code>` and `shell.fieldErrors.<key>` of ../texts. The API
// writes English; codes that people meet are translated. All places with words for errors: docs/internals/dashboard.md.
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { codeOf, isSignoffError, messageOf } from './errors.ts'
import { type FieldProblem, problemMessages } from './problem-messages.ts'

/** The service has no mail server. The code `unavailable` has other causes too, so the setting in the message tells. */
const isMailMissing = (error: unknown): boolean =>
  codeOf(error) === 'unavailable' && messageOf(error).includes('SIGNOFF_SMTP_URL')

/** The sentence for a problem of one field. */
export function useProblemMessage(): (problem: FieldProblem) => string {
  const t = useTranslations('shell.fieldErrors')
  return problem => {
    const { key, values } =
      problemMessages(problem).find(text => t.has(text.key as Parameters<typeof t.has>[0])) ?? {}
    return t((key ?? 'invalid') as 'max', values as { count: number })
  }
}

/** The sentence for an error as a whole. */
export function useMessageOf(): (error: unknown) => string {
  const t = useTranslations('shell.errors')
  const textOf = useProblemMessage()
  return error => {
    if (isSignoffError(error) && error.status === 401) return t('session_expired')
    const code = (isMailMissing(error) ? 'no_mail_server' : codeOf(error)) as Parameters<typeof t.has>[0]
    if (t.has(code)) return t(code as Parameters<typeof t>[0])
    const details = isSignoffError(error) ? error.details : []
    if (details.length === 0) return messageOf(error)
    const texts = [...new Set(details.map(textOf))]
    return texts.length === 1 ? (texts[0] ?? '') : t('severalFields')
  }
}

/** `teammate.smart_fields[2].value` → `smart_fields[2].value`: the forms know no wrapper. */
const withoutWrapper = (field: string): string => field.replace(/^[a-z_]+\./, '')

/** The sentence of an area for a problem that only its fields have. */
export type OwnProblemMessage = (problem: FieldProblem) => string | undefined

/** The problems of single fields, by the `name` of the control: with and without the wrapper of the body. */
export function useFieldErrors(
  ownText: OwnProblemMessage = () => undefined,
): (error: unknown) => Record<string, string> {
  const textOf = useProblemMessage()
  return error => {
    if (!isSignoffError(error)) return {}
    return Object.fromEntries(
      error.details.flatMap(detail => {
        const text = ownText(detail) ?? textOf(detail)
        return [
          [detail.field, text],
          [withoutWrapper(detail.field), text],
        ]
      }),
    )
  }
}

/**
 * The same object until the next error: React Aria shows the problems again whenever it gets another one, and then keeps
 * the form from being sent although the person has corrected the field.
 */
export function useSameProblems(error: unknown, problemsNow: Record<string, string>): Record<string, string> {
  const [previous, setPrevious] = useState({ error, problems: problemsNow })
  if (previous.error === error) return previous.problems
  setPrevious({ error, problems: problemsNow })
  return problemsNow
}

/** True if a form shows every problem of an error beside its own controls. */
export const isShownByControls = (error: unknown, names: Iterable<string>): boolean => {
  if (!isSignoffError(error) || error.details.length === 0) return false
  const controls = new Set(names)
  return error.details.every(({ field }) => controls.has(field) || controls.has(withoutWrapper(field)))
}
