// What a template is: a function from the brand and the smart fields of a workspace to content.
import type { Block, Content, enums } from '@signoff/render'
import type { BuiltInField } from '#features/workspace/smart-fields/index.ts'
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

export type FieldKey = BuiltInField['key']
export type FieldIds = Readonly<Record<FieldKey, string>>

export type FontFamily = (typeof enums.fontFamily)[number]

/** The logo, with the size of its file. */
export interface Logo {
  readonly id: string
  readonly width: number
  readonly height: number
}

/** The material of a design. */
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
  /** Its thumbnail shows a banner, because the design is made for one. Every design has a slot for banners. */
  readonly isDrawnWithBanner?: true
  readonly build: (kit: Kit) => Content
}
