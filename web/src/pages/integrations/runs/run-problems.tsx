// The problems of a run by their kind, each with the person and what to do.
import type { SyncRun } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { allRows } from '#api/lists.ts'
import { Card, Notice } from '#ui/layout/page.tsx'
import { useAttributes } from '../mapping/attribute-labels.ts'
import { PersonList } from './person-list.tsx'

type Problem = SyncRun['problems'][number]
const kinds = ['held', 'no_seat', 'conflict', 'unusable'] as const

/** The sentence of the API about a person; sentences that are always the same are translated. */
function useProblemAbout(run: SyncRun): (problem: Problem) => string {
  const t = useTranslations('integrations.problems')
  const groupName = useGroupNames(run)
  const { data: attributes = [] } = useAttributes(run.integration_id)
  const labelOf = (path: string) => attributes.find(({ attribute }) => attribute === path)?.label ?? path
  return ({ kind, field, message, integration_entity_id: group }) => {
    if (kind === 'held' && group !== null) return t('leavesGroup', { group: groupName(group) ?? '…' })
    if (kind === 'held') return t(message.startsWith('Suspended') ? 'suspended' : 'missing')
    if (kind === 'no_seat') return t('noSeat')
    const [, quoted] = /“(.*)”/.exec(message) ?? []
    if (kind === 'unusable' && quoted !== undefined && field !== null) {
      if (field === 'address') return quoted === '' ? t('noAddress') : t('badAddress', { value: quoted })
      return t('badValue', { value: quoted, field: labelOf(field) })
    }
    const [, taken] = /^(\S+@\S+) belongs to another person/.exec(message) ?? []
    return taken === undefined ? message : t('taken', { address: taken })
  }
}

function useGroupNames(run: SyncRun): (id: string) => string | undefined {
  const hasGroups = run.problems.some(({ integration_entity_id }) => integration_entity_id !== null)
  const { data = [] } = useQuery({
    queryKey: ['integrations', run.integration_id, 'entities'],
    queryFn: () =>
      allRows(page => api.integrationEntities.list({ ...page, integration_id: run.integration_id })),
    enabled: hasGroups,
  })
  return id => data.find(group => group.id === id)?.name
}

/** Members of groups are named by their ids only. */
function useAddresses(problems: readonly Problem[]): (problem: Problem) => string {
  const t = useTranslations('integrations.problems')
  const nameless = problems.flatMap(({ address, teammate_id }) =>
    address === null && teammate_id !== null ? [teammate_id] : [],
  )
  const ids = [...new Set(nameless)].slice(0, 50)
  const { data } = useQuery({
    queryKey: ['teammates', 'addresses', ids],
    queryFn: async () =>
      new Map(
        await Promise.all(
          ids.map(async id => [id, (await api.teammates.get(id).catch(() => null))?.email] as const),
        ),
      ),
    enabled: ids.length > 0,
  })
  return ({ address, teammate_id, external_id }) =>
    address || (teammate_id !== null && data?.get(teammate_id)) || external_id || t('unknownPerson')
}

function ProblemCard({
  run,
  kind,
  problems,
}: {
  run: SyncRun
  kind: Problem['kind']
  problems: readonly Problem[]
}) {
  const t = useTranslations('integrations.problems')
  const aboutOf = useProblemAbout(run)
  const addressOf = useAddresses(problems)
  const isDecided = kind === 'held' && run.status !== 'held'
  const title = t(isDecided ? 'held.decidedTitle' : `${kind}.title`, { count: problems.length })
  return (
    <Card title={title} about={isDecided ? t('held.decided') : t(`${kind}.about`)}>
      <PersonList
        label={title}
        people={problems.map((problem, index) => ({
          id: `${index} ${problem.external_id}`,
          address: addressOf(problem),
          teammateId: problem.teammate_id,
          about: aboutOf(problem),
        }))}
      />
    </Card>
  )
}

export function RunProblems({ run }: { readonly run: SyncRun }) {
  const t = useTranslations('integrations.problems')
  const listed = run.problems.filter(({ kind }) => kind !== 'held').length
  return (
    <>
      {kinds.map(kind => {
        const problems = run.problems.filter(problem => problem.kind === kind)
        return problems.length > 0 && <ProblemCard key={kind} {...{ run, kind, problems }} />
      })}
      {run.problem_count > listed && <Notice>{t('more', { count: run.problem_count - listed })}</Notice>}
    </>
  )
}
