import { useTranslations } from 'use-intl'
import { Page } from '../../ui/page.tsx'

export default function ImportPage() {
  const t = useTranslations('people')
  return <Page title={t('title')}>…</Page>
}
