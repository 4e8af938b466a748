// The language of a page: that of the account, else the first of the browser's that these pages have.
import { de } from './texts/de.ts'
import { en, type Texts } from './texts/en.ts'

export type PageLanguage = 'en' | 'de'

const texts: Readonly<Record<PageLanguage, Texts>> = { en, de }

export const textsIn = (language: PageLanguage): Texts => texts[language]

export const isPageLanguage = (text: unknown): text is PageLanguage => text === 'en' || text === 'de'

interface Preference {
  readonly name: string
  readonly quality: number
}

/** `de-AT,de;q=0.9` names `de` twice. Unreadable parts are left out. */
function preferencesIn(header: string): readonly Preference[] {
  return header
    .slice(0, 500)
    .split(',')
    .map(part => {
      const [tag = '', ...parameters] = part.split(';').map(word => word.trim().toLowerCase())
      const quality = parameters.find(word => word.startsWith('q='))?.slice(2) ?? '1'
      return { name: tag.split('-')[0] ?? '', quality: Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
}

/** The first language of the header `Accept-Language` that is among these. */
export function preferredLanguage<Language extends string>(
  acceptLanguage: string | undefined,
  languages: readonly Language[],
  otherwise: Language,
): Language {
  const isOffered = (name: string): name is Language => languages.some(language => language === name)
  const names = preferencesIn(acceptLanguage ?? '').map(({ name }) => name)
  return names.find(isOffered) ?? otherwise
}

/** English when the browser names neither. */
export const languageOf = (acceptLanguage: string | undefined): PageLanguage =>
  preferredLanguage(acceptLanguage, ['en', 'de'], 'en')
