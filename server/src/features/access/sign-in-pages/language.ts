// The language of a page: that of the account, else the first of the browser's that these pages have.
import { preferredLanguage } from '#pages/language.ts'
import { de } from './texts/de.ts'
import { en, type Texts } from './texts/en.ts'

export type PageLanguage = 'en' | 'de'

const texts: Readonly<Record<PageLanguage, Texts>> = { en, de }

export const textsIn = (language: PageLanguage): Texts => texts[language]

export const isPageLanguage = (text: unknown): text is PageLanguage => text === 'en' || text === 'de'

/** English when the browser names neither. */
export const languageOf = (acceptLanguage: string | undefined): PageLanguage =>
  preferredLanguage(acceptLanguage, ['en', 'de'], 'en')
