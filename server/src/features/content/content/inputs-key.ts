// Computes the inputs key of content: a hash of everything except the person that its rendered output depends on.
import { hash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Content, RenderHooks, Surroundings, Template } from '@signoff/render'
import type { SmartField } from '#features/workspace/smart-fields/index.ts'
import { placeholders } from './person.ts'

/** Part of the key, because another release can render differently. */
const { version } = createRequire(import.meta.url)('../../../../package.json') as { readonly version: string }

const sampleUrl = 'https://example.com/'
const fill: RenderHooks = {
  link: ({ id, url }) => `${sampleUrl}${id} ${url}`,
  pixel: () => sampleUrl,
  vcard: () => `${sampleUrl}card`,
  qrUrl: code => `${sampleUrl}${JSON.stringify(code)}`,
}

/**
 * While the key stays the same, the output for an unchanged person stays the same. It covers the tree, its surroundings
 * (fields, assets, campaigns) and the renderer, by the release version and two sample renderings.
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
