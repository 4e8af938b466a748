// Pages that hold one message: no such page, an old link, and a request that failed.
import { type Html, html } from '#pages/markup.ts'
import { type PageFrame, personalDocument } from './document.ts'

const card = (title: string, ...parts: readonly (Html | null)[]): Html => html`<section class="card notice">
<h1 class="title">${title}</h1>
${parts}
</section>`

const paragraph = (text: string): Html => html`<p class="text">${text}</p>`

export function missingPage(frame: PageFrame): string {
  const { title, explanation } = frame.words.t.missing
  return personalDocument(frame, { title, main: card(title, paragraph(explanation)) })
}

/** `path` is that of the page. Without a mail server there is no button. */
export function oldLinkPage(frame: PageFrame, address: string, path: string, sendsMail: boolean): string {
  const { title, explanation, button, withoutMail } = frame.words.t.oldLink
  const form = html`<form method="post" action="${path}/link"><button class="button first">${button}</button></form>`
  const main = sendsMail
    ? card(title, paragraph(explanation(address)), form)
    : card(title, paragraph(withoutMail))
  return personalDocument(frame, { title, main })
}

export function freshLinkSentPage(frame: PageFrame, address: string): string {
  const { sentTitle, sent } = frame.words.t.oldLink
  return personalDocument(frame, { title: sentTitle, main: card(sentTitle, paragraph(sent(address))) })
}

export type PageProblem = 'cross_origin' | 'rate_limited' | 'unreadable_form' | 'unavailable'

/** `path` leads back to the page; null where it is not known. */
export function failedPage(frame: PageFrame, problem: PageProblem, path: string | null): string {
  const { title, back, ...texts } = frame.words.t.problem
  const link = path === null ? null : html`<p class="text"><a class="link" href="${path}">${back}</a></p>`
  return personalDocument(frame, { title, main: card(title, paragraph(texts[problem]), link) })
}
