// The style of an element: rules of style sheets, and its own declarations.
import { computedBoxOf } from './computed-box.ts'
import type { ComputedStyle, ComputedText } from './computed-style.ts'
import { computedTextOf } from './computed-text.ts'
import { type Declarations, parseDeclarations, type StyleSheet } from './css.ts'
import { attributeOf, type HtmlElement } from './parse.ts'

const noDeclarations: Declarations = new Map()
const maxClasses = 8

/**
 * Computes styles. One per import: it caches parsed style attributes and the rules of classes, which Word repeats hundreds
 * of times. The limits of the HTML bound the caches.
 */
export class Styles {
  readonly #sheet: StyleSheet
  readonly #parsed = new Map<string, Declarations>()
  readonly #ruled = new Map<string, Declarations>()

  constructor(sheet: StyleSheet) {
    this.#sheet = sheet
  }

  styleOf(element: HtmlElement, parent: ComputedText): ComputedStyle {
    const declared = this.#declared(element)
    const text = computedTextOf(element, declared, parent)
    return { text, box: computedBoxOf(element, declared, text) }
  }

  #inline(style: string): Declarations {
    const cached = this.#parsed.get(style)
    if (cached) return cached
    const declarations = parseDeclarations(style)
    this.#parsed.set(style, declarations)
    return declarations
  }

  #declared(element: HtmlElement): Declarations {
    const style = attributeOf(element, 'style')
    const inline = style === undefined ? noDeclarations : this.#inline(style)
    const rules = this.#sheet.size === 0 ? noDeclarations : this.#rulesOf(element)
    if (rules.size === 0 || inline.size === 0) return rules.size === 0 ? inline : rules
    return new Map([...rules, ...inline])
  }

  #rulesOf(element: HtmlElement): Declarations {
    const names = [element.tagName, attributeOf(element, 'class') ?? '', attributeOf(element, 'id') ?? '']
    const key = names.join('\n')
    const cached = this.#ruled.get(key)
    if (cached) return cached
    const all = new Map<string, string>()
    for (const rule of this.#matching(element)) for (const [property, value] of rule) all.set(property, value)
    this.#ruled.set(key, all)
    return all
  }

  /** In the order of their specificity. */
  #matching(element: HtmlElement): Declarations[] {
    const tag = element.tagName.toLowerCase()
    const classes = (attributeOf(element, 'class') ?? '').toLowerCase().split(/\s+/, maxClasses)
    const id = attributeOf(element, 'id')?.toLowerCase()
    const keys = [
      '*',
      tag,
      ...classes.filter(name => name !== '').flatMap(name => [`.${name}`, `*.${name}`]),
      ...classes.filter(name => name !== '').map(name => `${tag}.${name}`),
      ...(id ? [`#${id}`, `${tag}#${id}`] : []),
    ]
    return keys.flatMap(key => this.#sheet.get(key) ?? [])
  }
}
