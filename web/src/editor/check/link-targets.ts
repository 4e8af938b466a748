// Links without a target: gives them an address, or takes the link away.
import { type Content, type Href, safeUrl } from '@signoff/render'
import { type AnyBlock, idOf, tokensOf } from '#records/content/block.ts'
import { setProperties } from '../model/operations.ts'
import { changeTokensIn } from './change-tokens.ts'

const hasTarget = ({ text, smartFieldUuid, vcard }: Href): boolean =>
  smartFieldUuid !== undefined || vcard === true || safeUrl(text ?? '') !== null

const linkOfBlock = (block: AnyBlock): Href | undefined => ('href' in block ? block.href : undefined)

function changeLinks(tree: Content, block: AnyBlock, change: (href: Href) => Href | undefined): Content {
  const own = linkOfBlock(block)
  if (own) return hasTarget(own) ? tree : setProperties(tree, idOf(block), { href: change(own) })
  return changeTokensIn(tree, idOf(block), token => {
    if (!token.href || hasTarget(token.href)) return token
    const { href, ...rest } = token
    const next = change(href)
    return next ? { ...rest, href: next } : rest
  })
}

/** The address that was typed, where something was. */
export const typedTarget = (block: AnyBlock): string =>
  [linkOfBlock(block), ...(tokensOf(block) ?? []).map(({ href }) => href)].find(
    href => href && !hasTarget(href),
  )?.text ?? ''

export const withTarget = (tree: Content, block: AnyBlock, address: string): Content =>
  changeLinks(tree, block, href => ({ ...href, text: address }))

export const withoutEmptyLinks = (tree: Content, block: AnyBlock): Content =>
  changeLinks(tree, block, () => undefined)

/** A spoken form such as `www.example.com` is completed; null when the text is no address. */
export const completedAddress = (text: string): string | null => {
  const typed = text.trim()
  const complete = /^[^\s@/]+@[^\s@/]+$/.test(typed) ? `mailto:${typed}` : typed
  return safeUrl(complete) === null ? null : complete
}
