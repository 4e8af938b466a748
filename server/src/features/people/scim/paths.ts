// Paths of PATCH operations: `name.givenName`, `emails[type eq "work"].value`, `urn:…:User:department`.
import { enterpriseUrn, groupUrn, keyIn, type ScimJson, spellingOf, userUrn } from './attributes.ts'
import { ScimError } from './errors.ts'
import { parseScimFilter, type ScimFilter } from './filters/parse.ts'

export interface ScimPath {
  /** The extension that the attribute belongs to; null for the core schemas. */
  readonly urn: string | null
  /** Null: the extension itself. */
  readonly attribute: string | null
  /** Chooses entries of a list. */
  readonly filter: ScimFilter | null
  readonly sub: string | null
}

const badPath = (path: string): ScimError =>
  new ScimError('invalidPath', `The path “${path.slice(0, 200)}” is not valid.`)

const longestPath = 1_000
const name = /^[A-Za-z_$][\w$-]{0,200}$/

const isCore = (urn: string): boolean =>
  [userUrn, groupUrn].some(core => core.toLowerCase() === urn.toLowerCase())

/** True if a path names an extension, and not an attribute of one. */
const isExtension = (path: string, resource: ScimJson): boolean =>
  path.toLowerCase() === enterpriseUrn.toLowerCase() ||
  isCore(path) ||
  keyIn(resource, path) !== undefined ||
  /:(user|group)$/i.test(path)

/** The extension and the rest: names of attributes have no colon, and the texts in a filter can have some. */
function splitUrn(path: string, resource: ScimJson): { readonly urn: string | null; readonly rest: string } {
  if (!/^urn:/i.test(path)) return { urn: null, rest: path }
  if (isExtension(path, resource)) return { urn: path, rest: '' }
  const bracket = path.indexOf('[')
  const colon = path.lastIndexOf(':', bracket < 0 ? path.length : bracket)
  return { urn: path.slice(0, colon), rest: path.slice(colon + 1) }
}

/** `emails[type eq "work"].value`, without the extension. Undefined for what is no path. */
function partsOf(rest: string) {
  const open = rest.indexOf('[')
  const close = rest.lastIndexOf(']')
  const isFiltered = open >= 0 && close > open
  const end = isFiltered ? close + 1 : rest.includes('.') ? rest.indexOf('.') : rest.length
  const attribute = rest.slice(0, isFiltered ? open : end)
  const sub = rest.slice(end)
  const names = sub === '' ? [attribute] : [attribute, sub.slice(1)]
  if ((sub !== '' && !sub.startsWith('.')) || !names.every(part => name.test(part) && part !== '__proto__'))
    return undefined
  return { attribute, filter: isFiltered ? rest.slice(open + 1, close) : null, sub: names[1] ?? null }
}

export function readScimPath(sent: string, resource: ScimJson): ScimPath {
  const path = sent.trim()
  if (path.length > longestPath) throw badPath(path)
  const { urn, rest } = splitUrn(path, resource)
  const extension = urn === null || isCore(urn) ? null : (keyIn(resource, urn) ?? spellingOf(urn))
  if (rest === '' && urn !== null) return { urn: extension, attribute: null, filter: null, sub: null }
  const parts = partsOf(rest)
  if (!parts) throw badPath(path)
  return {
    urn: extension,
    attribute: spellingOf(parts.attribute),
    filter: parts.filter === null ? null : parseScimFilter(parts.filter),
    sub: parts.sub === null ? null : spellingOf(parts.sub),
  }
}
