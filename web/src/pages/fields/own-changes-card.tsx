// Out of the box people change nothing of their own. This offers what most companies want, by one button.
import type { SmartField } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { useCan } from '#api/session.tsx'
import { saveOverSeen } from '#state/use-edit.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/page.tsx'
import { useAction } from '#ui/use-action.ts'

const usualKeys = ['work_phone', 'mobile_phone', 'profile_picture']

const allow = (field: SmartField) =>
  saveOverSeen({
    seen: field,
    patch: { editable_by_owner: true },
    read: () => api.smartFields.get(field.id),
    save: (patch, options) => api.smartFields.update(field.id, patch, options),
  })

/** Shown until people can change something. */
export function OwnChangesCard({ fields }: { readonly fields: readonly SmartField[] }) {
  const t = useTranslations('fields.ownChanges')
  const can = useCan()
  const usual = fields.filter(({ key, integration_id }) => usualKeys.includes(key) && integration_id === null)
  const change = useAction(() => queryClient.invalidateQueries({ queryKey: ['smart_fields'] }), {
    run: () => Promise.all(usual.map(allow)),
    done: () => t('done'),
  })
  if (!can('smart_fields:write') || usual.length === 0 || fields.some(field => field.editable_by_owner))
    return null
  return (
    <div className="mb-5">
      <Card
        title={t('title')}
        about={t('about', { fields: usual.map(({ label }) => label).join(', ') })}
        actions={
          <Button isPending={change.isPending} onPress={() => change.mutate()}>
            {t('allow')}
          </Button>
        }
      />
    </div>
  )
}
