// The name, how the saving stands, undo and redo, and the buttons that concern the whole signature. On a phone it is one
// row: most of the buttons are in a second one, which a button opens.
import { Link } from '@tanstack/react-router'
import { type AriaAttributes, type ReactNode, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { classes } from '#ui/base/classes.ts'
import { Icon, type IconName } from '#ui/base/icon.tsx'
import { useEditor, useEditorValue } from './kit/editor-context.ts'
import { EditorIcon } from './kit/editor-icon.tsx'
import type { EditorIconName } from './kit/editor-outlines.ts'
import { refusalOf } from './saving/refusal.ts'
import type { SaveStatus } from './saving/states.ts'

/** The main button of the header: on a phone it is smaller. */
export const headerMain = 'max-md:min-h-8 max-md:px-2 max-md:text-[0.8125rem] max-md:[&>svg]:hidden'

interface EditorHeaderProps {
  readonly name: string
  readonly backTo: string
  readonly status: SaveStatus
  readonly error: unknown
  /** It is saved only when the person wants it. */
  readonly isLive: boolean
  /** Stays in sight on a phone. */
  readonly main?: ReactNode
  readonly children?: ReactNode
}

export function EditorHeader({ name, backTo, status, error, isLive, main, children }: EditorHeaderProps) {
  const t = useTranslations('editor')
  const { store, menus } = useEditor()
  const canUndo = useEditorValue(state => state.canUndo)
  const canRedo = useEditorValue(state => state.canRedo)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <header
      data-pane="header"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-card px-4 py-2.5 max-md:gap-x-1.5 max-md:px-2 max-md:py-1.5"
    >
      <Link
        to={backTo}
        aria-label={t('back', { kind: store.kind })}
        className="grid size-8 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
      >
        <Icon name="chevron-left" className="rtl:rotate-180" />
      </Link>
      <h1 className="min-w-0 truncate font-semibold max-md:flex-1">{name}</h1>
      <SaveStatusLine status={status} error={error} isLive={isLive} />
      <div className="flex items-center gap-2 max-md:gap-0.5 md:ms-auto">
        <HeaderButton icon="undo-2" label={t('undo')} isDisabled={!canUndo} onPress={() => store.undo()} />
        <HeaderButton icon="redo-2" label={t('redo')} isDisabled={!canRedo} onPress={() => store.redo()} />
        <HeaderButton
          icon="ellipsis"
          label={t('moreTools')}
          onPress={() => setOpen(!isOpen)}
          className="md:hidden"
          aria-expanded={isOpen}
          aria-controls={id}
        />
      </div>
      <div
        id={id}
        className={classes(
          'flex items-center gap-2 max-md:order-last max-md:w-full max-md:flex-wrap max-md:justify-end',
          !isOpen && 'max-md:hidden',
        )}
      >
        <HeaderButton icon="keyboard" label={t('keyMap')} onPress={() => menus.open({ kind: 'keys' })} />
        {children}
      </div>
      {main}
    </header>
  )
}

interface HeaderButtonProps extends Pick<AriaAttributes, 'aria-expanded' | 'aria-controls'> {
  readonly icon: EditorIconName
  readonly label: string
  readonly isDisabled?: boolean
  readonly onPress: () => void
  readonly className?: string
}

const HeaderButton = ({ icon, label, isDisabled, onPress, className = '', ...rest }: HeaderButtonProps) => (
  <span className={classes('tooltip inline-grid', className)} data-tooltip={label}>
    <button
      {...rest}
      type="button"
      aria-label={label}
      disabled={isDisabled}
      onClick={onPress}
      className="grid size-8 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink focus-visible:outline-2 focus-visible:outline-accent disabled:opacity-40"
    >
      <EditorIcon name={icon} />
    </button>
  </span>
)

const icons: Readonly<Record<SaveStatus, IconName>> = {
  saved: 'check',
  waiting: 'pen-line',
  saving: 'refresh-cw',
  offline: 'triangle-alert',
  conflict: 'triangle-alert',
  refused: 'circle-alert',
}

const variants: Partial<Readonly<Record<SaveStatus, string>>> = {
  offline: 'text-bad',
  conflict: 'text-warn',
  refused: 'text-bad',
}

interface SaveStatusLineProps {
  readonly status: SaveStatus
  readonly error: unknown
  readonly isLive: boolean
}

function SaveStatusLine({ status, error, isLive }: SaveStatusLineProps) {
  const t = useTranslations('editor.save')
  const { kind } = useEditor().store
  return (
    <p
      role="status"
      className={classes('flex items-center gap-1.5 text-[0.8125rem]', variants[status] ?? 'text-muted')}
    >
      <Icon name={icons[status]} size={14} />
      {/* A phone has room for words only when something is wrong. */}
      <span className={variants[status] ? '' : 'max-md:sr-only'}>
        {status === 'refused'
          ? t(`refused.${refusalOf(error)}`, { kind })
          : t(isLive && status === 'waiting' ? 'notLive' : status)}
      </span>
    </p>
  )
}
