// The messages on the page. Loaded with the first one.
import {
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components'
import { Text } from 'react-aria-components/Text'
import { useTranslations } from 'use-intl'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import type { ToastText } from './toast.tsx'

const queue = new ToastQueue<ToastText>({ maxVisibleToasts: 3 })

const looks = {
  good: { icon: 'circle-check', color: 'text-good' },
  note: { icon: 'info', color: 'text-accent' },
  bad: { icon: 'circle-alert', color: 'text-bad' },
} as const

/** One with an `action` or a note stays longer; one about a problem stays until it is closed. */
export function showToast(content: ToastText): void {
  // The same key pressed again does not fill the page with the same sentence.
  for (const { key, content: shown } of queue.visibleToasts)
    if (shown.title === content.title && shown.kind === content.kind) queue.close(key)
  const timeout = content.action || content.kind === 'note' ? 10_000 : 5_000
  queue.add(content, content.kind === 'bad' ? {} : { timeout })
}

export default function Toasts() {
  const t = useTranslations('shell')
  return (
    <ToastRegion queue={queue} className="toasts fixed z-60 flex flex-col gap-2 outline-none">
      {({ toast: { content, key }, toast: entry }) => (
        <AriaToast
          toast={entry}
          className="flex items-start gap-3 rounded-xl border border-line bg-card p-3 shadow-floating outline-none data-focus-visible:outline-2 data-focus-visible:outline-accent"
        >
          <Icon name={looks[content.kind].icon} size={18} className={looks[content.kind].color} />
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
