import { useTranslations } from 'use-intl'
import { buttonClasses } from '#ui/base/button.tsx'
import { PathLink } from '#ui/base/text-link.tsx'
import { Page } from '#ui/layout/page.tsx'
import { CompanyStep } from './company-step.tsx'
import { DesignStep } from './design-step.tsx'
import { PeopleStep } from './people-step.tsx'
import { PublishStep } from './publish-step.tsx'
import { useIsSetUp, useStep } from './steps.ts'

const parts = { company: CompanyStep, people: PeopleStep, design: DesignStep, publish: PublishStep } as const

function AlreadySetUp() {
  const t = useTranslations('welcome')
  return (
    <Page title={t('setUpTitle')} about={t('setUpText')}>
      <div className="flex flex-wrap gap-2">
        <PathLink to="/" className={buttonClasses('primary')}>
          {t('published.toHome')}
        </PathLink>
        <PathLink to="/signatures" className={buttonClasses('secondary')}>
          {t('toSignatures')}
        </PathLink>
        <PathLink to="/welcome" search={{ step: 'company' }} className={buttonClasses('secondary')}>
          {t('again')}
        </PathLink>
      </div>
    </Page>
  )
}

export default function WelcomePage() {
  const [step] = useStep()
  const isSetUp = useIsSetUp()
  if (isSetUp) return <AlreadySetUp />
  const Step = parts[step]
  return <Step />
}
