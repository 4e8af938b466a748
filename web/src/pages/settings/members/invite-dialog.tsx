import type { InvitedMember } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '../../../api/client.ts'
import { RadioChoice } from '../../../ui/choice.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, SubmitActions } from '../../../ui/form.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { GivenRole } from './roles.ts'

interface InviteDialogProps {
  readonly roles: readonly GivenRole[]
  readonly onClose: () => void
  /** Without a mail server the answer holds the link, which the person has to get in another way. */
  readonly onLink: (member: InvitedMember) => void
}

export function InviteDialog({ roles, onClose, onLink }: InviteDialogProps) {
  const t = useTranslations('settings.members')
  const shell = useTranslations('shell')
  const [role, setRole] = useState<GivenRole>('member')
  const done = (member: InvitedMember) => {
    void queryClient.invalidateQueries({ queryKey: ['members'] })
    onClose()
    if (member.invitation_url === undefined) toast(t('invited', { email: member.email }))
    else onLink(member)
  }
  return (
    <Dialog title={t('inviteTitle')} isOpen onClose={onClose}>
      <p className="mb-4 text-muted">{t('inviteAbout')}</p>
      <Form
        onSubmit={form =>
          api.members.create({
            email: String(form.get('email')).trim(),
            ...(String(form.get('name')).trim() && { name: String(form.get('name')).trim() }),
            role,
          })
        }
        onDone={done}
      >
        {({ isPending }) => (
          <>
            <TextField label={t('email')} name="email" type="email" isRequired autoFocus maxLength={254} />
            <TextField label={t('name')} name="name" hint={t('nameHint')} maxLength={200} />
            <RadioChoice
              label={t('role')}
              value={role}
              onChange={setRole}
              options={roles.map(id => ({ id, label: shell(`roles.${id}`), hint: t(`roleHints.${id}`) }))}
            />
            <SubmitActions action={t('invite')} onCancel={onClose} icon="send" isPending={isPending} />
          </>
        )}
      </Form>
    </Dialog>
  )
}
