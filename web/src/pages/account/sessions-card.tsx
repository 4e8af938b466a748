import { useState } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { accountCall, type BrowserSession, refreshAccount, useSessions } from '#api/account.ts'
import { Button } from '#ui/base/button.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { Badge, Card, LoadState } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { signOut } from './sign-out.ts'

/** The API writes English: `Firefox on Windows`, `Unknown browser`. */
function useBrowserName(): (browser: string) => string {
  const t = useTranslations('account.sessions')
  return browser => {
    const [program = '', system] = browser.split(' on ')
    const name = program === '' || program === 'Unknown browser' ? t('unknown') : program
    return system === undefined ? name : t('browser', { program: name, system })
  }
}

function SessionRow({ session }: { readonly session: BrowserSession }) {
  const t = useTranslations('account.sessions')
  const shell = useTranslations('shell')
  const format = useFormatter()
  const now = useNow()
  const { id, browser, network, current, created_at, last_used_at } = session
  const name = useBrowserName()(browser)
  const end = useAction(refreshAccount, {
    run: () => accountCall('DELETE', `/v1/sessions/${id}`),
    done: () => t('ended'),
  })
  return (
    <li className="flex items-start gap-3 py-2.5 first:pt-0">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{name}</p>
        <p className="text-[0.8125rem] text-muted">{t('from', { network })}</p>
        <p className="text-[0.8125rem] text-muted">
          {t('since', { date: format.dateTime(new Date(created_at), { dateStyle: 'medium' }) })}
        </p>
        {!current && (
          <p className="text-[0.8125rem] text-muted">
            {t('lastUsed', { time: format.relativeTime(new Date(last_used_at), now) })}
          </p>
        )}
      </div>
      {current ? (
        <Badge variant="good">{t('current')}</Badge>
      ) : (
        <Button
          isSmall
          aria-label={t('endNamed', { name })}
          isPending={end.isPending}
          onPress={() => end.mutate()}
        >
          {shell('signOut')}
        </Button>
      )}
    </li>
  )
}

export function SessionsCard() {
  const t = useTranslations('account.sessions')
  const { data, error, refetch } = useSessions()
  const [isAsking, setAsking] = useState(false)
  const leave = useAction(refreshAccount, { run: () => signOut(true) })
  return (
    <Card title={t('title')}>
      <LoadState query={{ data, error, refetch }} lines={4} />
      {data && (
        <ul className="mb-3 divide-y divide-line">
          {data.map(session => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      <Button onPress={() => setAsking(true)}>{t('everywhere')}</Button>
      {isAsking && (
        <ConfirmDialog
          title={t('everywhereTitle')}
          onClose={() => setAsking(false)}
          action={t('everywhere')}
          mutation={leave}
        >
          <p>{t('everywhereText')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
