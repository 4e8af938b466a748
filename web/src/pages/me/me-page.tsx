import { useTranslations } from 'use-intl'
import { Page } from '../../ui/page.tsx'

export default function MePage() {
  const t = useTranslations('me')
  return <Page title={t('title')}>…</Page>
}
