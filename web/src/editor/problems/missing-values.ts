// Which values a signature needs, and which of them a person lacks: the same rule as that of the check.
import type { Content, Href } from '@signoff/render'
import type { RenderedPerson, SmartField } from '@signoff/sdk'
import { type AnyBlock, childrenOf, idOf, tokensOf } from '#records/content/block.ts'

export interface NeededField {
  readonly field: SmartField
  /** The blocks that show it, in the order of the tree. */
  readonly blockIds: readonly string[]
}

const isBlank = (text: string | null | undefined): boolean => !text?.trim()

const fieldOfLink = (href: Href | undefined): string | undefined =>
  href && isBlank(href.text) ? href.smartFieldUuid : undefined

/** The fields without whose value a part of the block is left out. */
function fieldsOfBlock(block: AnyBlock): readonly string[] {
  const { smartFieldUuid, href } = block as { readonly smartFieldUuid?: string; readonly href?: Href }
  const inTokens = (tokensOf(block) ?? []).flatMap(token => [
    isBlank(token.fallback) && isBlank(token.value) ? token.smartFieldUuid : undefined,
    fieldOfLink(token.href),
  ])
  return [smartFieldUuid, fieldOfLink(href), ...inTokens]
    .filter(id => id !== undefined)
    .map(id => id.toLowerCase())
}

/** In the order of the tree. Hidden blocks need nothing, and a field with a fallback always shows something. */
export function fieldsNeededBy(tree: Content, fields: readonly SmartField[]): readonly NeededField[] {
  const fieldsById = new Map(fields.map(field => [field.id, field]))
  const blocksByField = new Map<string, string[]>()
  const visit = (block: AnyBlock): void => {
    if (block.visible === false) return
    for (const id of new Set(fieldsOfBlock(block))) {
      const blocks = blocksByField.get(id)
      if (blocks) blocks.push(idOf(block))
      else blocksByField.set(id, [idOf(block)])
    }
    childrenOf(block).forEach(visit)
  }
  visit(tree)
  return [...blocksByField].flatMap(([id, blockIds]) => {
    const field = fieldsById.get(id)
    return field && isBlank(field.fallback) ? [{ field, blockIds }] : []
  })
}

export function missingFields(
  needed: readonly NeededField[],
  { values }: Pick<RenderedPerson, 'values'>,
): readonly NeededField[] {
  const filled = new Set(
    values
      .filter(({ value, has_picture: hasPicture }) => hasPicture || !isBlank(value))
      .map(({ smart_field_id: id }) => id),
  )
  return needed.filter(({ field }) => !filled.has(field.id))
}
