import { useTranslations } from 'use-intl'
import { Page } from '../../ui/page.tsx'

export default function HomePage() {
  const t = useTranslations('home')
  return <Page title={t('title')}>…</Page>
}
