// The languages of the personal page.
import { preferredLanguage } from '#features/sign-in-pages/index.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'
import type { PageTexts } from './page-texts.ts'
import { pt } from './pt.ts'

const texts = { en, de, fr, es, it, nl, pt, ar } as const
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
