// Which block can be in which other block. The rules come from the schema of the content.
import { type Content, contentSchema, type Problem, validateContent } from '@signoff/render'
import type { AnyBlock, BlockType, ContentKind } from '#records/content/block.ts'

interface ChildrenSchema {
  readonly items?: { readonly anyOf?: readonly { readonly $ref: string }[] }
}

const childTypes = new Map(
  Object.entries(contentSchema.$defs).map(([type, schema]) => {
    const { children } = ((schema as { properties?: object }).properties ?? {}) as {
      children?: ChildrenSchema
    }
    const references = children?.items?.anyOf ?? []
    return [type, references.map(({ $ref }) => $ref.split('/').at(-1) as BlockType)] as const
  }),
)

export const allowedChildren = (parent: BlockType, kind: ContentKind): readonly BlockType[] =>
  (childTypes.get(parent) ?? []).filter(type => kind === 'signature' || type !== 'marketing')

/** True if the schema gives the block children. */
export const isContainer = ({ type }: AnyBlock): boolean => (childTypes.get(type) ?? []).length > 0

export const canContain = (parent: AnyBlock, children: readonly AnyBlock[], kind: ContentKind): boolean => {
  const allowed = allowedChildren(parent.type, kind)
  return children.every(child => allowed.includes(child.type))
}

/** Problems for which the API refuses the content. Every operation of the editor is checked with these rules. */
export const problemsOf = (content: Content, kind: ContentKind) =>
  validateContent(content, { field: 'content', isCampaign: kind === 'campaign' }).problems

const contentLimits = ['too_many', 'too_deep', 'too_long'] as const

/** The limit of the whole content that a refused change would have passed. */
export const reachedLimit = (problems: readonly Problem[]): (typeof contentLimits)[number] | undefined =>
  contentLimits.find(limit => problems.some(({ code, field }) => code === limit && isOfWhole(code, field)))

/** The depth is that of one block; the other codes also exist for single texts and lists. */
const isOfWhole = (code: string, field: string): boolean => code === 'too_deep' || field === 'content'
