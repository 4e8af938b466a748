// Short messages about what was done, or what went wrong.
import {
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components'
import { Text } from 'react-aria-components/Text'
import { useTranslations } from 'use-intl'
import { IconButton } from '../base/button.tsx'
import { Icon } from '../base/icon.tsx'

interface ToastText {
  readonly title: string
  readonly description?: string
  readonly kind: 'good' | 'note' | 'bad'
  readonly action?: { readonly label: string; readonly onPress: () => void }
}

const queue = new ToastQueue<ToastText>({ maxVisibleToasts: 3 })

/** One with an `action` or a note stays longer; one about a problem stays until it is closed. */
function show(content: ToastText): void {
  // The same key pressed again does not fill the page with the same sentence.
  for (const { key, content: text } of queue.visibleToasts)
    if (text.title === content.title && text.kind === content.kind) queue.close(key)
  const timeout = content.action || content.kind === 'note' ? 10_000 : 5_000
  queue.add(content, content.kind === 'bad' ? {} : { timeout })
}

/** Says that something is done; it goes by itself. An `action` is the way back, such as “Undo”. */
export const toast = (title: string, more: Omit<Partial<ToastText>, 'title'> = {}): void =>
  show({ title, kind: 'good', ...more })

/** Says why nothing was done, or what is different than expected; it goes by itself. */
export const toastNote = (title: string): void => show({ title, kind: 'note' })

/** Says what went wrong; it stays until it is closed. */
export const toastError = (title: string, description?: string): void =>
  show({ title, kind: 'bad', ...(description !== undefined && { description }) })

const icons = {
  good: { name: 'circle-check', className: 'text-good' },
  note: { name: 'info', className: 'text-accent' },
  bad: { name: 'circle-alert', className: 'text-bad' },
} as const

export function Toasts() {
  const t = useTranslations('shell')
  return (
    <ToastRegion queue={queue} className="toasts fixed z-60 flex flex-col gap-2 outline-none">
      {({ toast: { content, key }, toast: entry }) => (
        <AriaToast
          toast={entry}
          className="flex items-start gap-3 rounded-xl border border-line bg-card p-3 shadow-floating outline-none data-focus-visible:outline-2 data-focus-visible:outline-accent"
        >
          <Icon {...icons[content.kind]} size={18} />
          <ToastContent className="min-w-0 flex-1">
            <Text slot="title" className="block font-medium">
              {content.title}
            </Text>
            {content.description && (
              <Text slot="description" className="block text-[0.8125rem] text-muted">
                {content.description}
              </Text>
            )}
          </ToastContent>
          {content.action && (
            <button
              type="button"
              className="font-medium text-accent"
              onClick={() => {
                content.action?.onPress()
                queue.close(key)
              }}
            >
              {content.action.label}
            </button>
          )}
          <IconButton icon="x" label={t('close')} onPress={() => queue.close(key)} className="-my-1 -me-1" />
        </AriaToast>
      )}
    </ToastRegion>
  )
}
