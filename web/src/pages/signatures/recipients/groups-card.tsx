import type { IntegrationEntity, RecipientSelection } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { useSignatureAction } from '#records/signatures/signature-data.ts'
import { Checkbox } from '#ui/form/choice.tsx'
import { SearchField } from '#ui/form/field.tsx'
import { Card, LoadError } from '#ui/layout/page.tsx'

/** More are found by the search alone. */
const shownGroups = 50
const readGroups = 2_000

export const groupsQuery = {
  queryKey: ['integrations', 'entities'] as const,
  queryFn: async (): Promise<IntegrationEntity[]> => {
    const entities: IntegrationEntity[] = []
    for await (const entity of api.integrationEntities.list({ limit: 100 })) {
      entities.push(entity)
      if (entities.length >= readGroups) break
    }
    return entities
  },
  staleTime: 60_000,
}

interface GroupsCardProps {
  readonly signatureId: string
  readonly selection: RecipientSelection
}

/** Org units and groups of a connected directory. Without a directory there is nothing to choose, and no card. */
export function GroupsCard({ signatureId, selection }: GroupsCardProps) {
  const t = useTranslations('signatures')
  const can = useCan()
  const [search, setSearch] = useState('')
  const { data: groups = [], error, refetch } = useQuery({ ...groupsQuery, enabled: can('signatures:write') })
  const change = useSignatureAction<{ readonly id: string; readonly isOn: boolean }>({
    run: ({ id, isOn }) =>
      isOn
        ? api.signatures.entities.add(signatureId, { integration_entity_ids: [id] })
        : api.signatures.entities.remove(signatureId, id),
    done: () => t('recipientsSaved'),
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (groups.length === 0) return null
  const chosen = new Set(selection.integration_entity_ids)
  const query = search.trim().toLowerCase()
  const matches = groups
    .filter(({ name }) => name.toLowerCase().includes(query))
    .toSorted((a, b) => Number(chosen.has(b.id)) - Number(chosen.has(a.id)))
  return (
    <Card title={t('groupsTitle')} about={t('groupsAbout')} className="lg:row-span-2">
      {groups.length > 8 && (
        <SearchField label={t('searchGroups')} value={search} onChange={setSearch} className="mb-3" />
      )}
      <ul className="grid max-h-64 gap-1 overflow-y-auto">
        {matches.slice(0, shownGroups).map(({ id, name, sub_kind, teammates_count }) => (
          <li key={id} className="flex items-center justify-between gap-3 py-1">
            <Checkbox
              isSelected={chosen.has(id)}
              onChange={isOn => change.mutate({ id, isOn })}
              isDisabled={!can('signatures:write') || change.isPending}
            >
              {name}
            </Checkbox>
            <span className="shrink-0 text-xs text-muted">
              {t(sub_kind === 'group' ? 'groupSize' : 'unitSize', { count: teammates_count })}
            </span>
          </li>
        ))}
      </ul>
      {matches.length > shownGroups && (
        <p className="mt-2 text-xs text-muted">{t('moreGroups', { count: matches.length - shownGroups })}</p>
      )}
    </Card>
  )
}
