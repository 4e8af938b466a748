import { useTranslations } from 'use-intl'
import { Page } from '../../ui/page.tsx'

export default function ApprovalsPage() {
  const t = useTranslations('approvals')
  return <Page title={t('title')}>…</Page>
}
