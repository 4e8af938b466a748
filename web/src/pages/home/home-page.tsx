import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useChecklist } from '../../api/checklist.ts'
import { useCan, useMe } from '../../api/session.tsx'
import { Page } from '../../ui/page.tsx'
import { AttentionCard } from './attention-card.tsx'
import { CampaignsCard } from './campaigns-card.tsx'
import { ChangesCard } from './changes-card.tsx'
import { ChecklistCard } from './checklist-card.tsx'
import { NumbersCard } from './numbers-card.tsx'

/** Whether this browser shows the checklist of this workspace. */
function useDismissal(workspaceId: string): [boolean, () => void] {
  const key = `signoff.checklist.${workspaceId}`
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(key) === 'dismissed')
  const dismiss = () => {
    localStorage.setItem(key, 'dismissed')
    setDismissed(true)
  }
  return [isDismissed, dismiss]
}

function Dashboard() {
  const t = useTranslations('home')
  const { account, workspace } = useMe()
  const can = useCan()
  const { data: checklist } = useChecklist()
  const [isHiddenHere, dismiss] = useDismissal(workspace.id)
  const isDismissed = isHiddenHere || checklist?.isDismissed === true
  const showsChecklist = checklist?.next !== undefined && can('signatures:write') && !isDismissed
  const isLive = checklist?.done.publish ?? true
  return (
    <Page title={t('greeting', { name: account.name.split(' ')[0] ?? account.name })}>
      <div className="grid gap-4">
        {checklist && showsChecklist && <ChecklistCard checklist={checklist} onDismiss={dismiss} />}
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
