// The parts of forms: fields with their problem beside them, buttons, messages.

import { type Html, html, trusted } from '#pages/markup.ts'
import type { PageContext } from './document.ts'

/** Problems by the name of the field; `form` concerns the whole form. */
export type Problems = Readonly<Record<string, string>>

/** Values and messages that a form shows after a problem. Passwords and codes are never shown again. */
export interface FormState {
  readonly values: Readonly<Record<string, string>>
  readonly problems: Problems
}

export const emptyForm: FormState = { values: {}, problems: {} }

export interface FieldOptions {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly autocomplete: string
  readonly hint?: string
  /** Beside the label: a link. */
  readonly beside?: Html
  readonly inputmode?: 'numeric'
  readonly maxlength?: number
  readonly isRequired?: boolean
  readonly isDigits?: boolean
  /** Gets the focus when the page opens. */
  readonly isFocused?: boolean
}

/** The first field with a problem gets the focus. */
export function field(options: FieldOptions, { values, problems }: FormState): Html {
  const { name, label, type = 'text', autocomplete, hint, beside } = options
  const { inputmode, maxlength, isRequired = true, isDigits, isFocused } = options
  const problem = problems[name]
  const notes = [hint !== undefined && `${name}-hint`, problem !== undefined && `${name}-wrong`].filter(
    Boolean,
  )
  const isFirstProblem = problem !== undefined && Object.keys(problems)[0] === name
  const keepsValue = type !== 'password' && !isDigits
  return html`<div class="field">
<div class="label-row"><label class="label" for="${name}">${label}</label>${beside}</div>
<input class="input${isDigits && ' digits'}" id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${[
    isRequired && trusted(' required'),
    keepsValue && values[name] !== undefined && html` value="${values[name]}"`,
    inputmode !== undefined && html` inputmode="${inputmode}"`,
    maxlength !== undefined && html` maxlength="${maxlength}"`,
    type !== 'text' && trusted(' autocapitalize="none" spellcheck="false"'),
    problem !== undefined && trusted(' aria-invalid="true"'),
    notes.length > 0 && html` aria-describedby="${notes.join(' ')}"`,
    (isFirstProblem || (isFocused && Object.keys(problems).length === 0)) && trusted(' autofocus'),
  ]}>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>\n`}${problem !== undefined && html`<p class="wrong" id="${name}-wrong">${problem}</p>\n`}</div>
`
}

/** The problem of the whole form. */
export const alertIn = ({ problems }: FormState): Html =>
  html`${problems.form !== undefined && html`<p class="note bad" role="alert">${problems.form}</p>\n`}`

export const hiddenField = (name: string, value: string | null | undefined): Html =>
  html`${value !== null && value !== undefined && value !== '' && html`<input type="hidden" name="${name}" value="${value}">\n`}`

export const submit = (label: string): Html =>
  html`<button class="button first full" type="submit">${label}</button>`

/** To sign out, below a card. */
export const leaveForm = (label: string): Html =>
  html`<form class="outside" method="post" action="/sign-out"><button class="quiet" type="submit">${label}</button></form>`

/** Messages that ask for something, rather than tell of a success. */
const requests = new Set(['again', 'again-factor', 'ended', 'invited'])

/** A message after a redirect: `?done=profile`. Unknown words show nothing. */
export const doneIn = ({ t }: PageContext, done: string | undefined): Html => {
  const text = done !== undefined && Object.hasOwn(t.done, done) ? t.done[done] : undefined
  return html`${text !== undefined && html`<p class="${requests.has(done ?? '') ? 'note' : 'note good'}" role="status">${text}</p>\n`}`
}
