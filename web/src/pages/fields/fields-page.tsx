import { useTranslations } from 'use-intl'
import { Page } from '../../ui/page.tsx'

export default function FieldsPage() {
  const t = useTranslations('fields')
  return <Page title={t('title')}>…</Page>
}
