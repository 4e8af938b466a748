// The page of a person's own account.
import { brandHead, type PageContext, type PageParts } from '../document.ts'
import type { OwnWorkspace } from '../entry/workspaces.ts'
import { alertIn, buttonForm, confirmForm, doneIn, emptyForm, type FormState, field } from '../fields.ts'
import { type Html, html } from '../markup.ts'
import { newCodesSection, passkeyButton } from '../passkey-button.ts'
import type { AccountContent, AccountFactors, AccountPasskey, AccountSession } from './data.ts'

/** The forms of the page that can be shown again with a problem. */
export type AccountForm = 'profile' | 'password' | 'page'

export interface AccountState {
  readonly done: string | undefined
  /** The form with a problem. */
  readonly failed: { readonly form: AccountForm; readonly state: FormState } | null
  readonly canUsePasskeys: boolean
}

const format: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
}

/** The script `tools` shows it in the time zone of the browser. */
const dateIn = ({ language }: PageContext, text: string): string =>
  new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', format)
    .format(new Date(text))
    .replace(' at ', ', ')
    .replace(' um ', ', ')

/** A sentence with a date at its end. */
function when(context: PageContext, sentence: (date: string) => string, text: string): Html {
  const date = dateIn(context, text)
  const [before, after] = sentence(date).split(date)
  return html`${before}<time datetime="${text}">${date}</time>${after}`
}

const section = (id: string, title: string, body: Html, badge: Html | false = false): Html =>
  html`<section class="card" aria-labelledby="${id}">
<div class="head"><h2 id="${id}">${title}</h2>${badge}</div>
${body}</section>
`

export function accountPage(context: PageContext, content: AccountContent, state: AccountState): PageParts {
  const { t } = context
  const { own } = content
  const stateOf = (form: AccountForm): FormState =>
    state.failed?.form === form ? state.failed.state : emptyForm
  return {
    title: t.account.title,
    isWide: true,
    scripts: own && state.canUsePasskeys ? ['passkey'] : [],
    body: html`<div class="bar">${brandHead(context, '/')}<a href="/">${t.account.back}</a>${buttonForm({ action: '/sign-out', label: t.account.signOut })}</div>
<h1 class="title">${t.account.title}</h1>
${own && newCodesSection(context, '/account?done=passkey', content.email)}${doneIn(context, state.done)}${alertIn(stateOf('page'))}${own ? profileSection(context, content, stateOf('profile')) : ssoProfileSection(context, content)}
${workspacesSection(context, content)}
${
  own &&
  html`${passwordSection(context, content.email, own.hasPassword, stateOf('password'))}
${totpSection(context, own.factors)}
${passkeysSection(context, own.factors, content.sessions, state.canUsePasskeys)}`
}
${sessionsSection(context, content.sessions)}`,
  }
}

function profileSection({ t }: PageContext, { name, email, locale }: AccountContent, form: FormState): Html {
  const values = { name, ...form.values }
  const language = form.values.locale ?? locale ?? ''
  const option = (value: string, label: string) =>
    html`<option value="${value}"${value === language && html` selected`}>${label}</option>`
  return section(
    'profile',
    t.account.profile,
    html`<p class="faint">${email}</p>
<form class="fields" method="post" action="/account/profile">
<div class="pair">
${field({ name: 'name', label: t.fields.name, autocomplete: 'name', maxlength: 200 }, { ...form, values })}
<div class="field"><label for="locale">${t.fields.language}</label>
<select id="locale" name="locale">${option('', t.account.followBrowser)}${option('en', 'English')}${option('de', 'Deutsch')}</select></div>
</div>
<button type="submit">${t.account.save}</button>
</form>
`,
  )
}

function workspacesSection({ t }: PageContext, { workspaces, workspaceId }: AccountContent): Html {
  const row = ({ id, name, role }: OwnWorkspace) => html`<li class="row">
<div class="what"><p class="name">${name}</p><p class="faint small">${t.roles[role] ?? role}</p></div>
${
  id === workspaceId
    ? html`<span class="badge on">${t.account.current}</span>`
    : buttonForm({
        action: '/account/workspace',
        label: t.account.open,
        name: t.account.openNamed(name),
        fields: { workspace_id: id },
      })
}</li>
`
  return section(
    'workspaces',
    t.account.workspaces,
    workspaces.length === 0
      ? html`<p class="faint">${t.account.noWorkspaces}</p>`
      : html`<ul class="rows">${workspaces.map(row)}</ul>\n`,
  )
}

/** Name, language and ways to sign in belong to the account, not to the workspace that signed the person in. */
const ssoProfileSection = ({ t }: PageContext, { name, email }: AccountContent): Html =>
  section(
    'profile',
    t.account.profile,
    html`<p class="name">${name}</p>
<p class="faint">${email}</p>
<p class="faint">${t.account.ssoNote}</p>
`,
  )

function passwordSection({ t }: PageContext, email: string, hasPassword: boolean, form: FormState): Html {
  const current = {
    name: 'current',
    label: t.fields.currentPassword,
    type: 'password',
    autocomplete: 'current-password',
  } as const
  const fresh = {
    name: 'new',
    label: t.fields.newPassword,
    type: 'password',
    autocomplete: 'new-password',
    hint: t.fields.passwordHint,
  } as const
  return section(
    'password',
    t.account.password,
    html`<p class="faint">${hasPassword ? t.account.passwordNote : t.account.noPassword}</p>
${alertIn(form)}<form class="fields" method="post" action="/account/password">
<input type="hidden" name="email" autocomplete="username" value="${email}">
<div class="pair">${hasPassword && field(current, form)}${field(fresh, form)}</div>
<button type="submit">${hasPassword ? t.account.changePassword : t.account.setPassword}</button>
</form>
`,
  )
}

function totpSection({ t }: PageContext, { totp, recovery_codes }: AccountFactors): Html {
  const { account } = t
  const hasTotp = totp.enabled
  return section(
    'totp',
    account.totp,
    html`<p class="faint">${account.totpNote}</p>
${hasTotp && html`<p class="faint">${account.recoveryLeft(recovery_codes.remaining)}</p>`}
<div class="actions">${
      hasTotp
        ? html`${confirmForm({ action: '/account/recovery-codes', label: account.newRecoveryCodes, text: account.newRecoveryCodesText, confirm: account.newRecoveryCodesConfirm })}${confirmForm({ action: '/account/totp/remove', label: account.removeTotp, text: account.removeTotpText, confirm: account.removeTotpConfirm })}`
        : buttonForm({ action: '/account/totp', label: account.setUpTotp })
    }</div>
`,
    html`<span class="badge${hasTotp && ' on'}">${hasTotp ? account.totpOn : account.totpOff}</span>`,
  )
}

function passkeysSection(
  context: PageContext,
  { passkeys }: AccountFactors,
  sessions: readonly AccountSession[],
  canUsePasskeys: boolean,
): Html {
  const { t } = context
  const { account } = t
  const row = ({ id, name, created_at, last_used_at }: AccountPasskey) => html`<li class="row">
<div class="what"><p class="name">${name}</p>
<p class="faint small">${when(context, account.addedOn, created_at)}</p>
<p class="faint small">${last_used_at === null ? account.neverUsed : when(context, account.lastUsed, last_used_at)}</p></div>
<details class="confirm"><summary aria-label="${account.renameNamed(name)}">${account.rename}</summary>
<form class="fields" method="post" action="/account/passkeys/rename"><input type="hidden" name="id" value="${id}">
${field({ name: 'name', label: t.fields.passkeyName, autocomplete: 'off', maxlength: 100, prefix: id }, { values: { name }, problems: {} })}<button type="submit">${account.save}</button></form></details>
${buttonForm({ action: '/account/passkeys/remove', label: account.remove, name: account.removeNamed(name), fields: { id } })}</li>
`
  const browser = account.browser(sessions.find(({ current }) => current)?.browser ?? '')
  const adding = html`<div class="fields" data-needs-passkey hidden>
${field({ name: 'passkey-name', label: t.fields.passkeyName, autocomplete: 'off', maxlength: 100 }, { values: { 'passkey-name': browser }, problems: {} })}
${passkeyButton(context, { ceremony: 'registration', label: account.addPasskey, next: '/account?done=passkey', isFull: false, nameField: 'passkey-name' })}
</div>
<noscript><p class="hint">${t.needsScript}</p></noscript>
`
  return section(
    'passkeys',
    account.passkeys,
    html`<p class="faint">${account.passkeysNote}</p>
${passkeys.length === 0 ? html`<p>${account.noPasskeys}</p>` : html`<ul class="rows">${passkeys.map(row)}</ul>`}
${canUsePasskeys && adding}`,
  )
}

function sessionsSection(context: PageContext, sessions: readonly AccountSession[]): Html {
  const { account } = context.t
  const row = ({ id, browser, network, current, created_at, last_used_at }: AccountSession) => {
    const name = browser === '' ? account.unknownBrowser : account.browser(browser)
    return html`<li class="row">
<div class="what"><p class="name">${name}</p>
<p class="faint small">${account.from(network)}</p>
<p class="faint small">${when(context, account.signedInSince, created_at)}</p>
<p class="faint small">${when(context, account.lastActive, last_used_at)}</p></div>
${
  current
    ? html`<span class="badge on">${account.thisBrowser}</span>`
    : buttonForm({
        action: '/account/sessions/end',
        label: account.endSession,
        name: account.endSessionNamed(name),
        fields: { id },
      })
}</li>
`
  }
  return section(
    'sessions',
    account.sessions,
    html`<ul class="rows">${sessions.map(row)}</ul>
<div class="actions">${confirmForm({ action: '/sign-out', label: account.everywhere, text: account.everywhereNote, confirm: account.everywhereConfirm, fields: { everywhere: 'true' } })}</div>
`,
  )
}
