import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { fieldLabel } from '#api/field-labels.ts'
import { problemTextOf } from '#records/signatures/problems-card.tsx'
import { Button, Spinner } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { Icon, type IconName } from '#ui/base/icon.tsx'
import { useBlockName } from '../blocks/block-names.ts'
import { useInspector } from '../inputs/inspector-data.ts'
import { useEditor, useEditorState } from '../kit/editor-context.ts'
import { blockOf } from '../model/tree.ts'
import { useShownPreview } from '../rendering/preview-state.tsx'
import { useCheck } from './check-context.tsx'
import { type Remedy, remediesFor } from './remedies.ts'
import { RemedyControl } from './remedy-control.tsx'
import { drawnCodes, type ShownProblem } from './shown-problems.ts'

interface ProblemListProps {
  readonly problems: readonly ShownProblem[]
  /** The block whose mark was opened; undefined: the list below the canvas. */
  readonly blockId?: string
}

export default function ProblemList({ problems, blockId }: ProblemListProps) {
  const isOpened = blockId !== undefined
  return (
    <ul className={isOpened ? 'grid w-80 max-w-full gap-3 p-3' : 'grid gap-2'}>
      {problems.map(problem => (
        <li key={problem.key} className={classes(!isOpened && 'rounded-xl border border-line bg-card p-3')}>
          <ProblemCard problem={problem} {...(isOpened && { blockId })} />
        </li>
      ))}
    </ul>
  )
}

// One problem: what is wrong, what it means, the way to its blocks, and what can be done at once.

const severityVariants: Readonly<Record<ShownProblem['severity'], readonly [IconName, string]>> = {
  error: ['circle-x', 'text-bad'],
  warning: ['triangle-alert', 'text-warn'],
  note: ['info', 'text-muted'],
}

function useProblemMessages(): (problem: ShownProblem) => { readonly title: string; remedy: string } {
  const t = useTranslations('editor.check')
  const messages = useTranslations('signatures.problems')
  return ({ code, severity, affected: count, recipients: total, field, place }) => {
    if (place) return { title: t(`contrast.${place}.title`), remedy: t(`contrast.${place}.remedy`) }
    const drawn = drawnCodes.find(each => each === code)
    if (drawn) return { title: t(`drawn.${drawn}.title`), remedy: t(`drawn.${drawn}.remedy`) }
    const checked = problemTextOf(code as Exclude<typeof code, (typeof drawnCodes)[number]>, severity)
    const title = messages(`${checked}.title`, { count, total })
    return {
      title: field === undefined ? title : t('ofField', { field: fieldLabel(field), title }),
      remedy: messages(`${checked}.remedy`),
    }
  }
}

interface ProblemCardProps {
  readonly problem: ShownProblem
  /** The block whose mark was opened; undefined: all blocks of the problem are named. */
  readonly blockId?: string
}

function ProblemCard({ problem, blockId }: ProblemCardProps) {
  const t = useTranslations('editor.check')
  const { drawnTree: tree } = useShownPreview()
  const { fields, brandColors } = useInspector()
  const { title, remedy } = useProblemMessages()(problem)
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

// The blocks of a problem by their names; a press selects one.

/** At first: more names would be longer than the problem. */
const namedBlocks = 3

function ProblemBlocks({ ids }: { readonly ids: readonly string[] }) {
  const t = useTranslations('editor.check')
  const { store } = useEditor()
  const { tree } = useEditorState()
  const nameOf = useBlockName()
  const [isWhole, setWhole] = useState(false)
  const names = ids.flatMap(id => {
    const block = blockOf(tree, id)
    return block && block !== tree ? [{ id, name: nameOf(block) }] : []
  })
  if (names.length === 0) return null
  const visibleNames = isWhole ? names : names.slice(0, namedBlocks)
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-1">
      {visibleNames.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          aria-label={t('showBlock', { name })}
          onClick={() => store.select([id])}
          className="inline-flex min-h-6 max-w-48 items-center rounded-md bg-sunken px-2 text-xs font-medium hover:underline focus-visible:outline-2 focus-visible:outline-accent"
        >
          <span className="truncate">{name}</span>
        </button>
      ))}
      {names.length > namedBlocks && (
        <Button isSmall variant="quiet" aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>
          {isWhole ? t('fewerBlocks') : t('moreBlocks', { count: names.length - namedBlocks })}
        </Button>
      )}
    </p>
  )
}
