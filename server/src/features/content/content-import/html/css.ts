// Reads declarations and simple style sheets. Shorthands become longhands; properties that an import cannot use are
// left out.

import { ownEntry } from '#kernel/base/own-entry.ts'
import { TimeSlice } from '#kernel/base/time-slice.ts'

export type Declarations = ReadonlyMap<string, string>

const sides = ['top', 'right', 'bottom', 'left'] as const
const borderParts = ['width', 'style', 'color'] as const

const usedProperties = new Set([
  ...['color', 'font-family', 'font-size', 'font-weight', 'font-style', 'line-height', 'letter-spacing'],
  ...[
    'text-decoration',
    'text-transform',
    'text-align',
    'white-space',
    'background-color',
    'background-image',
  ],
  ...[
    'width',
    'height',
    'max-height',
    'max-width',
    'min-width',
    'display',
    'visibility',
    'opacity',
    'overflow',
  ],
  ...['float', 'vertical-align', 'border-radius', 'border-spacing', 'list-style-type', 'clear'],
  ...['font-variant', 'box-shadow', 'text-shadow', 'direction', 'flex-direction', 'position'],
  ...sides.flatMap(side => [`margin-${side}`, `padding-${side}`]),
  ...sides.flatMap(side => borderParts.map(part => `border-${side}-${part}`)),
])

/** Splits at a separator outside of quotes and brackets. Linear. */
function splitOutside(text: string, isSeparator: (character: string) => boolean): string[] {
  const parts: string[] = []
  let start = 0
  let quote = ''
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '(') depth += 1
    else if (character === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0 && isSeparator(character)) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

const isBlank = (character: string): boolean => /\s/.test(character)
const wordsIn = (value: string): string[] => splitOutside(value, isBlank).filter(word => word !== '')

/** `1px 2px` → the values of the four sides. */
function fourSides(value: string): readonly string[] {
  const [top = '', right = top, bottom = top, left = right] = wordsIn(value)
  return [top, right, bottom, left]
}

const lengthPattern = /^[\d.]/
const borderStyles = new Set([
  'none',
  'hidden',
  'solid',
  'dashed',
  'dotted',
  'double',
  'groove',
  'ridge',
  'inset',
  'outset',
])
const borderWidths = new Set(['thin', 'medium', 'thick'])

type Write = (property: string, value: string) => void

function writeBorder(side: string, value: string, write: Write): void {
  const parts = { width: 'medium', style: 'none', color: 'currentcolor' }
  for (const word of wordsIn(value)) {
    if (borderStyles.has(word.toLowerCase())) parts.style = word.toLowerCase()
    else if (lengthPattern.test(word) || borderWidths.has(word.toLowerCase())) parts.width = word
    else parts.color = word
  }
  for (const part of borderParts) write(`border-${side}-${part}`, parts[part])
}

/** `bold 12px/1.5 Arial, sans-serif`. */
function writeFont(value: string, write: Write): void {
  const words = wordsIn(value)
  const size = words.findIndex(word => /^[\d.]+(px|pt|em|%|rem)/i.test(word))
  if (size === -1) return
  for (const word of words.slice(0, size)) {
    if (/^(bold|bolder|[6-9]00)$/i.test(word)) write('font-weight', 'bold')
    else if (/^(italic|oblique)$/i.test(word)) write('font-style', 'italic')
  }
  const [fontSize = '', lineHeight] = (words[size] ?? '').split('/')
  write('font-size', fontSize)
  if (lineHeight !== undefined) write('line-height', lineHeight)
  if (words.length > size + 1) write('font-family', words.slice(size + 1).join(' '))
}

function writeBackground(value: string, write: Write): void {
  for (const word of wordsIn(value)) {
    if (/^url\(/i.test(word)) write('background-image', word)
    else if (/^(#|rgb|hsl|[a-z]+$)/i.test(word) && !/^(no-repeat|center|top|left|none)$/i.test(word))
      write('background-color', word)
  }
}

const shorthands: Readonly<Record<string, (value: string, write: Write) => void>> = {
  margin: (value, write) => {
    for (const [at, side] of sides.entries()) write(`margin-${side}`, fourSides(value)[at] ?? '')
  },
  padding: (value, write) => {
    for (const [at, side] of sides.entries()) write(`padding-${side}`, fourSides(value)[at] ?? '')
  },
  border: (value, write) => {
    for (const side of sides) writeBorder(side, value, write)
  },
  background: writeBackground,
  font: writeFont,
  'text-decoration-line': (value, write) => write('text-decoration', value),
  'list-style': (value, write) => write('list-style-type', value),
  ...Object.fromEntries(
    sides.map(side => [`border-${side}`, (value: string, write: Write) => writeBorder(side, value, write)]),
  ),
  ...Object.fromEntries(
    borderParts.map(part => [
      `border-${part}`,
      (value: string, write: Write) => {
        for (const [at, side] of sides.entries()) write(`border-${side}-${part}`, fourSides(value)[at] ?? '')
      },
    ]),
  ),
}

/** Without `!important`: later declarations win anyway. */
function plainValue(text: string): string {
  const value = text.trim().slice(0, 300)
  const mark = value.lastIndexOf('!')
  return mark !== -1 && /^!\s*important$/i.test(value.slice(mark)) ? value.slice(0, mark).trimEnd() : value
}

export function parseDeclarations(text: string): Declarations {
  const declarations = new Map<string, string>()
  const write: Write = (property, value) => {
    if (usedProperties.has(property)) declarations.set(property, value)
  }
  for (const declaration of splitOutside(text, character => character === ';')) {
    const colon = declaration.indexOf(':')
    if (colon === -1) continue
    const property = declaration.slice(0, colon).trim().toLowerCase()
    const value = plainValue(declaration.slice(colon + 1))
    if (value === '' || property === '') continue
    const expand = ownEntry(shorthands, property)
    if (expand) expand(value, write)
    else write(property, value)
  }
  return declarations
}

/** The declarations of all rules with the same simple selector: `td`, `.name`, `td.name`, `#id` or `*`. */
export type StyleSheet = ReadonlyMap<string, Declarations>

interface ParsedSheet {
  readonly sheet: StyleSheet
  /** Demands of the rules that content cannot show. */
  readonly lost: readonly string[]
}

const simpleSelector = /^(\*|[a-z][\w-]*)?([.#][\w-]+)?$/i
/** Steps that say where the text is shown, not what it is: `#wrapper td.name` counts as `td.name`. */
const pseudo = /:(link|visited)$/i
const reaction = /:(hover|active|focus)\b/i
const maxRules = 1_000

/** Reads rules outside of `@media`. The result is bounded: known properties of at most 1,000 selectors. */
export async function parseStyleSheet(text: string): Promise<ParsedSheet> {
  const sheet = new Map<string, Map<string, string>>()
  const lost = new Set<string>()
  const slice = new TimeSlice()
  const css = text.replaceAll('<!--', '').replaceAll('-->', '').split('/*')
  const plain = css.map((part, at) => (at === 0 ? part : part.slice(part.indexOf('*/') + 2))).join(' ')
  let rules = 0
  for (let at = 0; at < plain.length && rules < maxRules; rules++) {
    const open = plain.indexOf('{', at)
    if (open === -1) break
    const head = plain.slice(at, open).trim()
    const close = head.startsWith('@') ? endOfBlock(plain, open) : plain.indexOf('}', open)
    const end = close === -1 ? plain.length : close
    if (!head.startsWith('@')) addRule(sheet, head, parseDeclarations(plain.slice(open + 1, end)))
    if (/^@media\b/i.test(head)) lost.add('rules for some screens (@media)')
    if (reaction.test(head)) lost.add('rules for links under the pointer (:hover)')
    at = end + 1
    await slice.pause()
  }
  return { sheet, lost: [...lost] }
}

function endOfBlock(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth += 1
    else if (text[at] === '}' && --depth === 0) return at
  }
  return text.length
}

function addRule(sheet: Map<string, Map<string, string>>, head: string, declarations: Declarations): void {
  for (const part of head.split(',', 50)) {
    const selector = (
      part
        .trim()
        .split(/[\s>+~]+/)
        .at(-1) ?? ''
    ).replace(pseudo, '')
    if (selector === '' || !simpleSelector.test(selector)) continue
    const key = selector.toLowerCase()
    const rule = sheet.get(key) ?? new Map<string, string>()
    for (const [property, value] of declarations) rule.set(property, value)
    sheet.set(key, rule)
  }
}
