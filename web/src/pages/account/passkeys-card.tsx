import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { accountCall, type Passkey, refreshAccount, useSessions } from '#api/account.ts'
import { Button, IconButton } from '#ui/base/button.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { Card } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { CodesDialog } from './codes-dialog.tsx'
import { useFactorRemoval } from './factor-removal.ts'
import { canMakePasskeys, makePasskey } from './make-passkey.ts'

type Question = { readonly kind: 'add' } | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey }

interface PasskeysCardProps {
  readonly passkeys: readonly Passkey[]
  readonly email: string
}

export function PasskeysCard({ passkeys, email }: PasskeysCardProps) {
  const t = useTranslations('account.passkeys')
  const [question, ask] = useState<Question>()
  const [codes, setCodes] = useState<readonly string[]>([])
  const close = () => ask(undefined)
  const remove = useFactorRemoval(t('removed'), close)
  const added = (recoveryCodes: readonly string[] | null) => {
    close()
    if (recoveryCodes === null) return
    toast(t('added'))
    setCodes(recoveryCodes)
    void refreshAccount()
  }
  return (
    <Card
      title={t('title')}
      about={t('about')}
      actions={
        canMakePasskeys && (
          <Button icon="plus" onPress={() => ask({ kind: 'add' })}>
            {t('add')}
          </Button>
        )
      }
    >
      {!canMakePasskeys && <p className="mb-3 text-muted">{t('notHere')}</p>}
      {passkeys.length === 0 && <p className="text-muted">{t('none')}</p>}
      <ul className="divide-y divide-line">
        {passkeys.map(passkey => (
          <PasskeyRow key={passkey.id} passkey={passkey} ask={ask} />
        ))}
      </ul>
      {question?.kind === 'add' && <AddDialog onClose={close} onAdded={added} />}
      {question?.kind === 'rename' && <RenameDialog passkey={question.passkey} onClose={close} />}
      {question?.kind === 'remove' && (
        <ConfirmDialog
          title={t('removeTitle', { name: question.passkey.name })}
          onClose={close}
          action={t('remove')}
          isPending={remove.isPending}
          onConfirm={() => remove.mutate(`/v1/me/passkeys/${question.passkey.id}`)}
        >
          <p>{t('removeText')}</p>
        </ConfirmDialog>
      )}
      {codes.length > 0 && <CodesDialog codes={codes} email={email} onClose={() => setCodes([])} />}
    </Card>
  )
}

interface PasskeyRowProps {
  readonly passkey: Passkey
  readonly ask: (question: Question) => void
}

function PasskeyRow({ passkey, ask }: PasskeyRowProps) {
  const t = useTranslations('account.passkeys')
  const format = useFormatter()
  const { name, created_at, last_used_at } = passkey
  const dayOf = (text: string) => format.dateTime(new Date(text), { dateStyle: 'medium' })
  return (
    <li className="flex items-center gap-2 py-2.5 last:pb-0">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{name}</p>
        <p className="text-[0.8125rem] text-muted">
          {t('addedOn', { date: dayOf(created_at) })} ·{' '}
          {last_used_at === null ? t('unused') : t('lastUsed', { date: dayOf(last_used_at) })}
        </p>
      </div>
      <IconButton
        icon="square-pen"
        label={t('renameNamed', { name })}
        onPress={() => ask({ kind: 'rename', passkey })}
      />
      <IconButton
        icon="trash-2"
        label={t('removeNamed', { name })}
        onPress={() => ask({ kind: 'remove', passkey })}
      />
    </li>
  )
}

interface AddDialogProps {
  readonly onClose: () => void
  readonly onAdded: (codes: readonly string[] | null) => void
}

function AddDialog({ onClose, onAdded }: AddDialogProps) {
  const t = useTranslations('account.passkeys')
  const browser = useSessions().data?.find(({ current }) => current)?.browser ?? ''
  return (
    <FormDialog
      title={t('add')}
      onClose={onClose}
      size="small"
      onSubmit={form => makePasskey(String(form.get('name')))}
      onDone={onAdded}
      action={t('continue')}
    >
      <TextField
        label={t('name')}
        name="name"
        defaultValue={browser}
        hint={t('nameHint')}
        maxLength={100}
        isRequired
      />
    </FormDialog>
  )
}

function RenameDialog({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }) {
  const t = useTranslations('account.passkeys')
  const shell = useTranslations('shell')
  const done = () => {
    toast(shell('saved'))
    onClose()
    void refreshAccount()
  }
  return (
    <FormDialog
      title={t('rename')}
      onClose={onClose}
      size="small"
      onSubmit={form =>
        accountCall('PATCH', `/v1/me/passkeys/${passkey.id}`, { name: String(form.get('name')) })
      }
      onDone={done}
      action={shell('save')}
    >
      <TextField label={t('name')} name="name" defaultValue={passkey.name} maxLength={100} isRequired />
    </FormDialog>
  )
}
