// What the personal page says. Every language has one file with all of it.
import type { SmartField } from '#features/workspace/smart-fields/index.ts'
import type { ProgramName } from '../programs.ts'

export interface ProgramTexts {
  readonly name: string
  readonly steps: readonly string[]
  readonly note?: string
}

type MailKind = 'new' | 'reply'

export interface PageTexts {
  readonly title: string
  readonly states: Readonly<Record<'never' | 'outdated' | 'current', string>>
  readonly noSignature: string
  readonly copyStates: Readonly<Record<'current' | 'outdated' | 'none', string>>
  readonly signature: string
  readonly whichSignature: string
  readonly kinds: Readonly<Record<MailKind, string>>
  readonly subjects: Readonly<Record<MailKind, string>>
  readonly sampleMail: readonly [greeting: string, sentence: string]
  readonly noReply: string
  readonly copy: Readonly<Record<'rich' | 'text' | 'source', string>>
  readonly copied: Readonly<Record<'rich' | 'text' | 'source', string>>
  readonly copyRefused: string
  readonly byHand: string
  readonly onDark: string
  readonly install: string
  readonly likely: string
  readonly programs: Readonly<Record<ProgramName, ProgramTexts>>
  readonly details: {
    readonly title: string
    readonly intro: string
    readonly save: string
    readonly done: Readonly<Record<PageDone, string>>
    readonly needsApproval: string
    readonly waits: (current: string) => string
    readonly waitsForRemoval: string
    readonly approved: string
    readonly approvedRemoval: string
    readonly rejected: (value: string) => string
    readonly reason: (text: string) => string
    readonly withdraw: string
    readonly empty: string
    readonly problems: Readonly<Record<Exclude<SmartField['kind'], 'image'> | 'too_long' | 'locked', string>>
    readonly someWrong: string
  }
  readonly picture: {
    readonly none: string
    readonly add: string
    readonly change: string
    readonly remove: string
    readonly waits: string
    readonly approved: string
    readonly rejected: string
    readonly needsScript: string
    readonly crop: string
    readonly cropHelp: string
    readonly zoom: string
    readonly use: string
    readonly cancel: string
    readonly sending: string
    readonly unreadable: string
    readonly failed: string
    readonly limited: string
  }
  /** The labels of the built-in fields, unless the company has renamed them. */
  readonly fields: Readonly<Record<string, string>>
  readonly oldLink: {
    readonly title: string
    readonly explanation: (address: string) => string
    readonly button: string
    readonly sentTitle: string
    readonly sent: (address: string) => string
    readonly withoutMail: string
  }
  readonly missing: { readonly title: string; readonly explanation: string }
  readonly problem: {
    readonly title: string
    readonly cross_origin: string
    readonly rate_limited: string
    readonly unreadable_form: string
    readonly unavailable: string
    readonly back: string
  }
  readonly privacy: string
}

/** Results of a change that the page reports. */
export const pageDones = ['saved', 'waiting', 'removed', 'withdrawn'] as const
export type PageDone = (typeof pageDones)[number]
