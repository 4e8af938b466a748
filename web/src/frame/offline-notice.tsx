import { useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { Icon } from '#ui/icon.tsx'

const subscribe = (onChange: () => void) => {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

export function OfflineNotice() {
  const t = useTranslations('shell')
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  if (isOnline) return null
  return (
    <p role="status" className="flex items-center gap-2 bg-warn-soft px-4 py-2 text-[0.8125rem] text-warn">
      <Icon name="triangle-alert" /> {t('offline')}
    </p>
  )
}
