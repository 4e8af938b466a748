import { useTranslations } from 'use-intl'
import { classes } from '#ui/base/classes.ts'
import { Icon, type IconName } from '#ui/base/icon.tsx'
import { useEditor } from '../editor-context.ts'
import type { SaveStatus } from './autosave.ts'
import { refusalOf } from './refusal.ts'

const icons: Readonly<Record<SaveStatus, IconName>> = {
  saved: 'check',
  waiting: 'pen-line',
  saving: 'refresh-cw',
  offline: 'triangle-alert',
  conflict: 'triangle-alert',
  refused: 'circle-alert',
}

const looks: Partial<Readonly<Record<SaveStatus, string>>> = {
  offline: 'text-bad',
  conflict: 'text-warn',
  refused: 'text-bad',
}

interface SaveStatusLineProps {
  readonly status: SaveStatus
  readonly error: unknown
  readonly isLive: boolean
}

export function SaveStatusLine({ status, error, isLive }: SaveStatusLineProps) {
  const t = useTranslations('editor.save')
  const { kind } = useEditor().store
  return (
    <p
      role="status"
      className={classes('flex items-center gap-1.5 text-[0.8125rem]', looks[status] ?? 'text-muted')}
    >
      <Icon name={icons[status]} size={14} />
      {/* A phone has room for words only when something is wrong. */}
      <span className={looks[status] ? '' : 'max-md:sr-only'}>
        {status === 'refused'
          ? t(`refused.${refusalOf(error)}`, { kind })
          : t(isLive && status === 'waiting' ? 'notLive' : status)}
      </span>
    </p>
  )
}
