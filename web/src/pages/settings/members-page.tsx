import type { InvitedMember } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { allRows } from '#api/all-pages.ts'
import { api } from '#api/client.ts'
import { useCan, useMe } from '#api/session.tsx'
import { useAddressState } from '#state/address-state.ts'
import { Button } from '#ui/base/button.tsx'
import { SearchField } from '#ui/form/field.tsx'
import { LoadError, Notice, Skeleton } from '#ui/layout/page.tsx'
import { InviteDialog } from './members/invite-dialog.tsx'
import { LinkDialog } from './members/member-dialogs.tsx'
import { MemberList } from './members/member-list.tsx'
import { rolesBelow } from './members/roles.ts'
import { SettingsFrame } from './settings-frame.tsx'

function Members({ onLink }: { readonly onLink: (member: InvitedMember) => void }) {
  const t = useTranslations('settings.members')
  const [{ search = '' }, setState] = useAddressState<'search'>()
  const { data, error, refetch } = useQuery({
    queryKey: ['members', 'all'],
    queryFn: () => allRows(page => api.members.list(page)),
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={6} />
  const wanted = search.trim().toLowerCase()
  const rows = data.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(wanted))
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
