// Appearance and language of this browser. They are no secrets, so the browser stores them.
import { type Language, languageKey, languages } from '#texts/languages.ts'

const themeKey = 'signoff.theme'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const prefersDark = matchMedia('(prefers-color-scheme: dark)')

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(themeKey)
  return themes.find(theme => theme === stored) ?? 'system'
}

function applyTheme(): void {
  const theme = chosenTheme()
  const isDark = theme === 'dark' || (theme === 'system' && prefersDark.matches)
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light'
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(themeKey, theme)
  applyTheme()
}

export function watchTheme(): void {
  applyTheme()
  prefersDark.addEventListener('change', applyTheme)
}

const languageOf = (tag: string | null | undefined): Language | undefined =>
  languages.find(language => tag?.toLowerCase().split('-')[0] === language)

/** The language that this browser has stored, else that of the account, else that of the browser. */
export function chosenLanguage(ofAccount: string | null): Language {
  const ofBrowser = navigator.languages.map(languageOf).find(Boolean)
  return languageOf(localStorage.getItem(languageKey)) ?? languageOf(ofAccount) ?? ofBrowser ?? 'en'
}

/**
 * Stores the language with the account, so that mails and the account page speak it too. A session of single sign-on
 * cannot change the account: then this browser alone stores it. The page is loaded anew, because texts are loaded with
 * the pages.
 */
export async function chooseLanguage(language: Language): Promise<void> {
  const answer = await fetch('/v1/me/account', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ locale: language }),
  }).catch(() => undefined)
  if (answer?.ok) localStorage.removeItem(languageKey)
  else localStorage.setItem(languageKey, language)
  location.reload()
}
