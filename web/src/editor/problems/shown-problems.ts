// The problems that the editor shows: those of the check, which the service makes after each save, and those that the
// renderer finds at once.
import type { Content, PaperPlace, Warning } from '@signoff/render'
import type { CheckProblem, SignatureCheck } from '@signoff/sdk'
import { idOf } from '#records/content/block.ts'
import { surfaceOf } from '../model/contrast.ts'
import { blockOf, blockWithToken } from '../model/tree.ts'

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
  /** The place where the colours are hard to read. Only of `low_contrast`. */
  readonly place?: PaperPlace
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

const severityAt = (place: PaperPlace | undefined): ShownProblem['severity'] =>
  place === 'dark' ? 'note' : 'warning'

/** One problem for each code and place. Warnings about blocks of a campaign's banner are not of this signature. */
export function drawnProblems(
  tree: Content,
  warnings: readonly Warning[],
  isBanner: boolean,
): readonly ShownProblem[] {
  const problemsByKey = new Map<string, ShownProblem>()
  for (const { code: warned, id, place } of warnings) {
    const code = codeOfWarning(warned, isBanner)
    const blockId = id === null ? null : blockIdOf(tree, id)
    if (code === undefined || blockId === undefined) continue
    const key = `drawn ${code} ${place ?? ''}`
    const { ids = [] } = problemsByKey.get(key) ?? {}
    problemsByKey.set(key, {
      key,
      code,
      severity: severityAt(place),
      ids: blockId === null ? ids : [...new Set([...ids, blockId])],
      affected: 0,
      recipients: 0,
      field: undefined,
      ...(place && { place }),
    })
  }
  return [...problemsByKey.values()]
}

function placeOf(tree: Content, id: string, severity: ShownProblem['severity']): PaperPlace {
  if (severity === 'note') return 'dark'
  const block = blockOf(tree, id)
  const isFilled = block?.type === 'button' && block.variant !== 'outline'
  return block && !isFilled && surfaceOf(tree, block) === undefined ? 'light' : 'background'
}

/** The check has one problem for each pair of colours. People see one for each place, whose remedy mends all blocks. */
function contrastProblems(tree: Content, problems: readonly ShownProblem[]): readonly ShownProblem[] {
  const problemsByPlace = new Map<PaperPlace, ShownProblem>()
  for (const problem of problems)
    for (const id of problem.ids) {
      const place = placeOf(tree, id, problem.severity)
      const { ids = [], affected = 0 } = problemsByPlace.get(place) ?? {}
      problemsByPlace.set(place, {
        ...problem,
        key: `low_contrast ${place}`,
        place,
        ids: [...new Set([...ids, id])],
        affected: Math.max(affected, problem.affected),
      })
    }
  return [...problemsByPlace.values()]
}

const severityOrder = ['error', 'warning', 'note'] as const

/** A problem whose blocks were all removed since the check is over. */
export function checkedProblems(
  tree: Content,
  { problems, recipients }: SignatureCheck,
): readonly ShownProblem[] {
  const openProblems = problems.flatMap(
    ({ code, severity, blocks, recipients_affected: affected, smart_field: field }, index) => {
      const ids = inTree(
        tree,
        blocks.map(({ id }) => id),
      )
      if (blocks.length > 0 && ids.length === 0 && !wholeCodes.has(code)) return []
      return [{ key: `${code} ${field ?? ''} ${index}`, code, severity, ids, affected, recipients, field }]
    },
  )
  const isContrast = ({ code }: ShownProblem) => code === 'low_contrast'
  return [
    ...openProblems.filter(problem => !isContrast(problem)),
    ...contrastProblems(tree, openProblems.filter(isContrast)),
  ]
}

export const bySeverity = (problems: readonly ShownProblem[]): readonly ShownProblem[] =>
  problems.toSorted((a, b) => severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity))

/** Nearly every signature has dark words: a mark at each would hide those of problems. */
const isMarked = ({ code, place }: ShownProblem): boolean => !wholeCodes.has(code) && place !== 'dark'

export function problemsByBlock(
  problems: readonly ShownProblem[],
): ReadonlyMap<string, readonly ShownProblem[]> {
  const byBlock = new Map<string, ShownProblem[]>()
  for (const problem of problems.filter(isMarked))
    for (const id of problem.ids) {
      const list = byBlock.get(id)
      if (list) list.push(problem)
      else byBlock.set(id, [problem])
    }
  return byBlock
}
