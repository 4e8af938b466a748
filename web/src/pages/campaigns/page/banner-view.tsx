import type { MarketingCampaignPreview } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { Notice } from '#ui/page.tsx'
import { SignatureFrame } from '#ui/signature-frame.tsx'

interface BannerViewProps {
  readonly name: string
  readonly preview: Pick<MarketingCampaignPreview, 'html' | 'warnings'> | undefined
}

/** A banner as it is sent, and what is wrong with it. */
export function BannerView({ name, preview }: BannerViewProps) {
  const t = useTranslations('campaigns.banner')
  if (!preview)
    return (
      <div className="rounded-xl border border-dashed border-edge/50 px-4 py-8 text-center text-muted">
        {t('none')}
      </div>
    )
  // Whether mail can be sent is said with the audience, in the language of the person.
  const warnings = preview.warnings.filter(({ code }) => code !== 'mail_unavailable')
  return (
    <div className="grid gap-2">
      <div className="overflow-hidden rounded-xl border border-line bg-white p-3">
        <SignatureFrame html={preview.html} title={t('preview', { name })} />
      </div>
      {warnings.map(({ code, message }) => (
        <Notice key={`${code}-${message}`} kind="warn">
          {code === 'missing_alt' ? t('missingAlt') : message}
        </Notice>
      ))}
    </div>
  )
}
