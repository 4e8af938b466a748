// Whose values the signature shows.
import { useRef, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { useTranslations } from 'use-intl'
import { classes, controlFrame } from '#ui/base/classes.ts'
import { Icon } from '#ui/base/icon.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { useShownPreview } from './preview-state.ts'

const PersonPanel = onDemand(() => import('./person-panel.tsx'))

export function PersonChooser({ onNextGap }: { readonly onNextGap: () => void }) {
  const t = useTranslations('editor.preview')
  const { shown } = useShownPreview()
  const [isOpen, setOpen] = useState(false)
  const triggerRef = useRef<HTMLButtonElement>(null)
  const name = typeof shown === 'string' ? t(shown) : shown.name
  return (
    <span className="block max-w-44 min-w-0 flex-1 basis-36">
      <AriaButton
        ref={triggerRef}
        aria-label={t('personNow', { name })}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
        className={classes(controlFrame, 'flex items-center gap-2 text-start')}
      >
        <Icon name="user" className="text-muted" />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        <Icon name="chevrons-up-down" size={14} className="text-muted" />
      </AriaButton>
      {isOpen && <PersonPanel triggerRef={triggerRef} onNextGap={onNextGap} onClose={() => setOpen(false)} />}
    </span>
  )
}
