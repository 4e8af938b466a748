export const languages = ['en', 'de'] as const
/** The language that this browser alone has stored. */
export const languageKey = 'signoff.language'
export type Language = (typeof languages)[number]
