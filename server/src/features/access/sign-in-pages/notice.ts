// A page that other features show in the look of the sign-in pages.

import { html } from '#pages/markup.ts'
import type { PageClient } from './calls.ts'
import { contextIn, documentFor, headersOfPages } from './document.ts'
import { noticePage, problemPage } from './entry/sign-in-view.ts'
import type { PageLanguage } from './language.ts'
import { languageIn } from './visitor.ts'

export interface NoticeDocument {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

interface NoticeTexts {
  readonly title: string
  readonly texts: readonly string[]
  /** For the administrator, to find the entry in the log. */
  readonly reference: string
}

/** It names no company: an attacker can cause it for any workspace. Its link leads to the sign-in. */
export function noticeDocument(
  language: PageLanguage,
  { title, texts, reference }: NoticeTexts,
): NoticeDocument {
  const context = contextIn(language, null)
  const page = noticePage({
    title,
    texts: [...texts, html`<span class="faint small">${reference}</span>`],
    link: { label: context.t.back, path: '/sign-in' },
  })
  return { body: documentFor(context, page), headers: headersOfPages(null) }
}

/** For a browser that opens an address which is not there. */
export function unknownPage(_code: string, sent: PageClient['headers']): NoticeDocument {
  const context = contextIn(languageIn(sent), null)
  const home = { label: context.t.home, path: '/' }
  return {
    body: documentFor(context, problemPage(context, 'not_found', home)),
    headers: headersOfPages(null),
  }
}
