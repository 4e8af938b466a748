// The parts of forms: fields with their problem beside them, buttons, messages.
import type { PageContext } from './document.ts'
import { type Html, html, trusted } from './markup.ts'

/** Problems by the name of the field; `form` concerns the whole form. */
export type Problems = Readonly<Record<string, string>>

/** What a form shows again after a problem. Passwords and codes are never shown again. */
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
  /** Makes ids unique where a page has several forms. */
  readonly prefix?: string
}

/** The first field with a problem gets the focus. */
export function field(options: FieldOptions, { values, problems }: FormState): Html {
  const { name, label, type = 'text', autocomplete, hint, beside, prefix = '' } = options
  const { inputmode, maxlength, isRequired = true, isDigits, isFocused } = options
  const problem = problems[name]
  const id = `${prefix}${name}`
  const notes = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-wrong`].filter(Boolean)
  const isFirstProblem = problem !== undefined && Object.keys(problems)[0] === name
  const keepsValue = type !== 'password' && !isDigits
  return html`<div class="field">
<div class="top"><label for="${id}">${label}</label>${beside}</div>
<input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}"${[
    isRequired && trusted(' required'),
    keepsValue && values[name] !== undefined && html` value="${values[name]}"`,
    inputmode !== undefined && html` inputmode="${inputmode}"`,
    maxlength !== undefined && html` maxlength="${maxlength}"`,
    isDigits && trusted(' class="digits"'),
    type !== 'text' && trusted(' autocapitalize="none" spellcheck="false"'),
    problem !== undefined && trusted(' aria-invalid="true"'),
    notes.length > 0 && html` aria-describedby="${notes.join(' ')}"`,
    (isFirstProblem || (isFocused && Object.keys(problems).length === 0)) && trusted(' autofocus'),
  ]}>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>\n`}${problem !== undefined && html`<p class="wrong" id="${id}-wrong">${problem}</p>\n`}</div>
`
}

/** The problem of the whole form. */
export const alertIn = ({ problems }: FormState): Html =>
  html`${problems.form !== undefined && html`<p class="alert" role="alert">${problems.form}</p>\n`}`

export const hiddenField = (name: string, value: string | null | undefined): Html =>
  html`${value !== null && value !== undefined && value !== '' && html`<input type="hidden" name="${name}" value="${value}">\n`}`

export const submit = (label: string): Html =>
  html`<button class="first full" type="submit">${label}</button>`

interface ButtonForm {
  readonly action: string
  readonly label: string
  /** Says more than the label, where several buttons have the same. */
  readonly name?: string
  readonly fields?: Readonly<Record<string, string>>
}

/** A form that is only a button. */
export const buttonForm = ({ action, label, name, fields = {} }: ButtonForm): Html =>
  html`<form method="post" action="${action}">${Object.entries(fields).map(([key, value]) => hiddenField(key, value))}<button type="submit"${name !== undefined && html` aria-label="${name}"`}>${label}</button></form>`

interface ConfirmForm extends Omit<ButtonForm, 'name'> {
  /** What happens then. */
  readonly text: string
  /** The label of the button that does it. */
  readonly confirm: string
}

/** Opens a question, and only its button sends the form. Works without JavaScript. */
export const confirmForm = ({ label, text, confirm, ...form }: ConfirmForm): Html =>
  html`<details class="confirm"><summary>${label}</summary><p>${text}</p>
${buttonForm({ ...form, label: confirm })}</details>`

/** Messages that ask for something, rather than tell of a success. */
const requests = new Set([
  'again',
  'again-factor',
  'ended',
  'invited',
  'own-sign-in',
  'second-factor',
  'totp-exists',
])

/** A message after a redirect: `?done=profile`. Unknown words show nothing. */
export const doneIn = ({ t }: PageContext, done: string | undefined): Html => {
  const text = done !== undefined && Object.hasOwn(t.done, done) ? t.done[done] : undefined
  return html`${text !== undefined && html`<p class="${requests.has(done ?? '') ? 'note' : 'done'}" role="status">${text}</p>\n`}`
}
