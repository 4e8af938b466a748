import { useTranslations } from 'use-intl'
import { accountCall, refreshAccount, type TotpSetUp } from '#api/account.ts'
import { CopyField } from '#ui/base/copy-field.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'

interface TotpDialogProps {
  readonly setUp: TotpSetUp
  readonly onClose: () => void
  /** The recovery codes, which are shown this once; none when the account has some. */
  readonly onDone: (codes: readonly string[]) => void
}

const inGroups = (secret: string): string => secret.replaceAll(/.{4}(?=.)/g, '$& ')

export function TotpDialog({ setUp, onClose, onDone }: TotpDialogProps) {
  const t = useTranslations('account.setUp')
  const app = useTranslations('account.app')
  const { secret, uri, qr_code } = setUp
  return (
    <FormDialog
      title={t('title')}
      onClose={onClose}
      isModalOnly
      problemText={({ code }) => (code === 'invalid' ? t('wrong') : undefined)}
      onSubmit={form =>
        accountCall<{ recovery_codes: string[] }>('POST', '/v1/me/totp/confirm', {
          code: String(form.get('code')),
        })
      }
      onDone={answer => {
        toast(app('added'))
        void refreshAccount()
        onDone(answer.recovery_codes)
      }}
      action={t('submit')}
    >
      <p className="text-muted">{t('scan')}</p>
      <img src={qr_code} alt={t('picture')} className="mx-auto size-48 rounded-lg bg-white" />
      <a href={uri} className="text-center font-medium text-accent sm:hidden">
        {t('openApp')}
      </a>
      <CopyField label={t('byHand')} value={inGroups(secret)} isSecret />
      <TextField
        label={t('code')}
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={10}
        isRequired
      />
    </FormDialog>
  )
}
