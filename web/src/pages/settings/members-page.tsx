import type { InvitedMember, Teammate } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { allRows } from '#api/lists.ts'
import { useCan, useMe } from '#api/session.ts'
import { useNameOf } from '#api/teammates.ts'
import { useAddressState } from '#state/address-state.ts'
import { Button } from '#ui/base/button.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { RadioChoice } from '#ui/form/choice.tsx'
import { SearchField, TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { LoadError, Notice, Skeleton } from '#ui/layout/page.tsx'
import { LinkDialog } from './members/member-dialogs.tsx'
import { MemberList } from './members/member-list.tsx'
import { type GivenRole, rolesBelow } from './members/roles.ts'
import { SettingsFrame } from './settings-frame.tsx'

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

function InviteDialog({ roles, onClose, onLink }: InviteDialogProps) {
  const t = useTranslations('settings.members')
  const shell = useTranslations('shell')
  const nameOf = useNameOf()
  const [role, setRole] = useState<GivenRole>('member')
  const done = (member: InvitedMember) => {
    void readAgain('members')
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

function Members({ onLink }: { readonly onLink: (member: InvitedMember) => void }) {
  const t = useTranslations('settings.members')
  const [{ search = '' }, setState] = useAddressState<'search'>()
  const { data, error, refetch } = useQuery({
    queryKey: ['members', 'all'],
    queryFn: () => allRows(page => api.members.list(page)),
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={6} />
  const query = search.trim().toLowerCase()
  const rows = data.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(query))
  return (
    <div className="grid grid-cols-1 gap-4">
      {data.length > 8 && (
        <SearchField
          label={t('search')}
          value={search}
          onChange={text => setState({ search: text })}
          className="max-w-sm"
        />
      )}
      {data.length === 1 && <Notice>{t('alone')}</Notice>}
      {rows.length === 0 ? (
        <p role="status" className="text-muted">
          {t('nothingFound')}
        </p>
      ) : (
        <MemberList members={rows} onLink={onLink} />
      )}
    </div>
  )
}

export default function MembersSettingsPage() {
  const t = useTranslations('settings.members')
  const can = useCan()
  const { member } = useMe()
  const [isInviting, setInviting] = useState(false)
  const [link, setLink] = useState<InvitedMember>()
  return (
    <SettingsFrame
      section="members"
      actions={
        can('members:write') && (
          <Button variant="primary" icon="user-plus" onPress={() => setInviting(true)}>
            {t('invite')}
          </Button>
        )
      }
    >
      <Members onLink={setLink} />
      {isInviting && (
        <InviteDialog roles={rolesBelow(member.role)} onClose={() => setInviting(false)} onLink={setLink} />
      )}
      {link && <LinkDialog member={link} onClose={() => setLink(undefined)} />}
    </SettingsFrame>
  )
}
