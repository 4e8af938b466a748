// What a connected system is for: people, signatures, and whether it decides who there is.
import type { Integration } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { drivesTeammates } from '#api/integrations.ts'
import { Checkbox, Switch } from '#ui/form/choice.tsx'
import { Notice } from '#ui/layout/page.tsx'
import type { Capability, Kind } from '../kinds.ts'

/** The directory that decides who is a teammate, besides the given one. */
export const driverAmong = (all: readonly Integration[], except?: string): Integration | undefined =>
  all.find(integration => integration.id !== except && drivesTeammates(integration))

interface CapabilityChoiceProps {
  readonly kind: Kind
  readonly value: readonly Capability[]
  readonly onChange: (capabilities: readonly Capability[]) => void
  readonly isReadOnly?: boolean
}

/** Nothing to choose where a kind can do one thing only. */
export function CapabilityChoice({ kind, value, onChange, isReadOnly = false }: CapabilityChoiceProps) {
  const t = useTranslations('integrations.duties')
  if (kind.capabilities.length < 2) return null
  const toggle = (name: Capability, isSelected: boolean) =>
    onChange(
      kind.capabilities.filter(capability => (capability === name ? isSelected : value.includes(capability))),
    )
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-[0.8125rem] font-medium">{t('title')}</legend>
      {kind.capabilities.map(name => (
        <Checkbox
          key={name}
          isSelected={value.includes(name)}
          isDisabled={isReadOnly || (value.length === 1 && value.includes(name))}
          onChange={isSelected => toggle(name, isSelected)}
        >
          <span className="block font-medium">{t(`${name}.label`)}</span>
          <span className="block text-[0.8125rem] text-muted">{t(`${name}.hint`)}</span>
        </Checkbox>
      ))}
    </fieldset>
  )
}

interface DrivesSwitchProps {
  readonly value: boolean
  readonly onChange: (drives: boolean) => void
  /** Another directory that decides already. */
  readonly driver: Integration | undefined
  readonly isReadOnly?: boolean
}

export function DrivesSwitch({ value, onChange, driver, isReadOnly = false }: DrivesSwitchProps) {
  const t = useTranslations('integrations.duties')
  if (driver) return <Notice>{t('otherDrives', { name: driver.name })}</Notice>
  return (
    <Switch
      label={t('drives')}
      hint={t(value ? 'drivesHint' : 'drivesNotHint')}
      isSelected={value}
      onChange={onChange}
      isDisabled={isReadOnly}
    />
  )
}
