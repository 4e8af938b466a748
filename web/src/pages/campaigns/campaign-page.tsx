import { useTranslations } from 'use-intl'
import { Page } from '../../ui/page.tsx'

export default function CampaignPage() {
  const t = useTranslations('campaigns')
  return <Page title={t('title')}>…</Page>
}
