// Tells what a tree looks like without drawing it for anybody.
import { hash } from 'node:crypto'
import type { Content, Surroundings, Template } from '@signoff/render'
import type { SmartField } from '../smart-fields/index.ts'
import { placeholders } from './person.ts'

/**
 * While it stays the same the tree is drawn alike for everybody who stays the same: it tells the tree, what surrounds it, and, by two
 * drawings, how we draw today.
 */
export function identityOf(
  content: Content,
  { fields, assets = new Map(), campaigns = new Set(), ownAddress }: Surroundings,
  template: Template,
  all: readonly SmartField[],
): string {
  const drawings = [placeholders(all, ''), {}].map(person => template.render(person))
  return hash(
    'sha256',
    JSON.stringify([content, [...fields], [...assets], [...campaigns], ownAddress, drawings]),
    'base64url',
  )
}
