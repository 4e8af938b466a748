// Pages that a link opens whose token is behind the #: set-up, invitation, new password. Without JavaScript the
// visitor pastes the token.
import type { ResetState } from '#features/access/access/index.ts'
import { type Html, html } from '#pages/markup.ts'
import type { PageContext, PageParts } from '../document.ts'
import { alertIn, emptyForm, type FormState, field, hiddenField, submit } from '../fields.ts'
import { newCodesSection, passkeyButton } from '../passkey-button.ts'

const nameField = ({ t }: PageContext, form: FormState): Html =>
  field({ name: 'name', label: t.fields.name, autocomplete: 'name', maxlength: 200 }, form)

const newPasswordField = ({ t }: PageContext, form: FormState, label = t.fields.password): Html =>
  field(
    { name: 'password', label, type: 'password', autocomplete: 'new-password', hint: t.fields.passwordHint },
    form,
  )

const emailField = ({ t }: PageContext, form: FormState): Html =>
  field({ name: 'email', label: t.fields.email, type: 'email', autocomplete: 'username' }, form)

/** An address that cannot be changed here. Password managers read it from the field. */
const fixedEmail = ({ t }: PageContext, email: string): Html =>
  html`<div class="field"><label class="label" for="email">${t.fields.email}</label><input class="input" id="email" type="email" autocomplete="username" value="${email}" readonly></div>`

/** The first step: the script fills in the code and sends the form. */
export const tokenPage = (
  { t }: PageContext,
  { title, path }: { readonly title: string; readonly path: string },
): PageParts => ({
  title,
  scripts: ['fragment'],
  body: html`<div class="card">
<h1 class="title">${title}</h1>
<form class="by-hand" method="post" action="${path}">
<p class="text field">${t.token.text}</p>
${field({ name: 'token', label: t.fields.code, autocomplete: 'off', hint: t.fields.codeHint }, emptyForm)}${submit(t.token.submit)}
</form>
</div>`,
})

/** A link that was used, or has expired. */
export const deadLinkPage = (
  { t }: PageContext,
  kind: 'setUp' | 'invitation' | 'reset',
  isSignedIn: boolean,
): PageParts => ({
  title: t.deadLink.title,
  body: html`<div class="card">
<h1 class="title">${t.deadLink.title}</h1>
<p class="text">${t.deadLink[kind]}</p>
<p class="after">${
    kind === 'reset'
      ? html`<a class="button first full" href="/forgot">${t.deadLink.newLink}</a>`
      : isSignedIn
        ? html`<a class="button first full" href="/">${t.toSignoff}</a>`
        : html`<a class="button first full" href="/sign-in">${t.signIn.submit}</a>`
  }</p>
</div>
${kind === 'reset' && html`<p class="outside"><a class="link" href="/sign-in">${t.back}</a></p>`}`,
})

export const setUpPasskeyPath = '/setup/passkey'

/** `email`: the address that the operator has fixed; null when the owner chooses it. */
export function setUpPage(
  context: PageContext,
  form: FormState,
  { token, email }: { readonly token: string; readonly email: string | null },
): PageParts {
  const { t } = context
  return {
    title: t.setUp.title,
    body: html`<div class="card">
<h1 class="title">${t.setUp.title}</h1>
<p class="text">${t.setUp.text}</p>
${alertIn(form)}<form class="fields" method="post" action="/setup" data-after="${setUpPasskeyPath}">
${hiddenField('token', token)}${hiddenField('step', 'account')}${nameField(context, form)}${email === null ? emailField(context, form) : fixedEmail(context, email)}${newPasswordField(context, form)}${submit(t.setUp.submit)}
</form>
</div>`,
  }
}

interface PasskeyOffer {
  readonly email: string
  /** The name of the new passkey. */
  readonly browser: string
  /** The path to open afterwards. */
  readonly next: string
}

/** Only the script knows whether the browser makes passkeys at this address. */
export function setUpPasskeyPage(context: PageContext, { email, browser, next }: PasskeyOffer): PageParts {
  const { t } = context
  return {
    title: t.setUpPasskey.title,
    scripts: ['passkey'],
    body: html`<div class="card">
<h1 class="title">${t.setUpPasskey.title}</h1>
<p class="text">${t.setUpPasskey.text}</p>
<div class="fields" data-needs-passkey hidden>
<input type="hidden" id="passkey-name" value="${browser}">
${passkeyButton(context, { ceremony: 'registration', label: t.addPasskey, next, nameField: 'passkey-name', isFirst: true })}
</div>
<p class="hint" data-without-passkey hidden>${t.setUpPasskey.without}</p>
<noscript><p class="hint">${t.needsScript}</p></noscript>
<p class="after"><a class="button full" href="${next}">${t.setUpPasskey.skip}</a></p>
</div>
${newCodesSection(context, next, email)}`,
  }
}

/** As the API describes an invitation. */
export interface InvitationContent {
  readonly token: string
  readonly workspace: { readonly name: string }
  readonly email: string
  readonly name: string
  readonly role: string
  readonly invited_by: string | null
  readonly needs: 'password' | 'sign_in' | 'nothing'
}

export function invitationPage(
  context: PageContext,
  content: InvitationContent,
  { form = emptyForm, signedInAs = null }: { form?: FormState; signedInAs?: string | null } = {},
): PageParts {
  const { t } = context
  const { token, workspace, email, name, role: roleName, invited_by, needs } = content
  const role = t.roles[roleName] ?? roleName
  const title = t.invitation.titleAt(workspace.name)
  // Also for a browser that is signed in as another person.
  const returnTo = new URLSearchParams({
    again: '1',
    done: 'invited',
    return_to: '/invitation/continue',
    email,
  })
  const isOther = needs === 'sign_in' && signedInAs !== null && signedInAs !== email
  const values = { name, ...form.values }
  return {
    title,
    body: html`<div class="card">
<h1 class="title">${title}</h1>
<p class="text">${invited_by === null ? t.invitation.invited(role) : t.invitation.invitedBy(invited_by, role)}
${needs === 'password' && t.invitation.choose}${needs === 'sign_in' && !isOther && t.invitation.signIn(email)}</p>
${isOther && html`<p class="text">${t.invitation.otherPerson(signedInAs, email)}</p>`}
${alertIn(form)}${
  isOther
    ? html`<form class="fields" method="post" action="/sign-out">
${hiddenField('return_to', '/invitation/continue')}${hiddenField('email', email)}${submit(t.invitation.switchPerson(email))}
</form>
<p class="after"><a class="button full" href="/">${t.cancel}</a></p>`
    : needs === 'sign_in'
      ? html`<p class="after"><a class="button first full" href="/sign-in?${returnTo.toString()}">${t.invitation.signInFirst}</a></p>`
      : html`<form class="fields" method="post" action="/invitation">
${hiddenField('token', token)}${hiddenField('step', 'accept')}${fixedEmail(context, email)}${needs === 'password' && html`${nameField(context, { ...form, values })}${newPasswordField(context, form)}`}${submit(t.invitation.submit)}
</form>`
}
</div>`,
  }
}

/** `email`: of the account. */
export function resetPage(
  context: PageContext,
  form: FormState,
  { token, email, removesSecondFactors }: ResetState & { readonly token: string },
): PageParts {
  const { t } = context
  return {
    title: t.reset.title,
    body: html`<div class="card">
<h1 class="title">${t.reset.title}</h1>
<p class="text">${t.reset.text}${removesSecondFactors && html` ${t.reset.removesFactors}`}</p>
${alertIn(form)}<form class="fields" method="post" action="/reset">
${hiddenField('token', token)}${hiddenField('step', 'password')}${fixedEmail(context, email)}${newPasswordField(context, form, t.fields.newPassword)}${submit(t.reset.submit)}
</form>
</div>`,
  }
}

export const forgotPage = (context: PageContext, form: FormState, sendsMail: boolean): PageParts => {
  const { t } = context
  return {
    title: t.forgot.title,
    body: html`<div class="card">
<h1 class="title">${t.forgot.title}</h1>
<p class="text">${sendsMail ? t.forgot.text : t.forgot.noMail}</p>
${alertIn(form)}${
  sendsMail &&
  html`<form class="fields" method="post" action="/forgot">
${emailField(context, form)}${submit(t.forgot.submit)}
</form>
`
}</div>
<p class="outside"><a class="link" href="/sign-in">${t.back}</a></p>`,
  }
}
