import { useTranslations } from 'use-intl'
import { Page } from '../../ui/page.tsx'

export default function RecipientsPage() {
  const t = useTranslations('signatures')
  return <Page title={t('title')}>…</Page>
}
