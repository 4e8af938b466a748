// The settings of an integration as its form edits them: one flat list of values.
import type { Integration, IntegrationPatch } from '@signoff/sdk'
import type { KindValues } from '../connect/kind-fields.tsx'
import { type FieldName, kindOf } from '../kinds.ts'

/** The settings that every directory has, with the defaults of the API. */
export function directoryValuesOf({ settings }: Integration) {
  const { drives_teammates: drives, sync_minutes: minutes, grace_days: days } = settings
  return {
    drives_teammates: drives !== false,
    sync_minutes: minutes === null ? null : typeof minutes === 'number' ? minutes : 5,
    grace_days: typeof days === 'number' ? days : 7,
  }
}

interface IntegrationValues {
  readonly name: string
  readonly capabilities: Integration['capabilities']
  readonly drives_teammates: boolean
  readonly sync_minutes: number | null
  readonly grace_days: number
  /** The settings of the kind. */
  readonly own: KindValues
}

export const ownFieldsOf = ({ kind }: Integration) =>
  (kindOf(kind)?.fields ?? []).filter(({ part }) => part === 'settings')

export const valuesOfIntegration = (integration: Integration): IntegrationValues => ({
  name: integration.name,
  capabilities: integration.capabilities,
  ...directoryValuesOf(integration),
  own: Object.fromEntries(
    ownFieldsOf(integration).map(({ name, control }) => [
      name,
      integration.settings[name] ?? (control === 'list' || control === 'mails' ? [] : ''),
    ]),
  ) as KindValues,
})

const orDefault = (value: KindValues[FieldName]) =>
  value === undefined || value.length === 0 ? null : typeof value === 'string' ? value.trim() : value

/** Only what was changed. An empty setting of the kind goes back to its default. */
export function patchOfIntegration(
  integration: Integration,
  { name, capabilities, own, ...directory }: Partial<IntegrationValues>,
): IntegrationPatch {
  const stored = valuesOfIntegration(integration).own
  const changed = Object.entries(own ?? {}).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(stored[key as FieldName]),
  )
  const settings = {
    ...directory,
    ...Object.fromEntries(changed.map(([key, value]) => [key, orDefault(value)])),
  }
  return {
    ...(name !== undefined && { name }),
    ...(capabilities && { capabilities }),
    ...(Object.keys(settings).length > 0 && { settings }),
  }
}
