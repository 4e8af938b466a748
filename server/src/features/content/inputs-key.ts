// Tells what a tree looks like without drawing it for anybody.
import { hash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Content, Fill, Surroundings, Template } from '@signoff/render'
import type { SmartField } from '#features/smart-fields/index.ts'
import { placeholders } from './person.ts'

/** Another release may draw otherwise. */
const { version } = createRequire(import.meta.url)('../../../package.json') as { readonly version: string }

const sampleUrl = 'https://example.com/'
const fill: Fill = { link: ({ id, url }) => `${sampleUrl}${id} ${url}`, pixel: () => sampleUrl }

/**
 * While it stays the same the tree is drawn alike for everybody who stays the same: it tells the tree, what surrounds it, and
 * how we draw, by the release and by two drawings.
 */
export function inputsKeyOf(
  content: Content,
  { fields, assets = new Map(), campaigns = new Set(), ownAddress }: Surroundings,
  template: Template,
  allFields: readonly SmartField[],
): string {
  const drawings = [placeholders(allFields, `${sampleUrl}picture.png`), {}].map(person =>
    template.render(person, fill),
  )
  const surroundings = [[...fields], [...assets], [...campaigns], ownAddress]
  return hash('sha256', JSON.stringify([version, content, surroundings, drawings]), 'base64url')
}
