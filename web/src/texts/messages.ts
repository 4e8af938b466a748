import type { Language } from './languages.ts'
import type shell from './shell.en.json'

/**
 * The catalogues: `shell` is loaded with the first page, each other one with the pages that show it. Areas add their own
 * (`declare module`). The English ones decide which keys exist: a test compares the others with them.
 */
export interface Messages {
  readonly shell: typeof shell
}

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages
    Locale: Language
  }
}
