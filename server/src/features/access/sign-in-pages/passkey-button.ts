// The button that the script `passkey` brings to life.

import { type Html, html } from '#pages/markup.ts'
import type { PageContext } from './document.ts'

const ceremonies = {
  'sign-in': { options: '/auth/passkey/options', finish: '/auth/passkey' },
  'second-factor': { options: '/auth/passkey/options', finish: '/auth/passkey' },
  registration: { options: '/v1/me/passkeys/options', finish: '/v1/me/passkeys' },
} as const

interface PasskeyButton {
  readonly ceremony: keyof typeof ceremonies
  readonly label: string
  /** The path to open afterwards. */
  readonly next: string
  readonly isFull?: boolean
  /** The main button of the page. */
  readonly isFirst?: boolean
  /** The id of the field with the name of a new passkey. */
  readonly nameField?: string
}

/** Hidden until the script has found that the browser knows passkeys. */
export const passkeyButton = (
  { t }: PageContext,
  { ceremony, label, next, isFull = true, isFirst = false, nameField = '' }: PasskeyButton,
): Html => {
  const { options, finish } = ceremonies[ceremony]
  return html`<div data-passkey data-options="${options}" data-finish="${finish}" data-next="${next}" data-name="${nameField}" data-failed="${t.errors.passkey}" data-cancelled="${t.errors.passkey_cancelled}" hidden>
<button class="button ${isFull && 'full'} ${isFirst && 'first'}" type="button">${label}</button>
<p class="wrong" role="alert" hidden></p>
</div>
`
}

/** The script `tools` shows the buttons. The printed page names the account. */
export const codeList = ({ t, brand }: PageContext, codes: readonly string[], email: string): Html =>
  html`<p class="printed">${t.recoveryCodes.owner(email, brand?.name ?? t.product)}</p>
<ul class="codes" aria-label="${t.recoveryCodes.list}">${codes.map(code => html`<li>${code}</li>\n`)}</ul>
<p class="actions" data-codes hidden><button class="button" type="button" data-done="${t.recoveryCodes.copied}">${t.recoveryCodes.copy}</button><button class="button" type="button">${t.recoveryCodes.print}</button></p>`

/** The script `passkey` fills it in and shows it: the first passkey comes with recovery codes. */
export const newCodesSection = (context: PageContext, next: string, email: string): Html => {
  const { t } = context
  return html`<section class="card" id="new-codes" aria-labelledby="codes-title" hidden>
<h2 class="subtitle" id="codes-title" tabindex="-1">${t.recoveryCodes.title}</h2>
<p class="text">${t.recoveryCodes.text}</p>
${codeList(context, [], email)}
<p class="after"><a class="button first" href="${next}">${t.recoveryCodes.done}</a></p>
</section>
`
}
