// A new campaign: name, banner, signatures and times in one dialog. It becomes a draft that is started on its page.
import type { Asset } from '@signoff/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useMe } from '#api/session.ts'
import { campaignPath, refreshCampaigns } from '#records/campaigns/campaign-data.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { Checkbox } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { BannerFields } from '../banner/banner-fields.tsx'
import { type BannerDraft, contentOfBanner, emptyBanner } from '../banner/banner-model.ts'
import { isScheduleWrong, type ScheduleDraft, timesOfSchedule } from '../schedule-draft.ts'
import { ScheduleFields } from '../schedule-fields.tsx'
import { SignatureChoice } from '../signature-choice.tsx'

export default function NewCampaign({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('campaigns')
  const { workspace } = useMe()
  const navigate = useNavigate()
  const [banner, setBanner] = useState<BannerDraft>(emptyBanner)
  const [asset, setAsset] = useState<Asset>()
  const [isDesigned, setDesigned] = useState(false)
  const [signatures, setSignatures] = useState<readonly string[] | null>(null)
  const [schedule, setSchedule] = useState<ScheduleDraft>({
    start: null,
    end: null,
    timeZone: workspace.time_zone,
  })
  const create = (form: FormData) =>
    api.marketingCampaigns.create({
      name: String(form.get('name')),
      content: isDesigned ? null : contentOfBanner(banner, asset, null),
      signature_template_ids: [...(signatures ?? [])],
      ...timesOfSchedule(schedule),
    })
  return (
    <FormDialog
      title={t('newTitle')}
      onClose={onClose}
      isModalOnly
      className="grid gap-6"
      onSubmit={create}
      onDone={campaign => {
        toast(t('created', { name: campaign.name }))
        void refreshCampaigns()
        void navigate({ to: `${campaignPath(campaign.id)}${isDesigned ? '/edit' : ''}` })
      }}
      action={t('create')}
      isDisabled={isScheduleWrong(schedule) || signatures?.length === 0}
    >
      <TextField name="name" label={t('name')} hint={t('nameHint')} isRequired maxLength={200} autoFocus />
      <Part title={t('banner.title')}>
        <Checkbox isSelected={isDesigned} onChange={setDesigned}>
          {t('banner.designNext')}
        </Checkbox>
        {!isDesigned && (
          <div className="mt-4">
            <BannerFields
              value={banner}
              onChange={(draft, chosen) => {
                setBanner(draft)
                if (chosen) setAsset(chosen)
              }}
            />
          </div>
        )}
      </Part>
      <Part title={t('audience.title')}>
        <SignatureChoice value={signatures} onChange={setSignatures} />
        <p className="mt-2 text-[0.8125rem] text-muted">{t('audience.later')}</p>
      </Part>
      <Part title={t('schedule.title')}>
        <ScheduleFields value={schedule} onChange={setSchedule} />
      </Part>
    </FormDialog>
  )
}

const Part = ({ title, children }: { readonly title: string; readonly children: React.ReactNode }) => (
  <section className="border-t border-line pt-5">
    <h3 className="mb-3 text-sm font-semibold">{title}</h3>
    {children}
  </section>
)
