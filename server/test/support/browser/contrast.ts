// Whether texts stand out from what is behind them. Axe needs 0.3 s of CPU time for all texts of a page, and all pages
// use the same few combinations of colours: axe gets one text of each combination that it has not found readable before.
import type { Page } from 'playwright-core'

/** The combinations that axe has found readable, on all pages of this worker. */
const readable = new Set<string>()

/** Texts that are hard to read, in the whole page or in the parts that the selector names. Axe must be in the page. */
export async function findUnreadable(page: Page, selector = 'html'): Promise<string[]> {
  const result = await page.evaluate(checkNewCombinations, { selector, readable: [...readable] })
  for (const combination of result.readable) readable.add(combination)
  return result.unreadable
}

interface AxeNode {
  readonly element: Element
}
interface AxeResults {
  readonly violations: readonly { readonly nodes: readonly AxeNode[] }[]
  readonly passes: readonly { readonly nodes: readonly AxeNode[] }[]
}
declare const axe: { run(context: object, options: object): Promise<AxeResults> }

/** Self-contained, because its source is sent to the browser. */
async function checkNewCombinations({
  selector,
  readable,
}: {
  readonly selector: string
  readonly readable: readonly string[]
}): Promise<{ readonly readable: string[]; readonly unreadable: string[] }> {
  const elementsIn = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap(element => [
      element,
      ...(element.shadowRoot ? elementsIn(element.shadowRoot) : []),
    ])
  // Texts have most of their ancestors in common, and every access to a computed style takes time.
  const readOnce = <T>(read: (element: Element) => T): ((element: Element) => T) => {
    const values = new Map<Element, T>()
    return element => {
      const value = values.has(element) ? (values.get(element) as T) : read(element)
      values.set(element, value)
      return value
    }
  }
  /** The element and all that it is in. */
  const chainOf = readOnce((element: Element): readonly Element[] => {
    const parent = element.parentElement ?? (element.getRootNode() as ShadowRoot).host
    return parent ? [element, ...chainOf(parent)] : [element]
  })
  const styleOf = readOnce(element => {
    const { backgroundColor, backgroundImage, clipPath, opacity } = getComputedStyle(element)
    return {
      background: `${backgroundColor} ${backgroundImage}`,
      isClipped: clipPath === 'inset(50%)',
      opacity,
    }
  })

  const textField =
    'input:not([type=hidden], [type=checkbox], [type=radio], [type=range], [type=color]), textarea, select'
  /** The place of the text of the element: its first own text, or a field. */
  const placeOf = (element: Element): DOMRect | undefined => {
    if (element.matches(textField)) return element.getBoundingClientRect()
    const text = [...element.childNodes].find(
      ({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim(),
    )
    if (!text) return undefined
    const range = document.createRange()
    range.selectNode(text)
    return range.getBoundingClientRect()
  }
  /** Not disabled, and not for screen readers alone. Axe does not judge these. */
  const isJudged = (element: Element): boolean =>
    element.checkVisibility() &&
    element.closest(':disabled, [aria-disabled=true], [inert]') === null &&
    chainOf(element).every(each => !styleOf(each).isClipped)

  /**
   * The layers that are drawn at the point: before the element, and behind it down to the first layer that hides the
   * others.
   */
  const layersAt = (x: number, y: number, element: Element): string[] => {
    const drawn = document.elementsFromPoint(x, y)
    const own = chainOf(element)
    const index = drawn.findIndex(each => own.includes(each))
    const isWithin = (each: Element) => element.contains(each)
    const before = drawn.slice(0, Math.max(0, index)).filter(each => !isWithin(each))
    const behind = index < 0 ? own : [...new Set([element, ...drawn.slice(index)])]
    const colours = [...before, 'text' as const, ...behind].map(each =>
      each === 'text' ? each : styleOf(each).background,
    )
    const visible = colours.filter(colour => colour !== 'rgba(0, 0, 0, 0) none')
    const opaque = visible.findIndex(
      (colour, at) => at > visible.indexOf('text') && colour.startsWith('rgb('),
    )
    return opaque < 0 ? visible : visible.slice(0, opaque + 1)
  }
  /** All that axe judges a text by: its colour, whether it is large, and the colours before and behind it. */
  const combinationOf = (element: Element, { x, y, width, height }: DOMRect): string => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
    const size = Number.parseFloat(fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700)
    const opacities = chainOf(element).map(each => styleOf(each).opacity)
    const layers = layersAt(x + width / 2, y + height / 2, element)
    return [color, isLarge, textShadow, ...opacities.filter(opacity => opacity !== '1'), ...layers].join('; ')
  }

  const readableBefore = new Set(readable)
  const combinations = new Map<string, Element>()
  for (const root of document.querySelectorAll(selector))
    for (const element of [root, ...elementsIn(root)]) {
      const place = placeOf(element)
      if (!place || place.width === 0 || !isJudged(element)) continue
      const combination = combinationOf(element, place)
      if (!readableBefore.has(combination)) combinations.set(combination, element)
    }
  if (combinations.size === 0) return { readable: [], unreadable: [] }
  const { violations, passes } = await axe.run(
    { include: [...combinations.values()] },
    {
      runOnly: ['color-contrast'],
      resultTypes: ['violations', 'passes'],
      elementRef: true,
      selectors: false,
      preload: false,
      iframes: false,
    },
  )
  const passed = new Set(passes.flatMap(({ nodes }) => nodes.map(({ element }) => element)))
  return {
    readable: [...combinations].filter(([, element]) => passed.has(element)).map(([key]) => key),
    unreadable: violations.flatMap(({ nodes }) =>
      nodes.map(({ element }) => `color-contrast ${element.outerHTML.slice(0, 300)}`),
    ),
  }
}
