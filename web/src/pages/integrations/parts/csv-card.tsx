import { useTranslations } from 'use-intl'
import { LinkButton } from '#ui/base/button.tsx'
import { Card } from '#ui/layout/page.tsx'
import { kinds } from '../kinds.ts'
import { GuideLink } from './outer-link.tsx'

const steps = ['one', 'two', 'three'] as const

/** Every file is a run: what to do with it. */
export function CsvCard({ hasButton = false }: { readonly hasButton?: boolean }) {
  const t = useTranslations('integrations.csv')
  return (
    <Card title={t('title')} about={t('about')} actions={<GuideLink href={kinds.csv.guide} />}>
      <ol className="grid list-decimal gap-2 ps-5">
        {steps.map(step => (
          <li key={step}>{t(step)}</li>
        ))}
      </ol>
      {hasButton && (
        <div className="mt-5">
          <LinkButton to="/people/import" variant="primary" icon="upload">
            {t('upload')}
          </LinkButton>
        </div>
      )}
    </Card>
  )
}
