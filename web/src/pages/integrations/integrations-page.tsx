import { useTranslations } from 'use-intl'
import { Page } from '../../ui/page.tsx'

export default function IntegrationsPage() {
  const t = useTranslations('integrations')
  return <Page title={t('title')}>…</Page>
}
