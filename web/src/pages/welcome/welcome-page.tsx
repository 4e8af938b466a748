import { useTranslations } from 'use-intl'
import { Page } from '../../ui/page.tsx'

export default function WelcomePage() {
  const t = useTranslations('welcome')
  return <Page title={t('title')}>…</Page>
}
