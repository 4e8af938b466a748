import { useTranslations } from 'use-intl'
import { Page } from '../../ui/page.tsx'

export default function InstallationsPage() {
  const t = useTranslations('installations')
  return <Page title={t('title')}>…</Page>
}
