import { useTranslations } from 'use-intl'
import { Steps } from '#ui/layout/steps.tsx'

const setupSteps = ['enter', 'test', 'map', 'sync'] as const

/** The steps of the set-up, with the current one. */
export const SetupSteps = ({ current }: { readonly current: (typeof setupSteps)[number] }) => {
  const t = useTranslations('integrations.setup')
  return <Steps steps={setupSteps.map(id => ({ id, label: t(`steps.${id}`) }))} current={current} hasChecks />
}
