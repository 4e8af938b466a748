// The languages of the personal page.
import { preferredLanguage } from '#pages/language.ts'
import { arabicPage } from './ar.ts'
import { germanPage } from './de.ts'
import { englishPage } from './en.ts'
import { spanishPage } from './es.ts'
import { frenchPage } from './fr.ts'
import { italianPage } from './it.ts'
import { dutchPage } from './nl.ts'
import type { PageTexts } from './page-texts.ts'
import { portuguesePage } from './pt.ts'

const texts = {
  en: englishPage,
  de: germanPage,
  fr: frenchPage,
  es: spanishPage,
  it: italianPage,
  nl: dutchPage,
  pt: portuguesePage,
  ar: arabicPage,
} as const
type Language = keyof typeof texts

export interface PageWords {
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  readonly t: PageTexts
}

/** The first language of the browser that the page has; English otherwise. */
export function wordsFor(acceptLanguage: string | undefined): PageWords {
  const language = preferredLanguage(acceptLanguage, Object.keys(texts) as Language[], 'en')
  return { language, direction: language === 'ar' ? 'rtl' : 'ltr', t: texts[language] }
}
