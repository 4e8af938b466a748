// The language of a page, as the browser asks for it.

interface Preference {
  readonly name: string
  readonly quality: number
}

/** `de-AT,de;q=0.9` names `de` twice. Unreadable parts are left out. */
const preferencesIn = (header: string): readonly Preference[] =>
  header
    .slice(0, 500)
    .split(',')
    .map(part => {
      const [tag = '', ...parameters] = part.split(';').map(word => word.trim().toLowerCase())
      const quality = parameters.find(word => word.startsWith('q='))?.slice(2) ?? '1'
      return { name: tag.split('-')[0] ?? '', quality: Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)

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
