// The problems that the editor shows: those of the check, which the service makes after each save, and those that the
// renderer finds at once.
import type { Content, Warning } from '@signoff/render'
import type { CheckProblem, SignatureCheck } from '@signoff/sdk'
import { idOf } from '../model/block.ts'
import { blockWithToken } from '../model/tree.ts'

/** Warnings of the renderer that the check does not have. */
export const drawnCodes = [
  'too_wide',
  'image_too_wide',
  'image_size_unknown',
  'unknown_reference',
  'gif_too_large',
] as const
export type DrawnCode = (typeof drawnCodes)[number]

export type ShownCode = CheckProblem['code'] | DrawnCode

export interface ShownProblem {
  /** The same for the same problem of a later check. */
  readonly key: string
  readonly code: ShownCode
  readonly severity: CheckProblem['severity']
  /** The blocks that are still in the tree. */
  readonly ids: readonly string[]
  readonly affected: number
  readonly recipients: number
  /** The label of the field without values. */
  readonly field: string | undefined
}

/** These concern the signature as a whole, or something outside of it: no block is marked. */
const wholeCodes: ReadonlySet<ShownCode> = new Set([
  'unreachable_address',
  'too_long',
  'nothing_to_show',
  'variant_not_active',
] as const)

/** A banner has no check of its own: all warnings of the renderer are shown. */
const bannerCodes: Readonly<Partial<Record<Warning['code'], ShownCode>>> = {
  low_contrast: 'low_contrast',
  missing_alt: 'missing_alt',
  missing_target: 'link_without_target',
  too_long: 'too_long',
}

const isDrawnCode = (code: string): code is DrawnCode => drawnCodes.some(each => each === code)

const codeOfWarning = (code: Warning['code'], isBanner: boolean): ShownCode | undefined =>
  isDrawnCode(code) ? code : isBanner ? bannerCodes[code] : undefined

const blockIdOf = (tree: Content, id: string): string | undefined => {
  const block = blockWithToken(tree, id)
  return block && idOf(block)
}

const inTree = (tree: Content, ids: readonly string[]): readonly string[] => [
  ...new Set(ids.flatMap(id => blockIdOf(tree, id) ?? [])),
]

/** One problem for each code. Warnings about blocks of a campaign's banner are not of this signature. */
export function drawnProblems(
  tree: Content,
  warnings: readonly Warning[],
  isBanner: boolean,
): readonly ShownProblem[] {
  const byCode = new Map<ShownCode, string[]>()
  for (const { code, id } of warnings) {
    const shown = codeOfWarning(code, isBanner)
    const blockId = id === null ? null : blockIdOf(tree, id)
    if (shown === undefined || blockId === undefined) continue
    const ids = byCode.get(shown) ?? []
    byCode.set(shown, blockId === null ? ids : [...ids, blockId])
  }
  return [...byCode].map(([code, ids]) => ({
    key: `drawn ${code}`,
    code,
    severity: 'warning',
    ids: [...new Set(ids)],
    affected: 0,
    recipients: 0,
    field: undefined,
  }))
}

/** A problem whose blocks were all removed since the check is over. */
export const checkedProblems = (
  tree: Content,
  { problems, recipients }: SignatureCheck,
): readonly ShownProblem[] =>
  problems.flatMap(({ code, severity, blocks, recipients_affected: affected, smart_field: field }, index) => {
    const ids = inTree(
      tree,
      blocks.map(({ id }) => id),
    )
    if (blocks.length > 0 && ids.length === 0 && !wholeCodes.has(code)) return []
    return [{ key: `${code} ${field ?? ''} ${index}`, code, severity, ids, affected, recipients, field }]
  })

export function problemsByBlock(
  problems: readonly ShownProblem[],
): ReadonlyMap<string, readonly ShownProblem[]> {
  const byBlock = new Map<string, ShownProblem[]>()
  for (const problem of problems.filter(({ code }) => !wholeCodes.has(code)))
    for (const id of problem.ids) {
      const list = byBlock.get(id)
      if (list) list.push(problem)
      else byBlock.set(id, [problem])
    }
  return byBlock
}
