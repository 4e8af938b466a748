// How many addresses see which of the compared banners, in percent.
import { useState } from 'react'
import { Input } from 'react-aria-components/Input'
import { NumberField } from 'react-aria-components/NumberField'
import { useTranslations } from 'use-intl'
import { useCampaignAction } from '#records/campaigns/campaign-data.ts'
import { Button } from '#ui/base/button.tsx'
import { classes, controlFrame } from '#ui/base/classes.ts'
import { EditProblem } from '#ui/feedback/edit-problem.tsx'
import { Label } from '#ui/form/field.tsx'
import { Notice } from '#ui/layout/page.tsx'
import { percentsOf } from '../banner/shares.ts'
import { useCampaignEdit } from '../use-campaign.ts'
import type { CampaignCardProps } from './audience-card.tsx'

export function SharesForm({ campaign, isEditable }: CampaignCardProps) {
  const t = useTranslations('campaigns.banner')
  const { variants } = campaign
  const stored = percentsOf(variants.map(({ weight }) => weight))
  const [edited, setShares] = useState<readonly number[]>()
  const shares = edited?.length === stored.length ? edited : stored
  const sum = shares.reduce((total, share) => total + share, 0)
  const isChanged = shares.some((share, index) => share !== stored[index])
  const discard = () => setShares(undefined)
  const save = useCampaignEdit(campaign, { isDirty: edited !== undefined, onDiscard: discard })
  const saving = useCampaignAction({
    run: () => save({ variants: variants.map((each, index) => ({ ...each, weight: shares[index] ?? 0 })) }),
    done: () => t('sharesSaved'),
    after: discard,
    showsError: true,
  })
  return (
    <div className="mt-5 grid gap-3 border-t border-line pt-5">
      <div className="flex flex-wrap gap-3">
        {variants.map(({ id, name }, index) => (
          <NumberField
            key={id}
            minValue={0}
            maxValue={100}
            step={1}
            value={shares[index] ?? 0}
            onChange={value =>
              setShares(shares.map((share, at) => (at === index ? Math.round(value || 0) : share)))
            }
            isDisabled={!isEditable}
            className="w-28"
          >
            <Label>{t('share', { name })}</Label>
            <Input className={classes(controlFrame, 'text-end tabular-nums')} />
          </NumberField>
        ))}
      </div>
      {sum !== 100 && (
        <div role="status">
          <Notice kind="warn">{t('sharesSum', { sum })}</Notice>
        </div>
      )}
      <EditProblem
        error={saving.error}
        isPending={saving.isPending}
        onRetry={() => saving.mutate()}
        onReset={saving.reset}
      />
      {isEditable && isChanged && (
        <div>
          <Button
            variant="primary"
            isSmall
            isDisabled={sum !== 100}
            isPending={saving.isPending}
            onPress={() => saving.mutate()}
          >
            {t('saveShares')}
          </Button>
        </div>
      )}
    </div>
  )
}
