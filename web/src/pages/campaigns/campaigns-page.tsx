import { useTranslations } from 'use-intl'
import { Page } from '../../ui/page.tsx'

export default function CampaignsPage() {
  const t = useTranslations('campaigns')
  return <Page title={t('title')}>…</Page>
}
