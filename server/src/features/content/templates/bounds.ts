// What a template takes over from a brand. Mail clients limit a signature to 10,000 characters and a template to 6,000
// bytes leaves room for changes, so texts and links that are too long for that are shortened or left out.
import { escapeText } from '@signoff/render'
import type { Brand } from '#features/content/brand/index.ts'

/** In bytes of HTML. */
const maxLegal = 1_200
const maxAddress = 200
const maxWebsite = 120
const maxSocialLinks = 240

const bytesOf = (text: string): number => Buffer.byteLength(escapeText(text))

/** The beginning of a long text, up to the end of a word. */
function shortened(text: string, maxBytes: number): string {
  if (bytesOf(text) <= maxBytes) return text
  let bytes = bytesOf('…')
  let start = ''
  for (const character of text) {
    bytes += bytesOf(character)
    if (bytes > maxBytes) break
    start += character
  }
  const wordEnd = start.lastIndexOf(' ')
  return `${start.slice(0, wordEnd > start.length / 2 ? wordEnd : start.length).trimEnd()}…`
}

/** The first profiles whose addresses fit. */
function firstProfiles(social: Brand['social']): Brand['social'] {
  let bytes = 0
  return social.filter(({ href }) => {
    bytes += bytesOf(href)
    return bytes <= maxSocialLinks
  })
}

export type ShownBrand = Pick<Brand, 'website' | 'address' | 'social' | 'legal'>

export const shownBrand = ({ website, address, social, legal }: ShownBrand): ShownBrand => ({
  // A part of an address would lead elsewhere.
  website: website !== null && bytesOf(website) <= maxWebsite ? website : null,
  address: address && shortened(address, maxAddress),
  social: firstProfiles(social),
  legal: legal && shortened(legal, maxLegal),
})
