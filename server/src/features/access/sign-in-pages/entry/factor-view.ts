// The second step of a sign-in.

import { html } from '#pages/markup.ts'
import type { PageContext, PageParts } from '../document.ts'
import { alertIn, type FormState, field, hiddenField, leaveForm, submit } from '../fields.ts'
import { newCodesSection, passkeyButton } from '../passkey-button.ts'

export interface FactorContent {
  readonly form: FormState
  readonly factors: readonly string[]
  readonly returnTo: string | undefined
  /** The path to open after the sign-in. */
  readonly next: string
}

export function secondFactorPage(
  context: PageContext,
  { form, factors, returnTo, next }: FactorContent,
): PageParts {
  const { t } = context
  const hasTotp = factors.includes('totp')
  const hasPasskey = factors.includes('passkey')
  const code = {
    name: 'code',
    label: t.fields.oneTimeCode,
    autocomplete: 'one-time-code',
    inputmode: 'numeric',
    maxlength: 10,
    isDigits: true,
    isFocused: true,
  } as const
  const recovery = {
    name: 'recovery_code',
    label: t.fields.recoveryCode,
    autocomplete: 'off',
    maxlength: 40,
  } as const
  return {
    title: t.secondFactor.title,
    scripts: hasPasskey ? ['passkey'] : [],
    body: html`<div class="card">
<h1 class="title">${t.secondFactor.title}</h1>
<p class="text">${hasTotp ? t.secondFactor.totp : t.secondFactor.onlyPasskey}</p>
${alertIn(form)}${
  hasTotp &&
  html`<form class="fields" method="post" action="/sign-in/second-factor">
${hiddenField('return_to', returnTo)}${field(code, form)}${submit(t.secondFactor.submit)}
</form>
`
}${hasTotp && hasPasskey && html`<p class="or">${t.signIn.or}</p>`}
${
  hasPasskey &&
  html`<div class="${hasTotp ? '' : 'fields'}">${passkeyButton(context, { ceremony: 'second-factor', label: t.secondFactor.passkey, next })}
<noscript><p class="text faint">${t.needsScript}</p></noscript></div>
`
}<details class="details"${form.problems.recovery_code !== undefined && html` open`}>
<summary class="summary">${t.secondFactor.recovery}</summary>
<p class="text faint">${t.secondFactor.recoveryText}</p>
<form class="fields" method="post" action="/sign-in/second-factor">
${hiddenField('return_to', returnTo)}${field(recovery, form)}<button class="button full" type="submit">${t.secondFactor.submit}</button>
</form>
<p class="text faint small">${t.secondFactor.lost}</p>
</details>
</div>
${leaveForm(t.cancel)}`,
  }
}

interface FirstFactorContent extends Pick<FactorContent, 'returnTo' | 'next'> {
  readonly hasPasskeys: boolean
  readonly email: string
}

/** For an account without a factor, in a workspace that requires one. */
export function firstFactorPage(
  context: PageContext,
  { hasPasskeys, email, next, returnTo }: FirstFactorContent,
): PageParts {
  const { t } = context
  return {
    title: t.secondFactor.title,
    scripts: hasPasskeys ? ['passkey'] : [],
    body: html`<div class="card">
<h1 class="title">${t.secondFactor.title}</h1>
<p class="text">${t.secondFactor.none}</p>
<form class="fields" method="post" action="/sign-in/second-factor/app">${hiddenField('return_to', returnTo)}${submit(t.totpSetUp.title)}</form>
${
  hasPasskeys &&
  html`<p class="or">${t.signIn.or}</p>
<input type="hidden" id="passkey-name" value="Passkey">
${passkeyButton(context, { ceremony: 'registration', label: t.addPasskey, next, nameField: 'passkey-name' })}`
}</div>
${newCodesSection(context, next, email)}${leaveForm(t.signOut)}`,
  }
}
