// Recognises social networks by the target of a link, and joins their icons to lists.
import { brands, type IconName, networkAtHost } from '@signoff/render'
import { type Draft, marginOf } from './draft.ts'

const names = new Map<string, IconName>([
  ...Object.entries(brands).map(([name, label]) => [label.toLowerCase(), name as IconName] as const),
  ['facebook', 'facebook-f'],
  ['linkedin', 'linkedin-in'],
  ['pinterest', 'pinterest-p'],
  ['twitter', 'x-twitter'],
])
/** Words that are brands, but occur in the names of many other pictures. */
for (const word of ['x', 'line', 'apple', 'google', 'microsoft', 'medium', 'android']) names.delete(word)

/** The network that the words of a picture name: its alternative text or its file name. */
function networkInWords(words: string): IconName | undefined {
  for (const word of words.toLowerCase().split(/[^a-z]+/, 60)) {
    const name = names.get(word)
    if (name !== undefined) return name
  }
  return undefined
}

/** The network that a link leads to. Follows one redirect in its parameters, as trackers of clicks write it. */
function socialNetworkOf(href: string, words: string): IconName | undefined {
  if (!/^https?:/.test(href) || !URL.canParse(href)) return undefined
  const url = new URL(href)
  const direct = networkAtHost(url.hostname)
  if (direct) return direct
  for (const [, value] of [...url.searchParams].slice(0, 20)) {
    if (!/^https?:/i.test(value) || !URL.canParse(value)) continue
    const inner = networkAtHost(new URL(value).hostname)
    if (inner) return inner
  }
  return networkInWords(words)
}

/** Icons are not larger. */
const maxIconSize = 48
const defaultSize = 24

interface LinkedIcon {
  readonly href: string
  readonly alt: string
  readonly src: string
  readonly width: number | undefined
  readonly height: number | undefined
  readonly background: string | undefined
  readonly radius: number
}

const colorInPath = /(?:^|[/_=#-])([0-9a-f]{6})(?=$|[/_.&-])/i

/** A list of one icon; undefined when the picture is not the icon of a network. */
export function socialDraft(icon: LinkedIcon): Draft | undefined {
  const size = Math.max(icon.width ?? 0, icon.height ?? 0)
  if (size > maxIconSize) return undefined
  const file = icon.src.startsWith('data:') ? '' : (icon.src.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '')
  const name = socialNetworkOf(icon.href, `${icon.alt} ${size > 0 ? file : ''}`)
  if (name === undefined) return undefined
  const color = icon.src.startsWith('data:') ? undefined : colorInPath.exec(icon.src.slice(0, 500))?.[1]
  const disc = icon.background
    ? {
        backgroundColor: icon.background,
        shape: icon.radius >= size / 2 ? 'circle' : icon.radius > 0 ? 'rounded' : 'square',
      }
    : color && !/\d{6}/.test(color)
      ? { color: `#${color.toLowerCase()}` }
      : {}
  const alt = icon.alt.trim().slice(0, 500)
  return {
    type: 'socialList',
    iconSize: size > 0 ? size : defaultSize,
    ...disc,
    children: [{ type: 'socialListItem', name, href: { text: icon.href }, ...(alt !== '' && { alt }) }],
  }
}

const looksAlike = (a: Draft, b: Draft): boolean =>
  Math.abs(Number(a.iconSize) - Number(b.iconSize)) <= 6 && a.backgroundColor === b.backgroundColor

/** Joins neighbours in a row to one list. `space` is the space between them that their margins do not show. */
export function joinSocialLists(drafts: readonly Draft[], space = 0): Draft[] {
  const joined: Draft[] = []
  for (const draft of drafts) {
    const last = joined.at(-1)
    if (last?.type !== 'socialList' || draft.type !== 'socialList' || !looksAlike(last, draft)) {
      joined.push(draft)
      continue
    }
    const [, right] = marginOf(last)
    const [, , , left] = marginOf(draft)
    const { marginRight: _, ...style } = last.blockStyle ?? {}
    const gap = last.blockStyle?.gap ?? Math.round(right + left + space)
    const next = marginOf(draft)[1]
    last.children?.push(...(draft.children ?? []))
    last.blockStyle = { ...style, gap, ...(next > 0 && { marginRight: next }) }
  }
  return joined
}

/** A list of one icon is an icon. */
export function asSingleIcon(draft: Draft): Draft {
  const [only, ...others] = draft.children ?? []
  if (draft.type !== 'socialList' || only === undefined || others.length > 0) return draft
  const { type: _, iconSize, children: __, align, blockStyle, ...rest } = draft
  const { name, href, alt } = only
  const style = { ...blockStyle, ...(align && { align }) }
  return {
    type: 'icon',
    name,
    size: iconSize,
    ...rest,
    ...(href && { href }),
    ...(alt !== undefined && { alt }),
    ...(Object.keys(style).length > 0 && { blockStyle: style }),
  }
}
