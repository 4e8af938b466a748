// Which attribute of a directory fills which smart field. Each change is saved at once.
import type { IntegrationAttribute, SmartField } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { saveOverSeen } from '#state/use-edit.ts'
import { useAction } from '#ui/feedback/use-action.ts'
import { useAttributes } from './attribute-labels.ts'

export const photoPath = 'photo'

const refresh = () => readAgain('integrations', 'smart_fields', 'teammates')

const mapField = (field: SmartField, integrationId: string | null, attribute: string | null) =>
  saveOverSeen({
    seen: { integration_id: field.integration_id, integration_attribute: field.integration_attribute },
    patch: { integration_id: integrationId, integration_attribute: attribute },
    read: () => api.smartFields.get(field.id),
    save: (patch, options) => api.smartFields.update(field.id, patch, options),
  })

export interface MappingChange {
  readonly attribute: IntegrationAttribute
  /** The field that it fills from now on; null: none. */
  readonly field: SmartField | null
  /** The field that it has filled so far. */
  readonly before: SmartField | null
}

const canBeMapped = ({ key, default: isBuiltIn }: SmartField): boolean => !(isBuiltIn && key === 'email')

/** Pictures come from the photo, all other values from the other attributes. */
export const fitsAttribute = (field: SmartField, { attribute }: IntegrationAttribute): boolean =>
  canBeMapped(field) && (field.kind === 'image') === (attribute === photoPath)

export function useMapping(id: string) {
  const t = useTranslations('integrations.mapping')
  const attributes = useAttributes(id)
  const { data: fields = [] } = useQuery(smartFieldsQuery)
  const fieldOf = (fieldId: string | null) => fields.find(field => field.id === fieldId)
  const suggestions = (attributes.data ?? []).flatMap(attribute => {
    const field = fieldOf(attribute.suggested_smart_field_id)
    return field && attribute.smart_field_ids.length === 0 ? [{ attribute, field }] : []
  })
  const change = useAction<MappingChange>(refresh, {
    run: async ({ attribute, field, before }) => {
      if (before) await mapField(before, null, null)
      if (field) await mapField(field, id, attribute.attribute)
    },
    done: (_, { field, before, attribute }) =>
      field
        ? t('saved', { field: field.label, attribute: attribute.label })
        : t('ended', { field: before?.label ?? '' }),
  })
  const takeAll = useAction(refresh, {
    run: async () => {
      for (const { attribute, field } of suggestions) await mapField(field, id, attribute.attribute)
      return suggestions.length
    },
    done: count => t('savedAll', { count: Number(count) }),
  })
  return { attributes, fields, fieldOf, suggestions, change, takeAll }
}

export type MappingState = ReturnType<typeof useMapping>
