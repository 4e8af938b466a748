import type { Integration, IntegrationAttribute, SmartField } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { integrationListQuery } from '#api/integrations.ts'
import { useCan } from '#api/session.ts'
import { Button } from '#ui/base/button.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { SearchField } from '#ui/form/field.tsx'
import { LoadError, Notice, Skeleton } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { MappingRow } from './mapping-row.tsx'
import { fitsAttribute, type MappingChange, type MappingState, useMapping } from './use-mapping.ts'

const NewFieldDialog = onDemand(() => import('./new-field-dialog.tsx'))

/** More attributes are found by typing. */
const searchedFrom = 15

/** Attributes that people have, or that fit a field: the others are shown on request. */
const isUseful = ({
  people_count,
  smart_field_ids,
  suggested_smart_field_id,
}: IntegrationAttribute): boolean =>
  people_count > 0 || smart_field_ids.length > 0 || suggested_smart_field_id !== null

const matches = ({ label, attribute, examples }: IntegrationAttribute, text: string): boolean =>
  [label, attribute, ...examples].some(part => part.toLowerCase().includes(text.trim().toLowerCase()))

function Suggestions({ mapping }: { readonly mapping: MappingState }) {
  const t = useTranslations('integrations.mapping')
  const { suggestions, takeAll } = mapping
  if (suggestions.length === 0) return null
  return (
    <Notice>
      <p className="font-medium">{t('suggestions', { count: suggestions.length })}</p>
      <p className="mt-0.5">{suggestions.map(({ field }) => field.label).join(', ')}</p>
      <Button
        isSmall
        variant="primary"
        className="mt-2.5"
        isPending={takeAll.isPending}
        onPress={() => takeAll.mutate()}
      >
        {t('takeAll')}
      </Button>
    </Notice>
  )
}

interface TakeoverProps {
  readonly change: MappingChange
  readonly source: string
  /** True if the source is another value of the same directory. */
  readonly isOwn: boolean
  readonly name: string
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** A field has one source: the other one is asked about. */
function TakeoverQuestion({ change, source, isOwn, name, onConfirm, onClose }: TakeoverProps) {
  const t = useTranslations('integrations.mapping')
  const field = change.field?.label ?? ''
  return (
    <ConfirmDialog
      title={t('takeoverTitle', { field })}
      onClose={onClose}
      action={t('takeover')}
      isDangerous={false}
      onConfirm={onConfirm}
    >
      {t(isOwn ? 'takeoverOwn' : 'takeoverText', { field, source, name, attribute: change.attribute.label })}
    </ConfirmDialog>
  )
}

export function MappingList({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations.mapping')
  const can = useCan()
  const mapping = useMapping(integration.id)
  const { attributes, fields, fieldOf, change } = mapping
  const { data: connected = [] } = useQuery(integrationListQuery)
  const [search, setSearch] = useState('')
  const [showsAll, setShowsAll] = useState(false)
  const [created, setCreated] = useState<IntegrationAttribute>()
  const [takeover, setTakeover] = useState<MappingChange>()
  const isReadOnly = !can('smart_fields:write')
  const attributeLabel = (path: string | null) =>
    attributes.data?.find(({ attribute }) => attribute === path)?.label ?? path ?? ''
  const sourceOf = ({ integration_id, integration_attribute }: SmartField): string | undefined => {
    if (integration_id === null) return undefined
    if (integration_id === integration.id) return attributeLabel(integration_attribute)
    return connected.find(({ id }) => id === integration_id)?.name ?? t('otherSource')
  }
  if (attributes.error)
    return <LoadError error={attributes.error} onRetry={() => void attributes.refetch()} />
  if (!attributes.data) return <Skeleton lines={8} />
  const all = attributes.data
  const useful = all.filter(isUseful)
  const listed = showsAll || search !== '' ? all : useful
  const rows = listed.filter(attribute => matches(attribute, search))
  const choose = (attribute: IntegrationAttribute, field: SmartField | null) => {
    const assignment = { attribute, field, before: fieldOf(attribute.smart_field_ids[0] ?? null) ?? null }
    if (field && field.integration_id !== null) setTakeover(assignment)
    else change.mutate(assignment)
  }
  return (
    <div className="grid gap-4">
      {!isReadOnly && <Suggestions mapping={mapping} />}
      {all.length > searchedFrom && (
        <SearchField label={t('search')} value={search} onChange={setSearch} className="max-w-sm" />
      )}
      <ul className="divide-y divide-line">
        {rows.map(attribute => (
          <MappingRow
            key={attribute.attribute}
            attribute={attribute}
            options={fields.filter(field => fitsAttribute(field, attribute))}
            mapped={attribute.smart_field_ids.flatMap(id => fieldOf(id) ?? [])}
            sourceOf={sourceOf}
            isReadOnly={isReadOnly}
            isPending={change.isPending || mapping.takeAll.isPending}
            onChoose={field => choose(attribute, field)}
            onCreate={() => setCreated(attribute)}
          />
        ))}
      </ul>
      {rows.length === 0 && <p className="text-muted">{search === '' ? t('empty') : t('notFound')}</p>}
      {search === '' && listed.length < all.length && (
        <div>
          <Button isSmall variant="quiet" icon="chevron-down" onPress={() => setShowsAll(true)}>
            {t('showAll', { count: all.length - listed.length })}
          </Button>
        </div>
      )}
      {created && (
        <NewFieldDialog
          integrationId={integration.id}
          attribute={created}
          onClose={() => setCreated(undefined)}
        />
      )}
      {takeover?.field && (
        <TakeoverQuestion
          change={takeover}
          source={sourceOf(takeover.field) ?? ''}
          isOwn={takeover.field.integration_id === integration.id}
          name={integration.name}
          onConfirm={() => {
            change.mutate(takeover)
            setTakeover(undefined)
          }}
          onClose={() => setTakeover(undefined)}
        />
      )}
    </div>
  )
}
