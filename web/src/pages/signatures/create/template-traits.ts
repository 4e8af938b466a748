// What a template has, for the filters and the marks of the gallery.
import type { Template } from '@signoff/sdk'

export const templateTraits = ['photo', 'logo', 'social', 'button', 'qrCode', 'compact'] as const
export type TemplateTrait = (typeof templateTraits)[number]

interface TemplateBlock {
  readonly type: string
  readonly smartFieldUuid?: string | undefined
  readonly children?: readonly TemplateBlock[] | undefined
}

const blocksOf = (block: TemplateBlock): readonly TemplateBlock[] => [
  block,
  ...(block.children ?? []).flatMap(blocksOf),
]

/** Up to two lines are compact with a picture, too. */
function isCompact(blocks: readonly TemplateBlock[]): boolean {
  const count = (...types: string[]) => blocks.filter(({ type }) => types.includes(type)).length
  const texts = count('text')
  return texts <= 2 || (texts <= 4 && count('image', 'socialList', 'qrCode', 'list') === 0)
}

export function traitsOf({ content }: Pick<Template, 'content'>): ReadonlySet<TemplateTrait> {
  const blocks = blocksOf(content as unknown as TemplateBlock)
  const has = (type: string) => blocks.some(block => block.type === type)
  const hasImage = (isOfPerson: boolean) =>
    blocks.some(
      ({ type, smartFieldUuid }) => type === 'image' && (smartFieldUuid !== undefined) === isOfPerson,
    )
  const hasTrait: Readonly<Record<TemplateTrait, boolean>> = {
    photo: hasImage(true),
    logo: hasImage(false),
    social: has('socialList'),
    button: has('button'),
    qrCode: has('qrCode'),
    compact: isCompact(blocks),
  }
  return new Set(templateTraits.filter(trait => hasTrait[trait]))
}
