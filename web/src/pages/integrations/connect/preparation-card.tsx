// What an admin does in the other system before the form: each step with its link, and with what is pasted there.
import { useTranslations } from 'use-intl'
import { CopyField } from '../../../ui/copy-field.tsx'
import { Card } from '../../../ui/page.tsx'
import { type Capability, type KindName, kinds, type Preparation } from '../kinds.ts'
import { GuideLink, OuterLink } from '../parts/outer-link.tsx'
import { isNeeded } from './kind-fields.tsx'

interface PreparationCardProps {
  readonly kind: KindName
  readonly capabilities: readonly Capability[]
  /** Of the key file, once it is chosen. */
  readonly clientId: string | undefined
}

/** Kinds whose admins have something to do before they connect. */
type PreparedKind = 'google_workspace' | 'microsoft_365' | 'smtp_relay'

export function PreparationCard({ kind, capabilities, clientId }: PreparationCardProps) {
  const t = useTranslations('integrations')
  const { preparations: all, guide } = kinds[kind]
  const preparations = all.filter(step => isNeeded(step, capabilities))
  if (preparations.length === 0) return null
  const prepared = kind as PreparedKind
  const textOf = ({ id }: Preparation) => t(`kinds.${prepared}.prepare.${id as 'one'}`)
  return (
    <Card
      title={
        kind === 'smtp_relay'
          ? t('prepare.relayTitle')
          : t('prepare.title', { name: t(`kinds.${kind}.title`) })
      }
      about={t(`kinds.${prepared}.prepare.about`)}
      actions={<GuideLink href={guide} />}
    >
      <ol className="grid gap-5">
        {preparations.map((step, index) => (
          <li key={step.id} className="flex gap-3">
            <span
              aria-hidden="true"
              className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
            >
              {index + 1}
            </span>
            <div className="grid min-w-0 flex-1 gap-2 pt-0.5">
              <p>
                {textOf(step)} {step.link && <OuterLink href={step.link}>{t('prepare.openPage')}</OuterLink>}
              </p>
              {step.copies && clientId !== undefined && (
                <CopyField label={t('prepare.clientId')} value={clientId} />
              )}
              {step.copies && (
                <CopyField label={t(`kinds.${prepared}.prepare.copies`)} value={step.copies(capabilities)} />
              )}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}
