import type { SsoCheck, SsoConnection } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { Button, Spinner } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { CopyField } from '#ui/base/copy-field.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { LoadError, Notice } from '#ui/layout/page.tsx'
import { Actions, Dialog } from '#ui/overlay/dialog.tsx'

type Step = SsoCheck['steps'][number]

const variants = {
  ok: { icon: 'circle-check', color: 'text-good' },
  warning: { icon: 'triangle-alert', color: 'text-warn' },
  failed: { icon: 'circle-x', color: 'text-bad' },
  skipped: { icon: 'circle-dashed', color: 'text-muted' },
} as const

function CheckRow({ step }: { readonly step: Step }) {
  const t = useTranslations('settings.signIn.test')
  const { icon, color } = variants[step.status]
  const name = step.name as 'discovery'
  const hasProblem = step.status === 'failed' || step.status === 'warning'
  return (
    <li className="flex gap-3">
      <Icon name={icon} size={18} className={classes('mt-0.5', color)} />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          {t.has(`steps.${name}`) ? t(`steps.${name}`) : step.name}
          <span className="ms-2 text-xs font-normal text-muted">{t(`statuses.${step.status}`)}</span>
        </p>
        {hasProblem && t.has(`remedies.${name}`) && (
          <p className="text-[0.8125rem]">{t(`remedies.${name}`)}</p>
        )}
        {/* The API explains the details in English alone. */}
        <p lang="en" className="mt-1 text-[0.8125rem] text-muted">
          {[step.message, step.remedy].filter(Boolean).join(' ')}
        </p>
      </div>
    </li>
  )
}

interface TestDialogProps {
  readonly connection: SsoConnection
  readonly onClose: () => void
}

/** The check of a connection, step by step, each with what to do. */
export function TestDialog({ connection, onClose }: TestDialogProps) {
  const t = useTranslations('settings.signIn.test')
  const shell = useTranslations('shell')
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['sso_checks', connection.id],
    queryFn: async () => {
      const check = await api.ssoConnections.test(connection.id)
      void readAgain('sso_connections')
      return check
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  return (
    <Dialog title={t('title', { name: connection.name })} onClose={onClose}>
      <div className="grid gap-4" aria-live="polite" aria-busy={isFetching}>
        {isFetching && (
          <p className="flex items-center gap-2 text-muted">
            <Spinner /> {t('running')}
          </p>
        )}
        {error && !isFetching && <LoadError error={error} />}
        {data && !isFetching && (
          <>
            <Notice kind={data.ok ? 'good' : 'bad'}>{t(data.ok ? 'good' : 'bad')}</Notice>
            <ol className="grid gap-3">
              {data.steps.map(step => (
                <CheckRow key={step.name} step={step} />
              ))}
            </ol>
            {data.ok && <CopyField label={t('signInUrl')} value={connection.sign_in_url} />}
          </>
        )}
      </div>
      <Actions>
        <Button icon="refresh-cw" onPress={() => void refetch()} isDisabled={isFetching}>
          {t('again')}
        </Button>
        <Button variant="primary" onPress={onClose}>
          {shell('close')}
        </Button>
      </Actions>
    </Dialog>
  )
}
