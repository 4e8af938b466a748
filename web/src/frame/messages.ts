// The catalogues. Each area of pages has its own, which is loaded with its pages; `shell` is loaded with the first page.
// The English ones decide which keys exist: a test compares the others with them.

import type editor from '#editor/texts.en.json'
import type account from '#pages/account/texts.en.json'
import type analytics from '#pages/analytics/texts.en.json'
import type approvals from '#pages/approvals/texts.en.json'
import type assets from '#pages/assets/texts.en.json'
import type campaigns from '#pages/campaigns/texts.en.json'
import type fields from '#pages/fields/texts.en.json'
import type home from '#pages/home/texts.en.json'
import type installations from '#pages/installations/texts.en.json'
import type integrations from '#pages/integrations/texts.en.json'
import type me from '#pages/me/texts.en.json'
import type people from '#pages/people/texts.en.json'
import type settings from '#pages/settings/texts.en.json'
import type signatures from '#pages/signatures/texts.en.json'
import type welcome from '#pages/welcome/texts.en.json'
import type audit from '#records/audit/texts.en.json'
import type templates from '#records/templates/texts.en.json'
import type { Language } from '#texts/languages.ts'
import type shell from '#texts/shell.en.json'

/** An area: `pages/<area>/texts.en.json`. New areas are added to this list. */
export interface Messages {
  readonly shell: typeof shell
  readonly account: typeof account
  readonly analytics: typeof analytics
  readonly approvals: typeof approvals
  readonly assets: typeof assets
  readonly audit: typeof audit
  readonly campaigns: typeof campaigns
  readonly editor: typeof editor
  readonly fields: typeof fields
  readonly home: typeof home
  readonly installations: typeof installations
  readonly integrations: typeof integrations
  readonly me: typeof me
  readonly people: typeof people
  readonly settings: typeof settings
  readonly signatures: typeof signatures
  readonly templates: typeof templates
  readonly welcome: typeof welcome
}

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages
    Locale: Language
  }
}
