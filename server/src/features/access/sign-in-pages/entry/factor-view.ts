// The second step of a sign-in, and the choice of a workspace after it.
import type { PageContext, PageParts } from '../document.ts'
import { alertIn, type FormState, field, hiddenField, submit } from '../fields.ts'
import { type Html, html } from '../markup.ts'
import { newCodesSection, passkeyButton } from '../passkey-button.ts'

export interface FactorContent {
  readonly form: FormState
  readonly factors: readonly string[]
  readonly returnTo: string | undefined
  /** The path to open after the sign-in. */
  readonly next: string
}

const leaveForm = (label: string): Html =>
  html`<form class="outside" method="post" action="/sign-out"><button class="plain" type="submit">${label}</button></form>`

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
<h1>${t.secondFactor.title}</h1>
<p>${hasTotp ? t.secondFactor.totp : t.secondFactor.onlyPasskey}</p>
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
<noscript><p class="faint">${t.needsScript}</p></noscript></div>
`
}<details${form.problems.recovery_code !== undefined && html` open`}>
<summary>${t.secondFactor.recovery}</summary>
<p class="faint">${t.secondFactor.recoveryText}</p>
<form class="fields" method="post" action="/sign-in/second-factor">
${hiddenField('return_to', returnTo)}${field(recovery, form)}<button class="full" type="submit">${t.secondFactor.submit}</button>
</form>
<p class="faint small">${t.secondFactor.lost}</p>
</details>
</div>
${leaveForm(t.cancel)}`,
  }
}

/** For an account without a factor, in a workspace that requires one. */
export const firstFactorPage = (
  context: PageContext,
  next: string,
  { hasPasskeys, email }: { readonly hasPasskeys: boolean; readonly email: string },
): PageParts => {
  const { t } = context
  return {
    title: t.secondFactor.title,
    scripts: hasPasskeys ? ['passkey'] : [],
    body: html`<div class="card">
<h1>${t.secondFactor.title}</h1>
<p>${t.secondFactor.none}</p>
<form class="fields" method="post" action="/account/totp">${submit(t.totpSetUp.title)}</form>
${
  hasPasskeys &&
  html`<p class="or">${t.signIn.or}</p>
<input type="hidden" id="passkey-name" value="Passkey">
${passkeyButton(context, { ceremony: 'registration', label: t.account.addPasskey, next, nameField: 'passkey-name' })}`
}</div>
${newCodesSection(context, next, email)}${leaveForm(t.account.signOut)}`,
  }
}

interface WorkspaceChoice {
  readonly id: string
  readonly name: string
  readonly role: string
}

export const chooseWorkspacePage = (
  { t }: PageContext,
  workspaces: readonly WorkspaceChoice[],
  returnTo: string | undefined,
): PageParts => ({
  title: t.chooseWorkspace.title,
  body: html`<div class="card">
<h1>${t.chooseWorkspace.title}</h1>
<p>${t.chooseWorkspace.text}</p>
<form class="fields" method="post" action="/sign-in/workspace">
${hiddenField('return_to', returnTo)}<div class="stack">
${workspaces.map(
  ({ id, name, role }) =>
    html`<button class="full choice" type="submit" name="workspace_id" value="${id}"><span class="name">${name}</span> <span class="badge">${t.roles[role] ?? role}</span></button>\n`,
)}</div>
</form>
</div>`,
})
