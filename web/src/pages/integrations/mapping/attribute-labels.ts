// Attributes by their names in the language of the dashboard. The API writes English; other names are shown as they are.
import type { IntegrationAttribute } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { fieldLabel } from '#api/field-labels.ts'

/** `Cost center` → `cost_center` */
const keyOf = (label: string): string => label.toLowerCase().replaceAll(/[^a-z]+/g, '_')

const attributesQuery = (integrationId: string) => ({
  queryKey: ['integrations', integrationId, 'attributes'],
  queryFn: () => api.integrations.attributes(integrationId),
})

function useAttributeLabel(): (label: string) => string {
  const t = useTranslations('integrations.attributes')
  return label => {
    const key = keyOf(label) as Parameters<typeof t.has>[0]
    // A label with a remark in brackets has the key of another one.
    return /^[\w ]+$/.test(label) && t.has(key) ? t(key as 'city') : fieldLabel(label)
  }
}

/** The attributes of a directory, named for people. */
export function useAttributes(integrationId: string) {
  const labelOf = useAttributeLabel()
  const named = (attribute: IntegrationAttribute) => ({ ...attribute, label: labelOf(attribute.label) })
  const query = useQuery(attributesQuery(integrationId))
  return { ...query, data: query.data?.map(named) }
}
