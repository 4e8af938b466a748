// Styles that content cannot show. The import lists them.
import { ownEntry } from '#kernel/base/own-entry.ts'
import type { Declarations } from './css.ts'

const noStyles: readonly string[] = []

function lostBorder(declared: Declarations, side: string): string {
  const style = declared.get(`border-${side}-style`)?.toLowerCase() ?? ''
  return /^(dashed|dotted|double|groove|ridge|inset|outset)$/.test(style)
    ? `a ${style} border, shown as a solid one`
    : ''
}

const keptBullets: Readonly<Record<string, string>> = { ul: 'disc', ol: 'decimal' }

function lostBullets(tag: string, listStyle: string | undefined): string {
  const bullet = ownEntry(keptBullets, tag)
  if (
    bullet === undefined ||
    listStyle === undefined ||
    ['none', 'inherit', 'initial', bullet].includes(listStyle)
  )
    return ''
  return `the list style ${listStyle.slice(0, 40)}, shown as ${bullet}`
}

/** Demands of an element's style that content cannot show. */
export function lostStyles(
  tag: string,
  declared: Declarations,
  listStyle: string | undefined,
): readonly string[] {
  const opacity = Number(declared.get('opacity') ?? 1)
  const lost = [
    tag === 'marquee' ? 'moving text (marquee)' : '',
    opacity > 0 && opacity < 1 ? 'opacity: shown without it' : '',
    /^(absolute|fixed)$/i.test(declared.get('position') ?? '') ? 'a free position (absolute or fixed)' : '',
    ...['top', 'right', 'bottom', 'left'].map(side => lostBorder(declared, side)),
    tag === 'sub' || tag === 'sup' ? 'raised or lowered text' : '',
    declared.get('font-variant')?.includes('small-caps') ? 'small capitals' : '',
    declared.get('text-align') === 'justify' ? 'justified text' : '',
    declared.has('box-shadow') || declared.has('text-shadow') ? 'a shadow' : '',
    lostBullets(tag, listStyle),
  ].filter(name => name !== '')
  return lost.length === 0 ? noStyles : lost
}
