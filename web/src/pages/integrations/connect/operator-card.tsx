// Kinds whose addresses lie inside the own network: only the machine that runs the service connects them.
import { useTranslations } from 'use-intl'
import { LinkButton } from '../../../ui/button.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { Card } from '../../../ui/page.tsx'
import { kinds } from '../kinds.ts'
import { GuideLink } from '../parts/outer-link.tsx'

const steps = ['one', 'two', 'three'] as const

export function OperatorCard({ kind }: { readonly kind: 'ldap' }) {
  const t = useTranslations('integrations')
  const { command = '', guide } = kinds[kind]
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-4">
      <Card title={t('operator.title')} about={t('operator.about')} actions={<GuideLink href={guide} />}>
        <ol className="mb-5 grid gap-3">
          {steps.map((step, index) => (
            <li key={step} className="flex gap-3">
              <span
                aria-hidden="true"
                className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
              >
                {index + 1}
              </span>
              <p className="min-w-0 flex-1 pt-0.5">{t(`kinds.${kind}.steps.${step}`)}</p>
            </li>
          ))}
        </ol>
        <CopyField label={t('operator.command')} value={command} />
        <p className="mt-4 text-[0.8125rem] text-muted">{t('operator.after')}</p>
        <div className="mt-5 flex justify-end">
          <LinkButton to="/integrations">{t('back')}</LinkButton>
        </div>
      </Card>
    </div>
  )
}
