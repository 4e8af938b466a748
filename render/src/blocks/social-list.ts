import { type Static, Type } from 'typebox'
import { aligns, blockSchema, blocksOf, Color, OneOf, Pixels, shapes, Words } from '../fields.ts'
import { oneLine } from '../html.ts'
import { iconLabel, iconNames } from '../icons.ts'
import { firstThenNext, wrapInTable } from '../layout.ts'
import { compileHref, Href, trackedHref } from '../links/href.ts'
import { addConstant, addValue } from '../output.ts'
import { marksOf, wrapPiece } from '../piece.ts'
import { boxOf, px } from '../style/style.ts'
import type { BlockType, Draw, PartType, Piece, PieceScope } from '../types.ts'
import { iconImage } from './icon.ts'

const SocialItemSchema = blockSchema('socialListItem', {
  name: OneOf(iconNames, { title: 'IconName' }),
  href: Href,
  alt: Type.Optional(Words(500)),
})
export type SocialListItem = Static<typeof SocialItemSchema>

const ownFields = {
  iconSize: Type.Optional(Pixels()),
  color: Type.Optional(Color()),
  backgroundColor: Type.Optional(Color()),
  shape: Type.Optional(OneOf(shapes)),
  align: Type.Optional(OneOf(aligns)),
}
const Fields = blockSchema('socialList', ownFields)
interface SocialList extends Static<typeof Fields> {
  readonly children?: readonly SocialListItem[]
}
const SocialListSchema = blockSchema('socialList', {
  ...ownFields,
  children: Type.Optional(blocksOf<SocialListItem>(['socialListItem'])),
})

const defaultGap = 8

/** Icons in one row. Icons without a link target are left out. */
function compileSocialList(list: SocialList, scope: PieceScope): Piece {
  const { blockStyle } = list
  const gap = px(blockStyle?.gap ?? defaultGap)
  const items = (list.children ?? [])
    .filter(item => item.visible !== false)
    .map(item => {
      const bind = compileItem(item, list, scope)
      return { first: bind('<td style="padding:0">'), next: bind(`<td style="padding:0 0 0 ${gap}">`) }
    })
  return {
    bind: wrapInTable(wrapPiece(firstThenNext(items))('<tr>', '</tr>')),
    box: boxOf(blockStyle, { align: list.align ?? blockStyle?.align ?? scope.align, width: undefined }),
  }
}

function compileItem(item: SocialListItem, list: SocialList, scope: PieceScope): (cell: string) => Draw {
  const { id, name, href, alt = iconLabel(name) } = item
  const { iconSize: size, color, backgroundColor, shape } = list
  const target = compileHref(href, scope, id)
  const image = iconImage(name, { id, size, color, backgroundColor, shape }, alt, scope)
  const textStart = `\n${oneLine(alt) || iconLabel(name)}: `
  const [mark, markEnd] = marksOf(scope, id)
  const rest = `" style="text-decoration:none">${image}</a>${markEnd}</td>`
  return cell => {
    const open = `${cell}${mark}<a href="`
    return pass => {
      const url = target(pass)
      if (url === null) return false
      pass.text += textStart + url
      addConstant(pass.out, open)
      addValue(pass.out, trackedHref(pass, url, id))
      addConstant(pass.out, rest)
      return true
    }
  }
}

export const socialListBlock: BlockType<SocialList> = {
  schema: SocialListSchema,
  compile: compileSocialList,
  styles: ['gap', 'align'],
}

export const socialListItemPart: PartType = { schema: SocialItemSchema, styles: [], ignoresStyle: () => true }
