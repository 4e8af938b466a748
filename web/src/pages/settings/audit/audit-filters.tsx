import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { allRows } from '#api/lists.ts'
import { useCan } from '#api/session.ts'
import { useAuditActions, usePhraseOf } from '#records/audit/audit-messages.ts'
import { useAddressState } from '#state/address-state.ts'
import { Button } from '#ui/base/button.tsx'
import { ComboBox } from '#ui/form/combo-box.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'

export type AuditFilterName = 'who' | 'resource' | 'action' | 'since' | 'until' | 'id'

const keyPrefix = 'key:'

/** The filters in the address, as the API takes them. */
export const auditFiltersOf = ({
  who,
  resource,
  action,
  since,
  until,
  id,
}: Partial<Record<AuditFilterName, string>>) => ({
  ...(who?.startsWith(keyPrefix) ? { api_key_id: who.slice(keyPrefix.length) } : who && { member_id: who }),
  ...(action ? { action } : resource && { resource }),
  ...(since && { since }),
  ...(until && { until }),
  ...(id && { resource_id: id }),
})

/** Members and keys as options; who has left can still be reached by a link. */
function useActors(current: string) {
  const can = useCan()
  const t = useTranslations('settings.audit')
  const members = useQuery({
    queryKey: ['members', 'all'],
    queryFn: () => allRows(page => api.members.list(page)),
    enabled: can('members:read'),
  })
  const keys = useQuery({
    queryKey: ['api_keys', 'all'],
    queryFn: () => allRows(page => api.apiKeys.list(page)),
    enabled: can('api_keys:read'),
  })
  const options = [
    { id: 'all', label: t('anyone') },
    ...(members.data ?? []).map(({ id, name }) => ({ id, label: name, hint: '' })),
    ...(keys.data ?? []).map(({ id, name }) => ({ id: keyPrefix + id, label: name, hint: t('apiKey') })),
  ]
  const isKnown = current === '' || options.some(({ id }) => id === current)
  return isKnown ? options : [...options, { id: current, label: t('formerActor'), hint: '' }]
}

export function AuditFilters() {
  const t = useTranslations('settings.audit')
  const audit = useTranslations('audit')
  const phraseOf = usePhraseOf()
  const actions = useAuditActions()
  const [state, setState] = useAddressState<AuditFilterName>()
  const { who = '', resource = '', action = '', since = '', until = '', id } = state
  const actors = useActors(who)
  const isFiltered = Object.values({ who, resource, action, since, until, id }).some(Boolean)
  return (
    <div className="mb-4 grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-3">
      <ComboBox
        key={actors.length}
        label={t('who')}
        options={actors}
        value={who || 'all'}
        onChange={chosen => setState({ who: chosen === 'all' ? '' : chosen })}
      />
      <Select
        label={t('resource')}
        value={resource || 'all'}
        onChange={chosen => setState({ resource: chosen === 'all' ? '' : chosen, action: '' })}
        options={[
          { id: 'all', label: t('anything') },
          ...Object.keys(actions).map(type => ({ id: type, label: audit(`types.${type as 'signature'}`) })),
        ]}
      />
      <Select
        label={t('what')}
        value={action || 'all'}
        isDisabled={resource === ''}
        onChange={chosen => setState({ action: chosen === 'all' ? '' : chosen })}
        options={[
          { id: 'all', label: t('allActions') },
          ...Object.keys(actions[resource] ?? {}).map(verb => ({
            id: `${resource}.${verb}`,
            label: phraseOf(`${resource}.${verb}`),
          })),
        ]}
      />
      <TextField
        label={t('since')}
        type="date"
        value={since}
        onChange={value => setState({ since: value })}
      />
      <TextField
        label={t('until')}
        type="date"
        value={until}
        onChange={value => setState({ until: value })}
      />
      {isFiltered && (
        <Button
          variant="quiet"
          icon="x"
          className="justify-self-start"
          onPress={() => setState({ who: '', resource: '', action: '', since: '', until: '', id: '' })}
        >
          {t('clear')}
        </Button>
      )}
    </div>
  )
}
