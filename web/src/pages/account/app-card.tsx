// The authenticator app: set-up, recovery codes, and turning it off.
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { accountCall, refreshAccount, type SecondFactors, type TotpSetUp } from '#api/account.ts'
import { Button } from '#ui/base/button.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { Badge, Card } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { CodesDialog } from './codes-dialog.tsx'
import { useFactorRemoval } from './factor-removal.ts'
import { TotpDialog } from './totp-dialog.tsx'

interface AppCardProps {
  readonly factors: SecondFactors
  readonly email: string
}

export function AppCard({ factors, email }: AppCardProps) {
  const t = useTranslations('account.app')
  const [question, ask] = useState<'off' | 'codes'>()
  const [setUp, setSetUp] = useState<TotpSetUp>()
  const [codes, setCodes] = useState<readonly string[]>([])
  const begin = useAction(refreshAccount, {
    run: () => accountCall<TotpSetUp>('POST', '/v1/me/totp'),
    after: setSetUp,
  })
  const renew = useAction(refreshAccount, {
    run: () => accountCall<{ codes: string[] }>('POST', '/v1/me/recovery_codes'),
    after: answer => {
      ask(undefined)
      setCodes(answer.codes)
    },
  })
  const remove = useFactorRemoval(t('removed'), () => ask(undefined))
  const isOn = factors.totp.enabled
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          {t('title')} <Badge variant={isOn ? 'good' : 'neutral'}>{t(isOn ? 'on' : 'off')}</Badge>
        </span>
      }
      about={t('about')}
    >
      {isOn && (
        <p className="mb-3 text-muted">{t('codesLeft', { count: factors.recovery_codes.remaining })}</p>
      )}
      <div className="flex flex-wrap gap-2">
        {isOn ? (
          <>
            <Button onPress={() => ask('codes')}>{t('newCodes')}</Button>
            <Button onPress={() => ask('off')}>{t('turnOff')}</Button>
          </>
        ) : (
          <Button icon="shield-check" onPress={() => begin.mutate()} isPending={begin.isPending}>
            {t('setUp')}
          </Button>
        )}
      </div>
      {setUp && (
        <TotpDialog
          setUp={setUp}
          onClose={() => setSetUp(undefined)}
          onDone={recoveryCodes => {
            setSetUp(undefined)
            setCodes(recoveryCodes)
          }}
        />
      )}
      {codes.length > 0 && <CodesDialog codes={codes} email={email} onClose={() => setCodes([])} />}
      {question === 'codes' && (
        <ConfirmDialog
          title={t('newCodesTitle')}
          onClose={() => ask(undefined)}
          action={t('newCodesAction')}
          isDangerous={false}
          mutation={renew}
        >
          <p>{t('newCodesText')}</p>
        </ConfirmDialog>
      )}
      {question === 'off' && (
        <ConfirmDialog
          title={t('turnOffTitle')}
          onClose={() => ask(undefined)}
          action={t('turnOff')}
          isPending={remove.isPending}
          onConfirm={() => remove.mutate('/v1/me/totp')}
        >
          <p>{t('turnOffText')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
