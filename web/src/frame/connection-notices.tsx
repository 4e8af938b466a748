// What the frame says while the service cannot be reached, and after the session has ended.
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { api, goToSignIn, queryClient } from '#api/client.ts'
import { meQuery, useMe } from '#api/session.ts'
import { setSignedIn, useServiceState } from '#state/connection-state.ts'
import { useIsCovered } from '#state/covered-frame.ts'
import { Button, buttonClasses } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { Actions, DialogFrame } from '#ui/overlay/dialog-frame.tsx'

const subscribe = (onChange: () => void) => {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

export function AwayNotice() {
  const t = useTranslations('shell')
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  const isAway = useServiceState() === 'away' || !isOnline
  const wasAway = useRef(false)
  useEffect(() => {
    if (wasAway.current && !isAway) void queryClient.invalidateQueries()
    wasAway.current = isAway
  }, [isAway])
  if (!isAway) return null
  return (
    <p role="status" className="flex items-center gap-2 bg-warn-soft px-4 py-2 text-[0.8125rem] text-warn">
      <Icon name="triangle-alert" /> {t('offline')}
    </p>
  )
}

/** Asks the forms of this page as the browser does before the tab is closed. */
const hasUnsaved = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }))

/** Waits until the person has signed in in another tab. */
function SignInQuestion({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('shell')
  useEffect(() => {
    const look = async () => {
      const me = await api.me.get().catch(() => undefined)
      if (!me) return
      if (me.account.id !== accountId) return location.reload()
      queryClient.setQueryData(meQuery.queryKey, me)
      setSignedIn()
    }
    const timer = setInterval(() => void look(), 3_000)
    return () => clearInterval(timer)
  }, [accountId])
  return (
    <DialogFrame title={t('signedOutTitle')} size="small" onClose={goToSignIn} isRunning>
      <p className="text-muted">{t('signedOutText')}</p>
      <Actions>
        <Button onPress={() => goToSignIn()}>{t('leave')}</Button>
        <a href="/sign-in" target="_blank" rel="noreferrer" className={buttonClasses('primary')}>
          {t('signIn')}
        </a>
      </Actions>
    </DialogFrame>
  )
}

/** Leads to the sign-in and back; a page with unsaved changes stays open meanwhile. The editor asks by itself. */
export function SignedOut() {
  const isSignedOut = useServiceState() === 'signedOut'
  const isCovered = useIsCovered()
  const { account } = useMe()
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    if (!isSignedOut || isCovered) return setAsking(false)
    if (hasUnsaved()) setAsking(true)
    else goToSignIn()
  }, [isSignedOut, isCovered])
  return isAsking && <SignInQuestion accountId={account.id} />
}
