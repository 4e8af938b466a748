// Parses SAML documents strictly. Every fault of the XML is an error, not a warning.
import { createRequire } from 'node:module'
import { type XmlLimits, xmlProblem } from './xml-limits.ts'

export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const

/** The message is a phrase that follows "the document …". */
export class InvalidDocument extends Error {}

export const reject = (problem: string): never => {
  throw new InvalidDocument(problem)
}

const load = createRequire(import.meta.url)

export function parseDocument(text: string, limits: XmlLimits): Element {
  const problem = xmlProblem(text, limits)
  if (problem !== undefined) reject(problem)
  const onFault = () => reject('is not well-formed XML')
  // Loaded by the first document: it takes 2 MB.
  const { DOMParser } = load('@xmldom/xmldom') as typeof import('@xmldom/xmldom')
  const parser = new DOMParser({ errorHandler: { warning: onFault, error: onFault, fatalError: onFault } })
  const document = parser.parseFromString(text, 'text/xml')
  return document?.documentElement ?? reject('is not XML')
}

const elementNode = 1

export const childElements = (parent: Element): readonly Element[] =>
  Array.from(parent.childNodes).filter((node): node is Element => node.nodeType === elementNode)

export const isNamed = (element: Element, namespace: string, name: string): boolean =>
  element.namespaceURI === namespace && element.localName === name

export const childrenNamed = (parent: Element, namespace: string, name: string): readonly Element[] =>
  childElements(parent).filter(child => isNamed(child, namespace, name))

/** All elements below, the parent itself included. */
export function* walkElements(parent: Element): Generator<Element> {
  yield parent
  for (const child of childElements(parent)) yield* walkElements(child)
}

export const textIn = (element: Element | undefined): string => (element?.textContent ?? '').trim()
