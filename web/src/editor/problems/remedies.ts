// What can be done about a problem at its place: by one click, or with a few words. Every remedy is one step of undo.
import type { Content } from '@signoff/render'
import type { SmartField } from '@signoff/sdk'
import { api } from '#api/client.ts'
import { allRows } from '#api/lists.ts'
import { type AnyBlock, idOf } from '#records/content/block.ts'
import { setProperties } from '../model/operations.ts'
import { blockOf, blocksIn } from '../model/tree.ts'
import type { ShownCode, ShownProblem } from './shown-problems.ts'
import { fittingPanes, fittingPhones, withReadableColors } from './style-remedies.ts'
import {
  canHaveFallback,
  changeTokensIn,
  completedAddress,
  lackedField,
  typedTarget,
  withFallback,
  withFieldsForLiterals,
  withoutEmptyLinks,
  withTarget,
} from './text-remedies.ts'

/** By one click. */
export interface ClickRemedy {
  readonly kind: 'click'
  readonly name:
    | 'safeColor'
    | 'largerText'
    | 'fitPhone'
    | 'fitPane'
    | 'decoration'
    | 'useField'
    | 'removeLink'
    | 'showHidden'
    | 'anyCampaign'
    | 'standardWidth'
  /** The block that is changed; undefined: all of them. */
  readonly blockId?: string
  readonly apply: (tree: Content) => Content
}

/** With words that a person types. */
export interface WordsRemedy {
  readonly kind: 'words'
  readonly name: 'alt' | 'fallback' | 'target'
  /** The block that gets the words; undefined: all of them. */
  readonly blockId: string | undefined
  readonly initial: string
  /** Null: the words do not fit. */
  readonly apply: (words: string) => ((tree: Content) => Content) | null
}

/** By the service first: the change follows from its answer; undefined when it has found nothing. */
export interface FoundRemedy {
  readonly kind: 'found'
  readonly name: 'useAsset'
  readonly blockId: string
  readonly find: () => Promise<((tree: Content) => Content) | undefined>
}

/** A link to where the problem is solved. */
export interface LinkRemedy {
  readonly kind: 'picture' | 'person' | 'variants' | 'people' | 'text'
  /** The block, or the field. */
  readonly id: string
}

export type Remedy = ClickRemedy | WordsRemedy | FoundRemedy | LinkRemedy

interface RemedyInputs {
  readonly tree: Content
  readonly problem: ShownProblem
  /** Those of the problem that are meant: all, or the one whose mark was opened. */
  readonly ids: readonly string[]
  readonly fields: readonly SmartField[]
  readonly brandColors: readonly string[]
}

const smallest = 9
const usualSize = 11
const usualWidth = 120

const blocksOf = ({ tree, ids }: RemedyInputs): readonly AnyBlock[] =>
  ids.flatMap(id => blockOf(tree, id) ?? [])

/** Left out when it would change nothing. */
const click = (
  { tree }: RemedyInputs,
  name: ClickRemedy['name'],
  apply: (tree: Content) => Content,
  block?: AnyBlock,
): readonly ClickRemedy[] =>
  apply(tree) === tree ? [] : [{ kind: 'click', name, apply, ...(block && { blockId: idOf(block) }) }]

const withLargerText = (tree: Content, ids: readonly string[]): Content =>
  ids.reduce(
    (changed, id) =>
      changeTokensIn(changed, id, token =>
        (token.textStyle?.fontSize ?? smallest) < smallest
          ? { ...token, textStyle: { ...token.textStyle, fontSize: usualSize } }
          : token,
      ),
    tree,
  )

const withAllShown = (tree: Content): Content =>
  [...blocksIn(tree)]
    .filter(({ visible }) => visible === false)
    .reduce<Content>((changed, block) => setProperties(changed, idOf(block), { visible: undefined }), tree)

const altRemedies = (inputs: RemedyInputs): readonly Remedy[] =>
  blocksOf(inputs).flatMap((block): readonly Remedy[] => [
    {
      kind: 'words',
      name: 'alt',
      blockId: idOf(block),
      initial: '',
      apply: words => (words.trim() ? tree => setProperties(tree, idOf(block), { alt: words.trim() }) : null),
    },
    ...('href' in block && block.href
      ? []
      : click(inputs, 'decoration', tree => setProperties(tree, idOf(block), { alt: '' }), block)),
  ])

const linkRemedies = (inputs: RemedyInputs): readonly Remedy[] =>
  blocksOf(inputs).flatMap((block): readonly Remedy[] => [
    {
      kind: 'words',
      name: 'target',
      blockId: idOf(block),
      initial: typedTarget(block),
      apply: words => {
        const address = completedAddress(words)
        return address === null
          ? null
          : tree => withTarget(tree, blockOf(tree, idOf(block)) ?? block, address)
      },
    },
    // A button and an icon of a social network are links.
    ...(block.type === 'button' || block.type === 'socialListItem'
      ? []
      : click(
          inputs,
          'removeLink',
          tree => withoutEmptyLinks(tree, blockOf(tree, idOf(block)) ?? block),
          block,
        )),
  ])

function valueRemedies({ tree, ids, problem, fields }: RemedyInputs): readonly Remedy[] {
  const field = lackedField(tree, problem.field, fields)
  if (!field) return []
  const fallback: WordsRemedy = {
    kind: 'words',
    name: 'fallback',
    blockId: undefined,
    initial: '',
    apply: words => (words.trim() ? current => withFallback(current, ids, field.id, words.trim()) : null),
  }
  return [
    ...(canHaveFallback(tree, ids, field.id) ? [fallback] : []),
    { kind: 'person', id: field.id },
    { kind: 'people', id: field.key },
  ]
}

/** The asset whose original file the address serves. */
const assetRemedy = (block: AnyBlock): FoundRemedy => ({
  kind: 'found',
  name: 'useAsset',
  blockId: idOf(block),
  async find() {
    const src = block.type === 'image' ? block.src : undefined
    const asset = (await allRows(page => api.assets.list(page))).find(({ url }) => url === src)
    return asset && (tree => setProperties(tree, idOf(block), { assetUuid: asset.id, src: undefined }))
  },
})

const pictureLinks = (inputs: RemedyInputs): readonly Remedy[] =>
  blocksOf(inputs)
    .filter(({ type }) => type === 'image')
    .slice(0, 1)
    .map(block => ({ kind: 'picture', id: idOf(block) }))

const anyCampaign = (inputs: RemedyInputs): readonly Remedy[] =>
  blocksOf(inputs)
    .filter(({ type }) => type === 'marketing')
    .flatMap(block =>
      click(
        inputs,
        'anyCampaign',
        tree => setProperties(tree, idOf(block), { campaignUuid: undefined }),
        block,
      ),
    )

const makers: Readonly<Record<ShownCode, (inputs: RemedyInputs) => readonly Remedy[]>> = {
  nothing_to_show: inputs => click(inputs, 'showHidden', withAllShown),
  // Only the operator can change the address of the service.
  unreachable_address: () => [],
  missing_values: valueRemedies,
  low_contrast: inputs =>
    click(inputs, 'safeColor', tree => withReadableColors(tree, inputs.ids, inputs.brandColors)),
  text_too_small: inputs => click(inputs, 'largerText', tree => withLargerText(tree, inputs.ids)),
  unsupported_image: pictureLinks,
  literal_placeholder: inputs => [
    ...click(inputs, 'useField', tree => withFieldsForLiterals(tree, inputs.ids, inputs.fields)),
    ...inputs.ids.slice(0, 1).map(id => ({ kind: 'text' as const, id })),
  ],
  // The size meter names the largest blocks.
  too_long: () => [],
  image_oversized: inputs => [...blocksOf(inputs).slice(0, 1).map(assetRemedy), ...pictureLinks(inputs)],
  // It changes mailboxes at once, so it is done on the page that says so.
  variant_not_active: () => [{ kind: 'variants', id: '' }],
  link_without_target: linkRemedies,
  missing_alt: altRemedies,
  not_mobile: inputs => click(inputs, 'fitPhone', tree => fittingPhones(tree, inputs.ids)),
  too_wide: inputs => click(inputs, 'fitPane', tree => fittingPanes(tree, inputs.ids)),
  image_too_wide: inputs => click(inputs, 'fitPane', tree => fittingPanes(tree, inputs.ids)),
  image_size_unknown: inputs =>
    click(inputs, 'standardWidth', tree =>
      inputs.ids.reduce((changed, id) => setProperties(changed, id, { width: usualWidth }), tree),
    ),
  unknown_reference: inputs => [...anyCampaign(inputs), ...pictureLinks(inputs)],
  gif_too_large: pictureLinks,
}

export const remediesFor = (inputs: RemedyInputs): readonly Remedy[] => makers[inputs.problem.code](inputs)
