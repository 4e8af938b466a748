import { useTranslations } from 'use-intl'
import { Page } from '../../ui/page.tsx'

export default function AnalyticsPage() {
  const t = useTranslations('analytics')
  return <Page title={t('title')}>…</Page>
}
