// The questions before a member is changed, removed or made the owner.
import type { InvitedMember, Member, MemberPatch, RequestOptions } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { useMe } from '#api/session.ts'
import { useEdit } from '#state/use-edit.ts'
import { Button } from '#ui/base/button.tsx'
import { CopyField } from '#ui/base/copy-field.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { RadioChoice } from '#ui/form/choice.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { Notice } from '#ui/layout/page.tsx'
import { Actions, ConfirmDialog, Dialog } from '#ui/overlay/dialog.tsx'
import { type GivenRole, rolesBelow } from './roles.ts'

interface MemberDialogProps {
  readonly member: Member
  readonly onClose: () => void
}

/** The own role can have changed too. */
const refreshMembers = () => readAgain('members', 'me')

/** One request about a member, then a message, and the list anew. */
const useMemberAction = (run: () => Promise<unknown>, done: string, onClose: () => void) =>
  useAction(refreshMembers, { run, done: () => done, after: onClose })

export function RoleDialog({ member, onClose }: MemberDialogProps) {
  const t = useTranslations('settings.members')
  const shell = useTranslations('shell')
  const [role, setRole] = useState(member.role as GivenRole)
  const own = useMe().member
  const edit = useEdit({
    seen: member,
    read: () => api.members.get(member.id),
    save: (patch: MemberPatch, options: RequestOptions) => api.members.update(member.id, patch, options),
    labelOf: () => t('role'),
    textOf: value => shell(`roles.${value as GivenRole}`),
    onDiscard: () => {
      onClose()
      void refreshMembers()
    },
  })
  const done = () => {
    toast(t('roleChanged', { name: member.name }))
    onClose()
    void refreshMembers()
  }
  return (
    <FormDialog
      title={t('roleTitle', { name: member.name })}
      onClose={onClose}
      size="small"
      onSubmit={() => edit({ role })}
      onDone={done}
      action={t('changeRole')}
      isDisabled={role === member.role}
    >
      <RadioChoice
        label={t('role')}
        value={role}
        onChange={setRole}
        options={rolesBelow(own.role).map(id => ({
          id,
          label: shell(`roles.${id}`),
          hint: t(`roleHints.${id}`),
        }))}
      />
      {member.id === own.id && role !== own.role && <Notice kind="warn">{t('ownRole')}</Notice>}
    </FormDialog>
  )
}

export function RemoveDialog({ member, onClose }: MemberDialogProps) {
  const t = useTranslations('settings.members')
  const isInvited = member.status === 'invited'
  const { mutate, isPending } = useMemberAction(
    () => api.members.delete(member.id),
    t(isInvited ? 'withdrawn' : 'removed', { name: member.name }),
    onClose,
  )
  return (
    <ConfirmDialog
      title={t(isInvited ? 'withdrawTitle' : 'removeTitle', { name: member.name })}
      onClose={onClose}
      action={t(isInvited ? 'withdraw' : 'remove')}
      onConfirm={() => mutate()}
      isPending={isPending}
    >
      <p>{t(isInvited ? 'withdrawText' : 'removeText')}</p>
    </ConfirmDialog>
  )
}

export function OwnerDialog({ member, onClose }: MemberDialogProps) {
  const t = useTranslations('settings.members')
  const { mutate, isPending } = useMemberAction(
    () => api.members.makeOwner(member.id),
    t('ownerMade', { name: member.name }),
    onClose,
  )
  return (
    <ConfirmDialog
      title={t('ownerTitle', { name: member.name })}
      onClose={onClose}
      action={t('makeOwner')}
      onConfirm={() => mutate()}
      isPending={isPending}
    >
      <p>{t('ownerText')}</p>
    </ConfirmDialog>
  )
}

/** The link of an invitation, where no mail server sends it. */
export function LinkDialog({
  member,
  onClose,
}: {
  readonly member: InvitedMember
  readonly onClose: () => void
}) {
  const t = useTranslations('settings.members')
  const shell = useTranslations('shell')
  return (
    <Dialog title={t('linkTitle', { name: member.name })} onClose={onClose} isModalOnly>
      <p className="mb-4 text-muted">{t('linkText', { email: member.email })}</p>
      <CopyField label={t('link')} value={member.invitation_url ?? ''} />
      <Actions>
        <Button variant="primary" onPress={onClose}>
          {shell('close')}
        </Button>
      </Actions>
    </Dialog>
  )
}
