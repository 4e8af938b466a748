// Who would join, change and leave: the report of a dry run.
import type { SyncRun } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { Card, Notice } from '#ui/layout/page.tsx'
import { PersonList } from './person-list.tsx'
import { RunCounts } from './run-counts.tsx'
import { RunProblems } from './run-problems.tsx'

type Previewed = SyncRun['preview'][number]

const groups: readonly {
  readonly id: 'join' | 'change' | 'leave'
  readonly changes: readonly Previewed['change'][]
}[] = [
  { id: 'leave', changes: ['missing', 'deactivated'] },
  { id: 'join', changes: ['added', 'reactivated'] },
  { id: 'change', changes: ['changed'] },
]

/** Changes that the title of their list does not say. */
const unusual: readonly Previewed['change'][] = ['missing', 'deactivated', 'reactivated']

export function PreviewLists({ run }: { readonly run: SyncRun }) {
  const t = useTranslations('integrations.preview')
  const isEmpty = run.people_seen === 0
  const isHeld = run.people_held > 0
  return (
    <div className="grid gap-4">
      <Card title={t('title')} about={t('about')}>
        <div role="status">
          <RunCounts run={run} />
        </div>
        {isEmpty && (
          <div className="mt-4">
            <Notice kind="warn">{t('empty')}</Notice>
          </div>
        )}
        {isHeld && (
          <div className="mt-4">
            <Notice kind="warn">{t('wouldHold', { count: run.people_held })}</Notice>
          </div>
        )}
      </Card>
      {groups.map(({ id, changes }) => {
        const people = run.preview.filter(({ change }) => changes.includes(change))
        if (people.length === 0) return null
        const title = t(`${id}.title`, { count: people.length })
        return (
          <Card key={id} title={title} about={t(`${id}.about`)}>
            <PersonList
              label={title}
              people={people.map(({ external_id, address, teammate_id, change }) => ({
                id: `${change} ${external_id}`,
                address: address || external_id,
                teammateId: teammate_id,
                ...(unusual.includes(change) && { about: t(`changes.${change as 'missing'}`) }),
              }))}
            />
          </Card>
        )
      })}
      <RunProblems run={run} />
    </div>
  )
}
