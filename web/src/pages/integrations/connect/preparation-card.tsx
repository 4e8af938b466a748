// What an admin does in the other system before the form: each step with its link, and with what is pasted there.
import { useTranslations } from 'use-intl'
import { CopyField } from '#ui/copy-field.tsx'
import { Card } from '#ui/page.tsx'
import { type Capability, type KindName, kinds, type Preparation } from '../kinds.ts'
import { GuideLink, OuterLink } from '../parts/outer-link.tsx'
import { StepList } from '../parts/step-list.tsx'
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
      <StepList
        steps={preparations.map(step => ({
          id: step.id,
          text: (
            <>
              {textOf(step)} {step.link && <OuterLink href={step.link}>{t('prepare.openPage')}</OuterLink>}
            </>
          ),
          extra: step.copies && (
            <div className="grid w-full gap-2">
              {clientId !== undefined && <CopyField label={t('prepare.clientId')} value={clientId} />}
              <CopyField label={t(`kinds.${prepared}.prepare.copies`)} value={step.copies(capabilities)} />
            </div>
          ),
        }))}
      />
    </Card>
  )
}
