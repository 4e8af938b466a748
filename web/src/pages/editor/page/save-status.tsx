import { useTranslations } from 'use-intl'
import { classes } from '../../../ui/classes.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
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

export function SaveStatusLine({ status, error }: { readonly status: SaveStatus; readonly error: unknown }) {
  const t = useTranslations('editor.save')
  const { kind } = useEditor().store
  return (
    <p
      role="status"
      className={classes('flex items-center gap-1.5 text-[0.8125rem]', looks[status] ?? 'text-muted')}
    >
      <Icon name={icons[status]} size={14} />
      {status === 'refused' ? t(`refused.${refusalOf(error)}`, { kind }) : t(status)}
    </p>
  )
}
