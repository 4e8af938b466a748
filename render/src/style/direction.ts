// The direction of writing. It is known only with the person, so a signature is drawn from left to right, and its HTML is
// mirrored when the person writes from right to left.
import type { Content } from '../content.ts'
import type { FieldDefinition, Person } from '../types.ts'

const rightToLeftLetter =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b][\udc00-\udfff]/
/** The first letter that has a direction. */
const strongLetter = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|\p{L}/u

/** True if the first letter with a direction is written from right to left; undefined without such a letter. */
export function isRightToLeft(text: string): boolean | undefined {
  const code = text.charCodeAt(0)
  // Fast path: most texts begin with a letter of ASCII.
  if ((code > 64 && code < 91) || (code > 96 && code < 123)) return false
  const letter = strongLetter.exec(text)?.[0]
  return letter === undefined ? undefined : rightToLeftLetter.test(letter)
}

interface Node {
  readonly visible?: boolean
  readonly tokens?: readonly { readonly value?: string; readonly smartFieldUuid?: string }[]
  readonly children?: readonly Node[]
}

/**
 * Returns the direction for a person: that of the first letter in the values which the content shows, else that of the
 * words of the content.
 */
export function compileDirection(
  content: Content,
  fields: ReadonlyMap<string, FieldDefinition>,
): (person: Person) => boolean {
  const { dir = 'auto' } = content
  if (dir !== 'auto') return () => dir === 'rtl'
  const ids = new Set<string>()
  let ofWords: boolean | undefined
  const visit = ({ visible, tokens = [], children = [] }: Node): void => {
    if (visible === false) return
    for (const { value = '', smartFieldUuid } of tokens) {
      // Addresses and phone numbers are written from left to right everywhere.
      const id = smartFieldUuid?.toLowerCase()
      if (id === undefined) ofWords ??= isRightToLeft(value)
      else if (fields.get(id)?.kind === 'text') ids.add(id)
    }
    children.forEach(visit)
  }
  visit(content as unknown as Node)
  return person => {
    for (const id of ids) {
      const value = person[id]
      const ofValue = value ? isRightToLeft(value) : undefined
      if (ofValue !== undefined) return ofValue
    }
    return ofWords ?? false
  }
}

const opposite: Readonly<Record<string, string>> = { left: 'right', right: 'left', center: 'center' }

/**
 * Mirrors HTML of this renderer: tables run from right to left, and what is left in cells becomes right. Values cannot
 * contain a tag, because they are escaped.
 */
export const mirrored = (html: string): string => html.replace(/<table|<td[^<>]*>/g, mirroredTag)

function mirroredTag(tag: string): string {
  if (tag === '<table') return '<table dir="rtl"'
  const aligned = tag.replace(/ align="(\w+)"/, (_, align: string) => ` align="${opposite[align]}"`)
  return (
    aligned === tag && !tag.includes(' align=') ? tag.replace('<td', '<td align="right"') : aligned
  ).replace(/(padding|mso-padding-alt):([^ ;:"]+) ([^ ;:"]+) ([^ ;:"]+) ([^ ;:"]+)/g, '$1:$2 $5 $4 $3')
}
