// The target of a link: a text or a smart field, with query parameters made of texts and smart fields.
import { type Static, Type } from 'typebox'
import { closedObject, Id, Reference, Words } from '../fields.ts'
import { type FieldReader, fieldValue, kindOf } from '../fill.ts'
import { escapeAttribute, oneLine } from '../html.ts'
import { addConstant, addValue } from '../output.ts'
import { constant, drawNothing } from '../piece.ts'
import type { Anchor, Pass, Piece, PieceScope } from '../types.ts'
import { linkOf, maxUrlLength, type Parameter, safeUrl, withParameters } from './links.ts'

const ParameterValue = closedObject({
  id: Type.Optional(Id()),
  text: Type.Optional(Words()),
  smartFieldUuid: Type.Optional(Reference('smart_field')),
})
const QueryParameter = closedObject({
  id: Type.Optional(Id()),
  key: Type.String({ minLength: 1, maxLength: 200 }),
  values: Type.Optional(Type.Array(ParameterValue, { maxItems: 50 })),
})
/** The keys that cannot stand beside `vcard`. */
export const addressKeys = ['text', 'smartFieldUuid', 'queryParams'] as const

export const Href = closedObject(
  {
    text: Type.Optional(Type.String({ maxLength: 2_048, format: 'link' })),
    smartFieldUuid: Type.Optional(Reference('smart_field')),
    queryParams: Type.Optional(Type.Array(QueryParameter, { maxItems: 50 })),
    vcard: Type.Optional(Type.Boolean({ const: true, description: "The person's contact card" })),
  },
  { title: 'Href', not: { required: ['vcard'], anyOf: addressKeys.map(key => ({ required: [key] })) } },
)
export type Href = Static<typeof Href>

/** Returns the checked address, or null when the link has no target for this person. */
export type LinkTarget = (pass: Pass) => string | null

export function compileHref(href: Href, scope: PieceScope, owner: string | undefined): LinkTarget {
  if (href.vcard) return vcardTarget
  const fixedUrl = href.text ? safeUrl(href.text) : null
  const addParameters = compileParameters(href.queryParams ?? [], scope, owner)
  if (href.smartFieldUuid === undefined) {
    if (fixedUrl === null) scope.warn('missing_target', owner)
    return pass => fixedUrl && addParameters(fixedUrl, pass)
  }
  const value = fieldValue(href.smartFieldUuid, scope, owner)
  const kind = kindOf(href.smartFieldUuid, scope)
  return pass => {
    const text = value(pass)
    const url = (text === '' ? null : linkOf(kind, text)) ?? fixedUrl
    return url && addParameters(url, pass)
  }
}

/** The address of the person's contact card. The hook is called once per rendering. */
function vcardTarget(pass: Pass): string | null {
  if (pass.vcardUrl === undefined) pass.vcardUrl = pass.vcard?.() ?? null
  return pass.vcardUrl
}

/** Adds the parameters to a web address. A parameter whose values are all empty is left out. */
function compileParameters(
  queryParams: NonNullable<Href['queryParams']>,
  scope: PieceScope,
  owner: string | undefined,
): (url: string, pass: Pass) => string {
  if (queryParams.length === 0) return url => url
  const parameters = queryParams.map(({ key, values = [] }) => ({
    key,
    parts: values.map(({ text = '', smartFieldUuid }): FieldReader => {
      if (smartFieldUuid === undefined) return () => text
      const value = fieldValue(smartFieldUuid, scope, owner)
      return pass => value(pass) || text
    }),
  }))
  return (url, pass) => {
    const filled: Parameter[] = []
    let length = url.length
    for (const { key, parts } of parameters) {
      const value = joinParts(parts, pass)
      length += value.length
      // Too long: `withParameters` would drop all parameters.
      if (length > maxUrlLength) return url
      if (value !== '') filled.push({ key, value })
    }
    return withParameters(url, filled)
  }
}

/** Joins the parts. Stops as soon as the result is too long. */
function joinParts(parts: readonly FieldReader[], pass: Pass): string {
  let value = ''
  for (const part of parts) {
    value += part(pass)
    if (value.length > maxUrlLength) break
  }
  return value
}

/**
 * Returns the address, escaped for an attribute, and records the anchor of a web link. With tracking, `pass.link`
 * replaces the address by one that counts clicks. Mail and phone links stay as they are, and so does the contact card: its
 * address is one of this service, and belongs to the person.
 */
export function trackedHref(pass: Pass, url: string, id: string | undefined): string {
  if (url.startsWith('tel:')) return url // has only digits and +*#,;
  if (!url.startsWith('http') || url === pass.vcardUrl) return escapeAttribute(url)
  const anchor: Anchor = { id: id ?? '', url, campaignId: pass.campaignId }
  pass.anchors.push(anchor)
  return escapeAttribute(pass.link ? pass.link(anchor) : url)
}

export interface LinkedPicture {
  readonly id: string | undefined
  /** The image, or a function when it depends on the person; empty when there is no image. */
  readonly html: string | ((pass: Pass) => string)
  /** The name of the link in the plain text. */
  readonly label: string
}

/** An image inside a link, or the image alone when the link has no target. */
export function linkedPicture({ id, html, label }: LinkedPicture, target: LinkTarget | null): Piece['bind'] {
  if (html === '') return drawNothing
  if (target === null && typeof html === 'string') return constant(html)
  const textStart = label === '' ? '\n' : `\n${oneLine(label)}: `
  const end = '" style="text-decoration:none">'
  return (open, close) => {
    const start = `${open}<a href="`
    const fixed = typeof html === 'string' ? html : null
    const [unlinked, linkEnd] = [`${open}${fixed}${close}`, `${end}${fixed}</a>${close}`]
    return pass => {
      const { out } = pass
      const image = typeof html === 'string' ? html : html(pass)
      if (image === '') return false
      const url = target === null ? null : target(pass)
      if (url !== null) {
        pass.text += textStart + url
        addConstant(out, start)
        addValue(out, trackedHref(pass, url, id))
      }
      if (fixed !== null) addConstant(out, url === null ? unlinked : linkEnd)
      else addValue(out, url === null ? open + image + close : `${end}${image}</a>${close}`)
      return true
    }
  }
}
