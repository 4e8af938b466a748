// Refusals of the API as words beside the fields of a form.
import type { CallResult } from './calls.ts'
import type { Problems } from './fields.ts'
import type { Texts } from './texts/en.ts'

type ErrorText = keyof Texts['errors']

const detailTexts: Readonly<Record<string, ErrorText>> = {
  blank: 'blank',
  missing: 'blank',
  too_short: 'blank',
  too_long: 'too_long',
  weak_password: 'weak_password',
  leaked_password: 'leaked_password',
}

/** Codes that concern a whole form, or the field that the form names for them. */
const formTexts: Readonly<Record<string, ErrorText>> = {
  invalid_credentials: 'wrong_password',
  too_many_attempts: 'too_many_attempts',
  sso_required: 'sso_required',
  already_member: 'already_member',
}

/** `places`: codes that a form shows beside a field, with the words for them. */
export type ProblemPlaces = Readonly<Record<string, readonly [field: string, text: ErrorText]>>

export function problemsOf(t: Texts, { code, details }: CallResult, places: ProblemPlaces = {}): Problems {
  const place = code === null ? undefined : places[code]
  if (place) return { [place[0]]: t.errors[place[1]] }
  if (details.length === 0) return { form: t.errors[formTexts[code ?? ''] ?? 'other'] }
  return Object.fromEntries(
    details.map(detail => {
      const [field, text] = places[`${detail.field}:${detail.code}`] ?? [
        detail.field,
        detailTexts[detail.code] ?? (detail.field === 'email' ? 'email' : 'invalid'),
      ]
      return [field, t.errors[text]]
    }),
  )
}

/** The status of a page that shows a form again. */
export const statusOf = ({ status }: CallResult): 409 | 422 | 429 | 503 =>
  status === 429 || status === 503 || status === 409 ? status : 422
