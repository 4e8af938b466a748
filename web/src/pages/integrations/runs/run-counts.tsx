// What a run has changed, or what a dry run would change.
import type { SyncRunSummary } from '@signoff/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { classes } from '#ui/base/classes.ts'

const always = ['people_seen', 'people_added', 'people_changed'] as const
const sometimes = [
  'people_reactivated',
  'people_deactivated',
  'people_missing',
  'people_removed',
  'people_held',
  'entities_added',
  'entities_changed',
  'entities_removed',
  'members_added',
  'members_removed',
  'members_held',
] as const

type CountName = (typeof always)[number] | (typeof sometimes)[number]

const waiting: readonly CountName[] = ['people_held', 'members_held']

export const RunCounts = ({ run }: { readonly run: SyncRunSummary }) => {
  const t = useTranslations('integrations.runs')
  const format = useFormatter()
  // What waited has left after an approval: it is counted there.
  const isWaiting = run.status === 'held' || run.kind === 'dry'
  const isShown = (name: CountName) => run[name] > 0 && (isWaiting || !waiting.includes(name))
  const names: readonly CountName[] = [...always, ...sometimes.filter(isShown)]
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-5 sm:grid-cols-3 lg:grid-cols-4">
      {names.map(name => (
        <div key={name}>
          <dt className="text-[0.8125rem] text-muted">
            {t(`${run.kind === 'dry' ? 'would' : 'counts'}.${name}`)}
          </dt>
          <dd
            className={classes('text-2xl font-semibold tabular-nums', waiting.includes(name) && 'text-warn')}
          >
            {format.number(run[name])}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The changes of a run in one line: “3 joined · 2 changed”. */
export function useRunSummary(): (run: SyncRunSummary) => string {
  const t = useTranslations('integrations.runs')
  return run => {
    const left = run.people_deactivated + run.people_missing + run.people_removed
    const groups = run.entities_added + run.entities_changed + run.entities_removed
    const members = run.members_added + run.members_removed
    const held = run.status === 'held' ? run.people_held + run.members_held : 0
    const parts = [
      held > 0 && t('short.held', { count: held }),
      run.people_added > 0 && t('short.added', { count: run.people_added }),
      run.people_changed > 0 && t('short.changed', { count: run.people_changed }),
      run.people_reactivated > 0 && t('short.reactivated', { count: run.people_reactivated }),
      left > 0 && t('short.left', { count: left }),
      groups > 0 && t('short.groups', { count: groups }),
      members > 0 && t('short.members', { count: members }),
    ].filter(part => part !== false)
    return parts.length > 0 ? parts.join(' · ') : t('short.nothing')
  }
}
