import { Navigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useChecklist } from '#api/checklist.ts'
import { useCan, useMe } from '#api/session.tsx'
import { Page } from '#ui/layout/page.tsx'
import { AttentionCard } from './attention-card.tsx'
import { CampaignsCard } from './campaigns-card.tsx'
import { ChangesCard } from './changes-card.tsx'
import { ChecklistCard, useVisibleSteps } from './checklist-card.tsx'
import { NumbersCard } from './numbers-card.tsx'

function Dashboard() {
  const t = useTranslations('home')
  const { account } = useMe()
  const can = useCan()
  const { data: checklist } = useChecklist()
  const steps = useVisibleSteps()
  const isDismissed = checklist?.isDismissed === true
  const isComplete = steps.every(step => checklist?.done[step])
  const showsChecklist = !isComplete && can('signatures:write') && !isDismissed
  const isLive = checklist?.done.publish ?? true
  return (
    <Page title={t('greeting', { name: account.name.split(' ')[0] ?? account.name })}>
      <div className="grid gap-4">
        {checklist && showsChecklist && <ChecklistCard checklist={checklist} />}
        {(isLive || isDismissed) && (
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <div className="grid min-w-0 gap-4">
              <AttentionCard />
              <NumbersCard />
            </div>
            <div className="grid min-w-0 gap-4">
              <CampaignsCard />
              {can('audit_log:read') && <ChangesCard />}
            </div>
          </div>
        )}
      </div>
    </Page>
  )
}

/** Members have no work here: their page is their own signature. */
export default function HomePage() {
  return useMe().member.role === 'member' ? <Navigate to={'/me' as string} replace /> : <Dashboard />
}
