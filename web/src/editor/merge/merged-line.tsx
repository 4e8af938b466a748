// A quiet line after the changes of two people were merged. It lies over the page, so that nothing moves while a person
// types.
import { useTranslations } from 'use-intl'
import { IconButton } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'

interface MergedLineProps {
  /** Empty: nothing was merged. */
  readonly text: string
  readonly onClose: () => void
}

/** The element is there before its text, so that screen readers read the text. */
export function MergedLine({ text, onClose }: MergedLineProps) {
  const t = useTranslations('shell')
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-20 grid justify-center max-md:bottom-18"
    >
      {text !== '' && (
        <div className="pointer-events-auto flex items-center gap-2 rounded-xl border border-line bg-card py-1 ps-3 pe-1 text-[0.8125rem] shadow-floating">
          <Icon name="users" size={14} />
          <p className="min-w-0 flex-1">{text}</p>
          <IconButton icon="x" label={t('close')} onPress={onClose} />
        </div>
      )}
    </div>
  )
}
