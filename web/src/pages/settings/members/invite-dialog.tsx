import type { InvitedMember, Teammate } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { useNameOf } from '#api/teammates.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { RadioChoice } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import type { GivenRole } from './roles.ts'

interface InviteDialogProps {
  readonly roles: readonly GivenRole[]
  readonly onClose: () => void
  /** Without a mail server the answer holds the link, which the person has to get in another way. */
  readonly onLink: (member: InvitedMember) => void
}

/** The name of the person with this address; undefined when no person has it. */
async function nameByAddress(
  address: string,
  nameOf: (person: Teammate) => string,
): Promise<string | undefined> {
  const people = await api.teammates.list({ search: address, limit: 10 })
  const isSame = (other: string) => other.toLowerCase() === address.toLowerCase()
  const person = people.find(({ emails }) => emails.some(email => isSame(email.address)))
  const name = person && nameOf(person)
  return name === undefined || name.includes('@') ? undefined : name.slice(0, 200)
}

export function InviteDialog({ roles, onClose, onLink }: InviteDialogProps) {
  const t = useTranslations('settings.members')
  const shell = useTranslations('shell')
  const nameOf = useNameOf()
  const [role, setRole] = useState<GivenRole>('member')
  const done = (member: InvitedMember) => {
    void queryClient.invalidateQueries({ queryKey: ['members'] })
    onClose()
    if (member.invitation_url === undefined) toast(t('invited', { email: member.email }))
    else onLink(member)
  }
  return (
    <FormDialog
      title={t('inviteTitle')}
      onClose={onClose}
      about={t('inviteAbout')}
      onSubmit={async form => {
        const email = String(form.get('email')).trim()
        const name = String(form.get('name')).trim() || (await nameByAddress(email, nameOf))
        return api.members.create({ email, ...(name && { name }), role })
      }}
      onDone={done}
      action={t('invite')}
      icon="send"
    >
      <TextField label={t('email')} name="email" type="email" isRequired autoFocus maxLength={254} />
      <TextField label={t('name')} name="name" hint={t('nameHint')} maxLength={200} />
      <RadioChoice
        label={t('role')}
        value={role}
        onChange={setRole}
        options={roles.map(id => ({ id, label: shell(`roles.${id}`), hint: t(`roleHints.${id}`) }))}
      />
    </FormDialog>
  )
}
