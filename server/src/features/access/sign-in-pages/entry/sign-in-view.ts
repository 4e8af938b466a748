// The page to sign in, and the pages around it that only tell something.

import { type Html, html } from '#pages/markup.ts'
import type { SsoChoice } from '../deps.ts'
import type { PageContext, PageParts } from '../document.ts'
import { alertIn, doneIn, type FormState, field, hiddenField, submit } from '../fields.ts'
import { passkeyButton } from '../passkey-button.ts'

export interface SignInContent {
  readonly form: FormState
  readonly done: string | undefined
  /** Back to where a visitor came from who is signed in already; null for all others. */
  readonly cancelPath: string | null
  readonly returnTo: string | undefined
  /** The path to open after the sign-in. */
  readonly next: string
  /** The path of this page: forms are sent to it. */
  readonly path: string
  readonly hasLinks: boolean
  readonly hasPasskeys: boolean
  /** The connections that are known before an address is typed. */
  readonly choices: readonly SsoChoice[]
  readonly hasSso: boolean
}

const ssoLinks = ({ t }: PageContext, choices: readonly SsoChoice[], isFirst = false): Html =>
  html`<div class="stack">${choices.map(
    ({ name, path }) =>
      html`<a class="button full${isFirst && ' first'}" href="${path}">${t.signIn.continueWith(name)}</a>\n`,
  )}</div>`

export function signInPage(context: PageContext, content: SignInContent): PageParts {
  const { t, brand } = context
  const { form, returnTo, path, hasLinks, hasPasskeys, choices, hasSso } = content
  // Without a logo, the name is above already.
  const title = brand?.logoUrl ? t.signIn.to(brand.name) : t.signIn.title
  const email = {
    name: 'email',
    label: t.fields.email,
    type: 'email',
    autocomplete: 'username webauthn',
  } as const
  const password = {
    name: 'password',
    label: t.fields.password,
    type: 'password',
    autocomplete: 'current-password',
    beside: html`<a class="link small" href="/forgot">${t.signIn.forgot}</a>`,
  } as const
  const other = (way: string, label: string) =>
    html`<button class="button full" type="submit" name="way" value="${way}" formnovalidate>${label}</button>\n`
  return {
    title: t.signIn.title,
    scripts: hasPasskeys ? ['passkey'] : [],
    body: html`<div class="card">
<h1 class="title">${title}</h1>
${doneIn(context, content.done)}${alertIn(form)}${choices.length > 0 && html`<div class="fields">${ssoLinks(context, choices)}</div><p class="or">${t.signIn.or}</p>`}
<form class="fields" method="post" action="${path}">
${hiddenField('return_to', returnTo)}${content.cancelPath !== null && hiddenField('again', '1')}${field(email, form)}${field(password, form)}${submit(t.signIn.submit)}
${
  (hasLinks || hasSso || hasPasskeys) &&
  html`<p class="or">${t.signIn.or}</p>
<div class="stack">
${hasPasskeys && passkeyButton(context, { ceremony: 'sign-in', label: t.signIn.passkey, next: content.next })}
${hasLinks && other('link', t.signIn.link)}${hasSso && other('sso', t.signIn.sso)}</div>
`
}</form>
</div>
${content.cancelPath !== null && html`<p class="outside"><a class="link" href="${content.cancelPath}">${t.cancel}</a></p>`}`,
  }
}

/** After the right password, in workspaces that do not take it. */
export function ssoRequiredPage(context: PageContext, choices: readonly SsoChoice[]): PageParts {
  const { t } = context
  const { title, text } = t.ssoRequired
  if (choices.length === 0)
    return noticePage({ title, texts: [text], link: { label: t.back, path: '/sign-in' } })
  return {
    title,
    body: html`<div class="card">
<h1 class="title">${title}</h1>
<p class="text">${text}</p>
<div class="fields">${ssoLinks(context, choices, choices.length === 1)}</div>
</div>
<p class="outside"><a class="link" href="/sign-in">${t.back}</a></p>`,
  }
}

/** After an address was typed: the ways that its companies offer. */
export const ssoChoicePage = (
  context: PageContext,
  email: string,
  choices: readonly SsoChoice[],
): PageParts => ({
  title: context.t.signIn.ssoTitle,
  body: html`<div class="card">
<h1 class="title">${context.t.signIn.ssoTitle}</h1>
<p class="text">${context.t.signIn.ssoIntro(email)}</p>
<div class="fields">${ssoLinks(context, choices, choices.length === 1)}</div>
</div>
<p class="outside"><a class="link" href="/sign-in">${context.t.back}</a></p>`,
})

interface NoticeLink {
  readonly label: string
  readonly path: string
}

interface NoticeContent {
  readonly title: string
  readonly texts: readonly (string | Html)[]
  readonly link?: NoticeLink
}

/** A page that only tells something, and what to do next. */
export const noticePage = ({ title, texts, link }: NoticeContent): PageParts => ({
  title,
  body: html`<div class="card">
<h1 class="title">${title}</h1>
${texts.map(text => html`<p class="text">${text}</p>\n`)}${link && html`<p class="after"><a class="button first full" href="${link.path}">${link.label}</a></p>`}
</div>`,
})

export const linkSentPage = ({ t }: PageContext, email = t.linkSent.thisAddress): PageParts =>
  noticePage({
    title: t.linkSent.title,
    texts: [t.linkSent.text(email), html`<span class="faint">${t.linkSent.nothing}</span>`],
    link: { label: t.back, path: '/sign-in' },
  })

export const resetSentPage = ({ t }: PageContext, email = t.linkSent.thisAddress): PageParts =>
  noticePage({
    title: t.forgot.sentTitle,
    texts: [t.forgot.sent(email), html`<span class="faint">${t.forgot.nothing}</span>`],
    link: { label: t.back, path: '/sign-in' },
  })

export const signedOutPage = ({ t }: PageContext): PageParts =>
  noticePage({
    title: t.signedOut.title,
    texts: [t.signedOut.text],
    link: { label: t.signedOut.again, path: '/sign-in' },
  })

/** Unknown codes are answered as `not_found`. */
export function problemPage(
  { t }: PageContext,
  code: string,
  link: NoticeLink = { label: t.back, path: '/sign-in' },
): PageParts {
  const { title, text } = (Object.hasOwn(t.problems, code) ? t.problems[code] : t.problems.not_found) ?? {
    title: t.errors.other,
    text: '',
  }
  return noticePage({ title, texts: [text], link })
}
