// Setting up an authenticator app, and the recovery codes that are shown once.
import type { NewTotp } from '#features/access/second-factors/index.ts'
import { html } from '#pages/markup.ts'
import type { PageContext, PageParts } from '../document.ts'
import { alertIn, type FormState, field, hiddenField, submit } from '../fields.ts'
import { codeList } from '../passkey-button.ts'
import { pathWith } from '../visit.ts'
import { factorPath } from './paths.ts'

const inGroups = (secret: string): string => secret.replaceAll(/.{4}(?=.)/g, '$& ')

export function totpSetUpPage(
  { t }: PageContext,
  { secret, uri, qr_code }: NewTotp,
  { form, returnTo }: { readonly form: FormState; readonly returnTo: string | undefined },
): PageParts {
  const code = {
    name: 'code',
    label: t.fields.oneTimeCode,
    autocomplete: 'one-time-code',
    inputmode: 'numeric',
    maxlength: 10,
    isDigits: true,
    isFocused: true,
  } as const
  return {
    title: t.totpSetUp.title,
    body: html`<div class="card">
<h1 class="title">${t.totpSetUp.title}</h1>
<p class="text">${t.totpSetUp.scan}</p>
<img class="qr" alt="${t.totpSetUp.picture}" src="${qr_code}">
<p class="phone"><a class="button full" href="${uri}">${t.totpSetUp.openApp}</a></p>
<p class="text faint">${t.totpSetUp.byHand}</p>
<p class="key" id="totp-key">${inGroups(secret)}</p>
${alertIn(form)}<form class="fields" method="post" action="/sign-in/second-factor/app/confirm">
<p class="text field">${t.totpSetUp.enter}</p>
${hiddenField('return_to', returnTo)}${hiddenField('secret', secret)}${hiddenField('uri', uri)}${field(code, form)}${submit(t.totpSetUp.submit)}
</form>
</div>
<p class="outside"><a class="link" href="${pathWith(factorPath, { return_to: returnTo })}">${t.cancel}</a></p>`,
  }
}

interface RecoveryCodes {
  readonly codes: readonly string[]
  /** The path after the page. */
  readonly next: string
  /** Stands on the printed page. */
  readonly email: string
}

export const recoveryCodesPage = (context: PageContext, { codes, next, email }: RecoveryCodes): PageParts => {
  const { t } = context
  return {
    title: t.recoveryCodes.title,
    body: html`<div class="card">
<h1 class="title">${t.recoveryCodes.title}</h1>
<p class="text">${t.recoveryCodes.text}</p>
${codeList(context, codes, email)}
<p class="after"><a class="button first full" href="${next}">${t.recoveryCodes.done}</a></p>
</div>`,
  }
}
