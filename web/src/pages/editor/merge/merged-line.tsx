// A quiet line after the changes of two people were merged.
import { useTranslations } from 'use-intl'
import { IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'

interface MergedLineProps {
  /** Empty: nothing was merged. */
  readonly text: string
  readonly onClose: () => void
}

/** The element is there before its text, so that screen readers read the text. */
export function MergedLine({ text, onClose }: MergedLineProps) {
  const t = useTranslations('shell')
  return (
    <div role="status" className="shrink-0">
      {text !== '' && (
        <div className="flex items-center gap-2 border-b border-line bg-sunken px-4 py-1 text-[0.8125rem] text-muted">
          <Icon name="users" size={14} />
          <p className="min-w-0 flex-1">{text}</p>
          <IconButton icon="x" label={t('close')} onPress={onClose} />
        </div>
      )}
    </div>
  )
}
