// One problem: what is wrong, what it means, the way to its blocks, and what can be done at once.
import { useTranslations } from 'use-intl'
import { fieldLabel } from '#api/field-labels.ts'
import { problemTextOf } from '#records/signatures/problems-card.tsx'
import { Spinner } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { Icon, type IconName } from '#ui/base/icon.tsx'
import { useInspector } from '../inspector/inspector-data.ts'
import { useShownPreview } from '../preview/preview-state.ts'
import { useCheck } from './check-context.tsx'
import { ProblemBlocks } from './problem-blocks.tsx'
import { type Remedy, remediesFor } from './remedies.ts'
import { RemedyControl } from './remedy-control.tsx'
import { drawnCodes, type ShownProblem } from './shown-problems.ts'

export const severityVariants: Readonly<Record<ShownProblem['severity'], readonly [IconName, string]>> = {
  error: ['circle-x', 'text-bad'],
  warning: ['triangle-alert', 'text-warn'],
  note: ['info', 'text-muted'],
}

export function useProblemTexts(): (problem: ShownProblem) => { readonly title: string; remedy: string } {
  const t = useTranslations('editor.check')
  const texts = useTranslations('signatures.problems')
  return ({ code, severity, affected: count, recipients: total, field, place }) => {
    if (place) return { title: t(`contrast.${place}.title`), remedy: t(`contrast.${place}.remedy`) }
    const drawn = drawnCodes.find(each => each === code)
    if (drawn) return { title: t(`drawn.${drawn}.title`), remedy: t(`drawn.${drawn}.remedy`) }
    const checked = problemTextOf(code as Exclude<typeof code, (typeof drawnCodes)[number]>, severity)
    const title = texts(`${checked}.title`, { count, total })
    return {
      title: field === undefined ? title : t('ofField', { field: fieldLabel(field), title }),
      remedy: texts(`${checked}.remedy`),
    }
  }
}

interface ProblemCardProps {
  readonly problem: ShownProblem
  /** The block whose mark was opened; undefined: all blocks of the problem are named. */
  readonly blockId?: string
}

export function ProblemCard({ problem, blockId }: ProblemCardProps) {
  const t = useTranslations('editor.check')
  const { drawnTree: tree } = useShownPreview()
  const { fields, brandColors } = useInspector()
  const { title, remedy } = useProblemTexts()(problem)
  const { openPart, isPaused } = useCheck()
  const open = openPart(problem)
  const [icon, color] = severityVariants[problem.severity]
  // Without blocks, the problem is of the whole signature.
  const isMended =
    !open || (blockId !== undefined && problem.ids.includes(blockId) && !open.ids.includes(blockId))
  const openIds = blockId === undefined ? (open?.ids ?? []) : [blockId]
  return (
    <div className="flex items-start gap-2.5 text-[0.8125rem]">
      <Icon name={icon} className={classes('mt-0.5', color)} />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          <span className="sr-only">{t(`severities.${problem.severity}`)}: </span>
          {title}
        </p>
        <p className="mt-0.5 text-muted">{remedy}</p>
        {blockId === undefined && <ProblemBlocks ids={problem.ids} />}
        {isMended ? (
          <p role="status" className="mt-2 flex items-center gap-2 text-muted">
            {!isPaused && <Spinner />}
            {t(isPaused ? 'checkedLater' : 'checking')}
          </p>
        ) : (
          <Remedies
            problem={problem}
            ids={openIds}
            remedies={remediesFor({ tree, problem, ids: openIds, fields, brandColors })}
          />
        )}
      </div>
    </div>
  )
}

/** A problem of many blocks that each need words of their own shows some at a time. */
const shownRemedies = 6

interface RemediesProps {
  readonly problem: ShownProblem
  readonly ids: readonly string[]
  readonly remedies: readonly Remedy[]
}

const remedyKey = (remedy: Remedy): string =>
  'name' in remedy ? `${remedy.name} ${remedy.blockId ?? ''}` : remedy.kind

function Remedies({ problem, ids, remedies }: RemediesProps) {
  if (remedies.length === 0) return null
  return (
    <div className="mt-2 flex flex-wrap items-end gap-2">
      {remedies.slice(0, shownRemedies).map(remedy => (
        <RemedyControl key={remedyKey(remedy)} problem={problem} remedy={remedy} ids={ids} />
      ))}
    </div>
  )
}
