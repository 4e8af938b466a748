// New blocks that look finished at once: in the colours and the font of the brand, with the fields of the workspace.

import {
  type Content,
  contrastBounds,
  type IconName,
  papersBehind,
  type TextStyle,
  type Token,
} from '@signoff/render'
import type { Brand, SmartField } from '@signoff/sdk'
import type { AnyBlock, ContentKind } from '#records/content/block.ts'
import { newId } from '#records/content/ids.ts'
import { hexColor, passesAll } from '../colors/safe-color.ts'
import { columnGap, rowGap } from './spaces.ts'
import { blocksIn } from './tree.ts'

/** What the palette offers. */
export const newBlockNames = [
  'text',
  'field',
  'photo',
  'logo',
  'image',
  'button',
  'contacts',
  'socialLinks',
  'icon',
  'divider',
  'qrCode',
  'row',
  'column',
  'banner',
] as const
/** Parts of lists are offered only inside of a list. */
export type NewBlockName = (typeof newBlockNames)[number] | 'contact' | 'socialLink'

export interface NewBlockData {
  readonly brand: Brand | undefined
  readonly fields: readonly SmartField[]
  /** Words of the language of the person who edits. */
  readonly words: { readonly text: string; readonly button: string }
  /** What the logo shows, for people who do not see it. */
  readonly company?: string | undefined
  /** What a new field shows; without it the job title. */
  readonly fieldId?: string | undefined
  /** Where the block goes: new social links look like those that are there. */
  readonly tree?: Content | undefined
}

/** Where it goes decides whether it keeps this: `insertNewBlocks`. */
const space = { blockStyle: { marginTop: 12 } } as const

const defaultAccent = '#1f5fbf'

/** Words without a colour get the one of the mail client, which can be read on light and on dark mails. */
const textColor = (brand: Brand | undefined): string | undefined => {
  const color = hexColor(brand?.colors.text)
  return color && passesAll(color, papersBehind(undefined, contrastBounds.text)) ? color : undefined
}

const styleOf = (brand: Brand | undefined, size: number): TextStyle => {
  const color = textColor(brand)
  return {
    ...(brand?.font_family && { fontFamily: brand.font_family as NonNullable<TextStyle['fontFamily']> }),
    fontSize: size,
    ...(color && { color }),
  }
}

const words = (value: string, textStyle: TextStyle): Token => ({ id: newId(), value, textStyle })
const fieldToken = (field: SmartField, textStyle: TextStyle): Token => ({
  id: newId(),
  type: 'smartFieldToken',
  smartFieldUuid: field.id,
  textStyle,
})

/** The block, or null when the workspace lacks what it shows: `image` needs a picture that the person chooses. */
export function newBlock(name: NewBlockName, data: NewBlockData): AnyBlock | null {
  const { brand, fields } = data
  const style = styleOf(brand, 13)
  const id = newId()
  const byKey = (key: string) => fields.find(field => field.key === key)
  switch (name) {
    case 'text':
      return { type: 'text', id, tokens: [words(data.words.text, style)] }
    case 'field': {
      const chosen = fields.find(each => each.id === data.fieldId)
      const field = chosen ?? byKey('job_title') ?? fields.find(({ kind }) => kind === 'text')
      return field ? { type: 'text', id, tokens: [fieldToken(field, style)] } : null
    }
    case 'photo': {
      const field = byKey('profile_picture') ?? fields.find(({ kind }) => kind === 'image')
      if (!field) return null
      return {
        type: 'image',
        id,
        smartFieldUuid: field.id,
        width: 80,
        height: 80,
        shape: 'circle',
        alt: '',
        ...space,
      }
    }
    case 'logo':
      return brand?.logo_asset_id
        ? { type: 'image', id, assetUuid: brand.logo_asset_id, width: 120, alt: data.company ?? '', ...space }
        : null
    case 'image':
      return null
    case 'button':
      return {
        type: 'button',
        id,
        tokens: [{ id: newId(), value: data.words.button, textStyle: { fontSize: 13 } }],
        href: { text: brand?.website ?? 'https://example.com' },
        ...space,
        backgroundColor: brand?.colors.primary ?? defaultAccent,
      }
    case 'contacts':
      return contactList(id, data, style)
    case 'contact':
      return contactItems(data, style)[0] ?? null
    case 'socialLinks':
      return { type: 'socialList', id, ...socialLook(data), ...space, children: socialItems(brand) }
    case 'socialLink':
      return socialItems(brand)[0] ?? null
    case 'icon':
      return { type: 'icon', id, name: 'star', size: 20, color: brand?.colors.primary ?? defaultAccent }
    case 'divider':
      return { type: 'divider', id, color: '#d0d5dd', thickness: 1 }
    case 'qrCode':
      return { type: 'qrCode', id, content: 'vcard', size: 96, ...space }
    case 'row':
      return { type: 'stack', id, direction: 'row', blockStyle: { gap: rowGap }, children: [] }
    case 'column':
      return { type: 'stack', id, direction: 'column', blockStyle: { gap: columnGap }, children: [] }
    case 'banner':
      return { type: 'marketing', id, blockStyle: { marginTop: 16 } }
  }
}

/** The look of the links that the signature has already. */
function socialLook({ tree }: NewBlockData) {
  const list = tree && [...blocksIn(tree)].find(block => block.type === 'socialList')
  if (list?.type !== 'socialList') return {}
  const { iconSize, color, backgroundColor, shape } = list
  return {
    ...(iconSize !== undefined && { iconSize }),
    ...(color && { color }),
    ...(backgroundColor && { backgroundColor }),
    ...(shape && { shape }),
  }
}

const socialItems = (brand: Brand | undefined) =>
  (brand?.social.length ? brand.social : [{ name: 'linkedin-in', href: 'https://www.linkedin.com' }]).map(
    link => ({
      type: 'socialListItem' as const,
      id: newId(),
      name: link.name as IconName,
      href: { text: link.href },
    }),
  )

const contactFields = [
  ['work_phone', 'phone'],
  ['mobile_phone', 'mobile-screen'],
  ['email', 'envelope'],
  ['website', 'globe'],
] as const

const contactItems = ({ brand, fields }: NewBlockData, style: TextStyle) =>
  contactFields.flatMap(([key, icon]) => {
    const field = fields.find(each => each.key === key)
    if (!field) return []
    const color = brand?.colors.primary ?? defaultAccent
    const label = { type: 'listItemLabel' as const, id: newId(), icon, color }
    const text = { type: 'text' as const, id: newId(), tokens: [fieldToken(field, style)] }
    return [{ type: 'listItem' as const, id: newId(), children: [label, text] }]
  })

function contactList(id: string, data: NewBlockData, style: TextStyle): AnyBlock | null {
  const children = contactItems(data, style)
  return children.length > 0 ? { type: 'list', id, ...space, children } : null
}

/** Banners of campaigns cannot contain other banners or contact cards. */
export const offeredBlocks = (kind: ContentKind): readonly NewBlockName[] =>
  kind === 'signature' ? newBlockNames : newBlockNames.filter(name => name !== 'banner' && name !== 'qrCode')
