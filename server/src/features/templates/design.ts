// What a template is: a function from the brand and the smart fields of a workspace to content.
import type { Block, Content, enums } from '@signoff/render'
import type { ShownBrand } from './bounds.ts'
import type { Palette } from './palette.ts'

export const templateCategories = [
  'corporate',
  'sales',
  'creative',
  'legal',
  'health',
  'education',
  'minimal',
  'reply',
  'internal',
] as const
export type Category = (typeof templateCategories)[number]

/** The keys of the built-in smart fields, which every workspace has. */
export const fieldKeys = [
  'first_name',
  'last_name',
  'job_title',
  'department',
  'company',
  'work_phone',
  'mobile_phone',
  'calendar_link',
  'profile_picture',
  'email',
] as const
export type FieldKey = (typeof fieldKeys)[number]
export type FieldIds = Readonly<Record<FieldKey, string>>

export type FontFamily = (typeof enums.fontFamily)[number]

/** The logo, with the size of its file. */
export interface Logo {
  readonly id: string
  readonly width: number
  readonly height: number
}

/** What a design is made of. */
export interface Kit extends ShownBrand {
  readonly fields: FieldIds
  readonly palette: Palette
  /** The brand's font; undefined when it has none. */
  readonly font: FontFamily | undefined
  readonly logo: Logo | null
}

/** Null where the brand has nothing to show. */
export type MaybeBlock = Block | null

export interface Design {
  /** The slug in the API. It must not change: clients store it. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly category: Category
  readonly build: (kit: Kit) => Content
}
