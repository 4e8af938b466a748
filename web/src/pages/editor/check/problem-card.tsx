// One problem: what is wrong, what it means, the way to its blocks, and what can be done at once.
import { useTranslations } from 'use-intl'
import { fieldLabel } from '../../../api/field-labels.ts'
import { Button, Spinner } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { useBlockName } from '../block-names.ts'
import { useEditor } from '../editor-context.ts'
import { useInspector } from '../inspector/inspector-data.ts'
import { blockOf } from '../model/tree.ts'
import { useShownPreview } from '../preview/preview-state.ts'
import { useCheck } from './check-context.tsx'
import { remediesFor } from './remedies.ts'
import { RemedyControl } from './remedy-control.tsx'
import { drawnCodes, type ShownProblem } from './shown-problems.ts'

export const severityLooks: Readonly<Record<ShownProblem['severity'], readonly [IconName, string]>> = {
  error: ['circle-x', 'text-bad'],
  warning: ['triangle-alert', 'text-warn'],
  note: ['info', 'text-muted'],
}

/** More names would be longer than the problem. */
const namedBlocks = 3

export function useProblemTexts(): (problem: ShownProblem) => { readonly title: string; remedy: string } {
  const t = useTranslations('editor.check')
  const texts = useTranslations('signatures.problems')
  return ({ code, affected: count, recipients: total, field }) => {
    const drawn = drawnCodes.find(each => each === code)
    if (drawn) return { title: t(`drawn.${drawn}.title`), remedy: t(`drawn.${drawn}.remedy`) }
    const checked = code as Exclude<typeof code, (typeof drawnCodes)[number]>
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
  const { store } = useEditor()
  const { drawnTree: tree } = useShownPreview()
  const { fields } = useInspector()
  const nameOf = useBlockName()
  const { title, remedy } = useProblemTexts()(problem)
  const { isMended } = useCheck()
  const [icon, color] = severityLooks[problem.severity]
  const ids = blockId === undefined ? problem.ids : [blockId]
  const names = problem.ids.flatMap(id => {
    const block = blockOf(tree, id)
    return block && block !== tree ? [{ id, name: nameOf(block) }] : []
  })
  return (
    <div className="flex items-start gap-2.5 text-[0.8125rem]">
      <Icon name={icon} className={classes('mt-0.5', color)} />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          <span className="sr-only">{t(`severities.${problem.severity}`)}: </span>
          {title}
        </p>
        <p className="mt-0.5 text-muted">{remedy}</p>
        {blockId === undefined && names.length > 0 && (
          <p className="mt-1.5 flex flex-wrap items-center gap-1">
            {names.slice(0, namedBlocks).map(({ id, name }) => (
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
              <Button isSmall look="quiet" onPress={() => store.select(names.map(({ id }) => id))}>
                {t('moreBlocks', { count: names.length - namedBlocks })}
              </Button>
            )}
          </p>
        )}
        {isMended(problem) ? (
          <p role="status" className="mt-2 flex items-center gap-2 text-muted">
            <Spinner />
            {t('checking')}
          </p>
        ) : (
          <Remedies problem={problem} ids={ids} remedies={remediesFor({ tree, problem, ids, fields })} />
        )}
      </div>
    </div>
  )
}

/** A problem of many blocks that each need words of their own shows some at a time. */
const shownRemedies = 6

function Remedies({
  problem,
  ids,
  remedies,
}: {
  readonly problem: ShownProblem
  readonly ids: readonly string[]
  readonly remedies: ReturnType<typeof remediesFor>
}) {
  if (remedies.length === 0) return null
  return (
    <div className="mt-2 flex flex-wrap items-end gap-2">
      {remedies.slice(0, shownRemedies).map((remedy, index) => (
        <RemedyControl
          key={`${remedy.kind} ${index}`}
          problem={problem}
          remedy={remedy}
          isNamed={ids.length > 1}
        />
      ))}
    </div>
  )
}
