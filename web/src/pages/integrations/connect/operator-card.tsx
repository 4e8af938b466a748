// Kinds whose addresses lie inside the own network: only the machine that runs the service connects them.
import { useTranslations } from 'use-intl'
import { LinkButton } from '#ui/button.tsx'
import { CopyField } from '#ui/copy-field.tsx'
import { Card } from '#ui/page.tsx'
import { kinds } from '../kinds.ts'
import { GuideLink } from '../parts/outer-link.tsx'
import { StepList } from '../parts/step-list.tsx'

const steps = ['one', 'two', 'three'] as const

export function OperatorCard({ kind }: { readonly kind: 'ldap' }) {
  const t = useTranslations('integrations')
  const { command = '', guide } = kinds[kind]
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-4">
      <Card title={t('operator.title')} about={t('operator.about')} actions={<GuideLink href={guide} />}>
        <div className="mb-5">
          <StepList steps={steps.map(step => ({ id: step, text: t(`kinds.${kind}.steps.${step}`) }))} />
        </div>
        <CopyField label={t('operator.command')} value={command} />
        <p className="mt-4 text-[0.8125rem] text-muted">{t('operator.after')}</p>
        <div className="mt-5 flex justify-end">
          <LinkButton to="/integrations">{t('back')}</LinkButton>
        </div>
      </Card>
    </div>
  )
}
