// What can be connected, step by step, and what comes later.
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Badge } from '../../ui/page.tsx'
import { type AvailableKind, comingIcons, comingKinds, connectCommands, guides, kindIcons } from './kinds.ts'

const steps = ['one', 'two', 'three'] as const

function ConnectDialog({
  kind,
  isOpen,
  onClose,
}: {
  kind: AvailableKind
  isOpen: boolean
  onClose: () => void
}) {
  const t = useTranslations('integrations')
  return (
    <Dialog title={t('connectTitle', { name: t(`kinds.${kind}.title`) })} isOpen={isOpen} onClose={onClose}>
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
      <CopyField label={t('command')} value={connectCommands[kind]} />
      <a
        href={guides[kind]}
        target="_blank"
        rel="noreferrer"
        className="mt-4 inline-flex items-center gap-1 font-medium text-accent hover:underline"
      >
        <Icon name="book-open" size={14} />
        {t('guide')}
      </a>
    </Dialog>
  )
}

export function OfferCard({
  kind,
  isConnected,
}: {
  readonly kind: AvailableKind
  readonly isConnected: boolean
}) {
  const t = useTranslations('integrations')
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="flex items-start gap-3 rounded-2xl border border-line bg-card p-5">
      <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-sunken">
        <Icon name={kindIcons[kind]} size={20} />
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="font-semibold">{t(`kinds.${kind}.title`)}</h3>
        <p className="mt-0.5 text-[0.8125rem] text-muted">{t(`kinds.${kind}.does`)}</p>
        <Button isSmall className="mt-3" onPress={() => setOpen(true)}>
          {isConnected ? t('connectAnother') : t('connect')}
          <span className="sr-only">: {t(`kinds.${kind}.title`)}</span>
        </Button>
      </div>
      <ConnectDialog kind={kind} isOpen={isOpen} onClose={() => setOpen(false)} />
    </li>
  )
}

export function ComingList() {
  const t = useTranslations('integrations')
  return (
    <ul className="grid gap-x-6 rounded-2xl border border-dashed border-edge/50 px-5 py-2 sm:grid-cols-2">
      {comingKinds.map(kind => (
        <li key={kind} className="flex items-center gap-3 py-2.5">
          <Icon name={comingIcons[kind]} size={18} className="text-muted" />
          <div className="min-w-0 flex-1">
            <h3 className="font-medium">{t(`coming.${kind}.title`)}</h3>
            <p className="text-[0.8125rem] text-muted">{t(`coming.${kind}.about`)}</p>
          </div>
          <Badge>{t('notYet')}</Badge>
        </li>
      ))}
    </ul>
  )
}
