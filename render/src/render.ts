// Renders content for a person as HTML for mail clients and as plain text. It uses no clock, no network and no random
// numbers: the same input gives the same bytes.
import { compileBlock } from './blocks/index.ts'
import { compileRows, paddingAround } from './blocks/stack.ts'
import type { Content } from './content.ts'
import { escapeAttribute, spacerCss, tableOpen } from './html.ts'
import { cellOpen, nestedCell, wrapInTable } from './layout.ts'
import { addConstant, addValue, htmlOf, newConstantCache, newOutput } from './output.ts'
import { drawNothing, renderLimits, wrapPiece } from './piece.ts'
import { slotsIn, withoutSlots } from './slots.ts'
import { compileDirection, mirrored } from './style/direction.ts'
import { addEdges, boxOf, frameOf, hasEdges } from './style/style.ts'
import type {
  Anchor,
  Draw,
  Pass,
  Person,
  PieceScope,
  QrCodeRequest,
  RenderedCampaign,
  Surroundings,
} from './types.ts'
import { collectWarnings, type Warning } from './warnings.ts'

/** Phones and reading panes cut off wider signatures. */
const maxWidth = 600
/** Longer HTML gets a warning. Gmail refuses more than 10,000 characters. */
export const maxHtmlLength = 8_000

const none: readonly RenderedCampaign[] = []

export interface RenderHooks {
  /** The address to write for a web link, for example one that counts clicks. */
  readonly link?: (anchor: Anchor) => string
  /** The campaign for a marketing block. `named` is the campaign that the block names; undefined means any campaign. */
  readonly campaign?: (named: string | undefined) => RenderedCampaign | null
  /** The address of the pixel that counts views, given the banners that were drawn. */
  readonly pixel?: (drawnCampaigns: readonly RenderedCampaign[]) => string
  /** The address of the person's contact card; null when there is none. */
  readonly vcard?: () => string | null
  /** The address of the picture of a QR code; null when there is nothing to encode. */
  readonly qrUrl?: (code: QrCodeRequest) => string | null
}

export interface Rendered {
  readonly html: string
  readonly text: string
  readonly warnings: readonly Warning[]
  /** The web links, in the order of the HTML. */
  readonly anchors: readonly Anchor[]
  /** The campaigns whose banners are shown. */
  readonly drawnCampaigns: readonly RenderedCampaign[]
}

/** Compiled content, which can be rendered for any number of people. */
export interface Template {
  render(person: Person, hooks?: RenderHooks): Rendered
  /** Draws it inside another template. */
  readonly draw: Draw
  readonly warnings: readonly Warning[]
}

export function compile(content: Content, surroundings: Surroundings): Template {
  const { warn, list: warnings } = collectWarnings()
  const scope: PieceScope = {
    ...surroundings,
    align: 'left',
    background: undefined,
    direction: 'column',
    warn,
  }
  const root = compileRoot(content, scope)
  const slots = slotsIn(content)
  let rootWithoutSlots: typeof root | undefined
  const rootFor = (campaign: RenderHooks['campaign']) => {
    if (slots.length === 0 || slots.some(named => campaign?.(named))) return root
    rootWithoutSlots ??= compileRoot(withoutSlots(content), { ...scope, warn: () => {} })
    return rootWithoutSlots
  }
  const cache = newConstantCache()
  const runsRightToLeft = compileDirection(content, surroundings.fields)
  return {
    draw: root.draw,
    warnings,
    render(person, { link, campaign, pixel, vcard, qrUrl } = {}) {
      const isMirrored = runsRightToLeft(person)
      const pass: Pass = {
        person,
        isMirrored,
        link,
        campaign,
        vcard,
        vcardUrl: undefined,
        qrUrl,
        campaignId: null,
        drawnCampaigns: none,
        anchors: [],
        out: newOutput(cache),
        text: '',
        tokenText: '',
        charactersLeft: renderLimits.characters,
        bannersLeft: renderLimits.banners,
      }
      rootFor(campaign).drawRoot(pass, pixel)
      const { anchors, drawnCampaigns } = pass
      const html = isMirrored ? mirrored(htmlOf(pass.out)) : htmlOf(pass.out)
      const text = pass.text.slice(1)
      return {
        html,
        text,
        anchors,
        drawnCampaigns,
        warnings: allWarnings(warnings, drawnCampaigns, html.length),
      }
    },
  }
}

function allWarnings(
  warnings: readonly Warning[],
  drawnCampaigns: readonly RenderedCampaign[],
  length: number,
): readonly Warning[] {
  if (drawnCampaigns === none && length <= maxHtmlLength) return warnings
  const banner = drawnCampaigns.flatMap(campaign => campaign.template.warnings)
  if (length <= maxHtmlLength) return banner.length === 0 ? warnings : [...warnings, ...banner]
  const message = `The HTML has ${length} characters; some clients cut above ${maxHtmlLength}, and Gmail refuses above 10,000.`
  return [...warnings, ...banner, { code: 'too_long', message, id: null }]
}

function compileRoot(content: Content, scope: PieceScope) {
  const { blockStyle, direction = 'column', wrap } = content
  const { width } = blockStyle ?? {}
  const { margin, padding: ownPadding, background } = boxOf(blockStyle)
  const frame = frameOf(blockStyle)
  if ((width ?? 0) > maxWidth) scope.warn('too_wide', content.id)
  // A row is in a table of its own: the width of the root would move its cells apart.
  const isBoxed =
    direction === 'row' ||
    hasEdges(addEdges(margin, ownPadding)) ||
    background !== undefined ||
    frame !== undefined
  const { rows, spaceBelow } = compileRows(content, scope, compileBlock, isBoxed ? undefined : width)
  const padding = paddingAround(ownPadding, spaceBelow)
  const open = rootOpen(width)
  const [start, end] =
    frame || (background && hasEdges(margin))
      ? nestedCell({ padding: margin, width }, { padding, background, frame }, 'all')
      : [cellOpen({ padding: addEdges(margin, padding), background, width }), '</td>']
  const inner = wrapInTable(rows, width === undefined || (direction === 'row' && wrap) ? undefined : 'all')
  const boxedRows = isBoxed ? inner(`<tr>${start}`, `${end}</tr>`) : rows
  const body: Draw = content.visible === false ? drawNothing() : boxedRows
  return {
    draw: wrapPiece(body)(open, '</table>'),
    /** The pixel is a row of the outermost table: after the table it would add an empty line. */
    drawRoot(pass: Pass, pixel: RenderHooks['pixel']): void {
      const { out } = pass
      addConstant(out, open)
      if (!body(pass)) out.pendingConstants = out.cache.start
      else if (pixel === undefined) addConstant(out, '</table>')
      else {
        addConstant(out, pixelStart)
        addValue(out, escapeAttribute(pixel(pass.drawnCampaigns)))
        addConstant(out, pixelEnd)
      }
    },
  }
}

/**
 * Word ignores `max-width` and takes the attribute: without it, a long text is as wide as the window. Browsers take the
 * CSS, where the width is that of the content.
 */
const rootOpen = (width: number | undefined): string =>
  width === undefined
    ? tableOpen(` width="${maxWidth}"`, `width:auto;max-width:${maxWidth}px`)
    : tableOpen('', `max-width:${Math.round(width)}px`)

const pixelStart = `<tr><td style="padding:0;${spacerCss}"><img src="`
const pixelEnd = '" width="1" height="1" alt="" border="0" style="display:block"></td></tr></table>'

export interface RenderOptions extends Surroundings, RenderHooks {}

/** Renders for one person. For many people, call `compile` once instead. */
export const render = (content: Content, person: Person, options: RenderOptions): Rendered =>
  compile(content, options).render(person, options)
