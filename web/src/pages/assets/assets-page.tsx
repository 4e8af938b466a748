import { useTranslations } from 'use-intl'
import { Page } from '../../ui/page.tsx'

export default function AssetsPage() {
  const t = useTranslations('assets')
  return <Page title={t('title')}>…</Page>
}
