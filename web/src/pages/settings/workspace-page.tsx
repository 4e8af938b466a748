import type { Workspace, WorkspacePatch } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { meQuery, useCan } from '#api/session.tsx'
import { useResource } from '#state/use-resource.ts'
import { ResourceForm } from '#ui/form/resource-form.tsx'
import { Notice } from '#ui/layout/page.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { CompanyCard } from './workspace/company-card.tsx'
import { PagesCard } from './workspace/pages-card.tsx'
import { TrackingCard } from './workspace/tracking-card.tsx'

type Changes = Partial<Workspace>

/** The switch of tracking is an object in the answer and in the request; only what can be changed is sent. */
const patchOf = ({ event_tracking, ...rest }: Changes): WorkspacePatch => ({
  ...(rest as WorkspacePatch),
  ...(event_tracking && { event_tracking: { enabled: event_tracking.enabled } }),
})

function WorkspaceForm() {
  const t = useTranslations('settings.workspace')
  const can = useCan()
  const isReadOnly = !can('workspace:write')
  const resource = useResource({
    queryKey: ['workspace'],
    read: () => api.workspace.get(),
    save: (patch: WorkspacePatch, options) => api.workspace.update(patch, options),
    onSaved: () => void queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
    valuesOf: (workspace: Workspace) => workspace,
    toPatch: patchOf,
    labelOf: key => t(`fields.${key as 'name'}`),
    textOf: value => {
      if (Array.isArray(value)) return value.join(', ') || t('none')
      if (typeof value === 'boolean') return value ? t('on') : t('off')
      if (typeof value === 'object' && value !== null && 'enabled' in value)
        return value.enabled ? t('on') : t('off')
      if (value === 'required') return t('approvalRequired')
      return value === null || value === '' ? t('none') : String(value)
    },
  })
  const parts = { draft: resource.draft, change: resource.change, isReadOnly }
  return (
    <ResourceForm resource={resource}>
      {isReadOnly && <Notice>{t('readOnly')}</Notice>}
      <CompanyCard {...parts} />
      <TrackingCard {...parts} />
      <PagesCard {...parts} />
    </ResourceForm>
  )
}

export default function WorkspaceSettingsPage() {
  return (
    <SettingsFrame section="workspace">
      <WorkspaceForm />
    </SettingsFrame>
  )
}
