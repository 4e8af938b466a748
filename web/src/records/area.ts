// An area of the dashboard: `pages/<area>/area.ts`. Routes, menu, command palette and the paths that the service answers
// follow from it. The service loads these files too, so they import types only, and their pages by `import()`.
import type { Me } from '@signoff/sdk'
import type { ComponentType } from 'react'
import type { Scope } from '#api/client.ts'
import type { Language } from '#texts/languages.ts'
import type { Messages } from '#texts/messages.ts'
import type { IconName } from '#ui/base/icon.tsx'
import type audit from './audit/texts.en.json'
import type templates from './templates/texts.en.json'

declare module '#texts/messages.ts' {
  interface Messages {
    readonly audit: typeof audit
    readonly templates: typeof templates
  }
}

export type AreaId = Exclude<keyof Messages, 'shell'>

export interface AreaPage {
  readonly load: () => Promise<{ readonly default: ComponentType }>
  /** The catalogues that the page shows; without it that of its area. */
  readonly texts?: readonly AreaId[]
  /** The scope without which the page has nothing to show; without it that of the area. */
  readonly needs?: Scope
}

interface AreaMenu {
  readonly name: Readonly<Record<Language, string>>
  readonly icon: IconName
  /** Groups are separated by a gap. */
  readonly group: 0 | 1 | 2 | 3
  readonly order: number
  readonly needs?: Scope
  /** Roles that the API would let read it, but who have nothing to do there. */
  readonly hiddenFor?: readonly Me['member']['role'][]
}

export interface Area {
  readonly id: AreaId
  readonly needs?: Scope
  readonly menu?: AreaMenu
  /** By path; the first is that of the menu. Bookmarks and mails lead to them, so they stay. */
  readonly pages: Readonly<Record<string, AreaPage | { readonly redirect: string }>>
}
