// Where a link leads: a text or a smart field, with parameters of texts and smart fields.
import { type Static, Type } from 'typebox'
import { closedObject, Id, Reference, Words } from './fields.ts'
import { fieldValue, kindOf, type Value } from './fill.ts'
import { escapeAttribute, oneLine } from './html.ts'
import { linkOf, longestUrl, type Parameter, safeUrl, withParameters } from './links.ts'
import { addConstant, addValue } from './output.ts'
import { constant, nothing } from './piece.ts'
import type { Anchor, Pass, Piece, PieceScope } from './types.ts'

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
export const Href = closedObject({
  text: Type.Optional(Type.String({ maxLength: 2_048, format: 'link' })),
  smartFieldUuid: Type.Optional(Reference('smart_field')),
  queryParams: Type.Optional(Type.Array(QueryParameter, { maxItems: 50 })),
})
export type Href = Static<typeof Href>

/** The checked address, or null when there is none for this person. */
export type LinkTarget = (pass: Pass) => string | null

export function compileHref(href: Href, scope: PieceScope, owner: string | undefined): LinkTarget {
  const written = href.text ? safeUrl(href.text) : null
  const complete = compileParameters(href.queryParams ?? [], scope, owner)
  if (href.smartFieldUuid === undefined) {
    if (written === null) scope.warn('missing_target', owner)
    return pass => written && complete(written, pass)
  }
  const value = fieldValue(href.smartFieldUuid, scope, owner)
  const kind = kindOf(href.smartFieldUuid, scope)
  return pass => {
    const found = value(pass)
    const url = (found === '' ? null : linkOf(kind, found)) ?? written
    return url && complete(url, pass)
  }
}

/** Adds the parameters to a web address; one whose values are all empty is left out. */
function compileParameters(
  queryParams: NonNullable<Href['queryParams']>,
  scope: PieceScope,
  owner: string | undefined,
): (url: string, pass: Pass) => string {
  if (queryParams.length === 0) return url => url
  const parameters = queryParams.map(({ key, values = [] }) => ({
    key,
    parts: values.map(({ text = '', smartFieldUuid }): Value => {
      if (smartFieldUuid === undefined) return () => text
      const value = fieldValue(smartFieldUuid, scope, owner)
      return pass => value(pass) || text
    }),
  }))
  return (url, pass) => {
    const filled: Parameter[] = []
    let length = url.length
    for (const { key, parts } of parameters) {
      const value = joined(parts, pass)
      length += value.length
      // It cannot be kept: see `withParameters`.
      if (length > longestUrl) return url
      if (value !== '') filled.push({ key, value })
    }
    return withParameters(url, filled)
  }
}

/** The parts together, or as much of them as is too long already. */
function joined(parts: readonly Value[], pass: Pass): string {
  let value = ''
  for (const part of parts) {
    value += part(pass)
    if (value.length > longestUrl) break
  }
  return value
}

/** The address as the value of an attribute; whoever counts clicks puts their own in its place. Mail and phone stay theirs. */
export function linked(pass: Pass, url: string, id: string | undefined): string {
  if (url.startsWith('tel:')) return url // digits and a few signs
  if (!url.startsWith('http')) return escapeAttribute(url)
  const anchor: Anchor = { id: id ?? '', url, campaignId: pass.campaignId }
  pass.anchors.push(anchor)
  return escapeAttribute(pass.link ? pass.link(anchor) : url)
}

export interface LinkedPicture {
  readonly id: string | undefined
  /** The image, or how to draw it for a person; empty when there is none. */
  readonly html: string | ((pass: Pass) => string)
  /** What plain text calls the link. */
  readonly label: string
}

/** An image with a link around it, or without where the link leads nowhere. */
export function linkedPicture({ id, html, label }: LinkedPicture, target: LinkTarget | null): Piece['bind'] {
  if (html === '') return nothing
  if (target === null && typeof html === 'string') return constant(html)
  const line = label === '' ? '\n' : `\n${oneLine(label)}: `
  const end = '" style="text-decoration:none">'
  return (open, close) => {
    const start = `${open}<a href="`
    const fixed = typeof html === 'string' ? html : null
    const [alone, rest] = [`${open}${fixed}${close}`, `${end}${fixed}</a>${close}`]
    return pass => {
      const { out } = pass
      const image = typeof html === 'string' ? html : html(pass)
      if (image === '') return false
      const url = target === null ? null : target(pass)
      if (url !== null) {
        pass.text += line + url
        addConstant(out, start)
        addValue(out, linked(pass, url, id))
      }
      if (fixed !== null) addConstant(out, url === null ? alone : rest)
      else addValue(out, url === null ? open + image + close : `${end}${image}</a>${close}`)
      return true
    }
  }
}
