import type { InvitedMember, Member } from '@signoff/sdk'
import { useState } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { useCan, useMe } from '#api/session.ts'
import { useAction } from '#ui/feedback/use-action.ts'
import { Badge } from '#ui/layout/page.tsx'
import { type MenuEntries, MoreMenu } from '#ui/overlay/menu.tsx'
import { Avatar } from '#ui/picture/avatar.tsx'
import { type Column, Table } from '#ui/table/table.tsx'
import { OwnerDialog, RemoveDialog, RoleDialog } from './member-dialogs.tsx'
import { canChange } from './roles.ts'

interface MemberListProps {
  readonly members: readonly Member[]
  readonly onLink: (member: InvitedMember) => void
}

type Question = { readonly kind: 'role' | 'remove' | 'owner'; readonly member: Member }

function useResend(onLink: (member: InvitedMember) => void) {
  const t = useTranslations('settings.members')
  return useAction<Member, InvitedMember>(() => readAgain('members'), {
    run: member => api.members.resend(member.id),
    done: member => (member.invitation_url === undefined ? t('invited', { email: member.email }) : undefined),
    after: member => member.invitation_url !== undefined && onLink(member),
  })
}

function useEntries(ask: (question: Question) => void, onLink: (member: InvitedMember) => void) {
  const t = useTranslations('settings.members')
  const can = useCan()
  const own = useMe().member
  const resend = useResend(onLink)
  return (member: Member): MenuEntries => {
    if (!canChange(member, own.role)) return []
    const isInvited = member.status === 'invited'
    return [
      can('members:write') && {
        id: 'role',
        label: t('changeRole'),
        icon: 'shield-check',
        onAction: () => ask({ kind: 'role', member }),
      },
      can('members:write') &&
        isInvited && {
          id: 'resend',
          label: t('resend'),
          icon: 'send',
          onAction: () => resend.mutate(member),
        },
      own.role === 'owner' &&
        !isInvited && {
          id: 'owner',
          label: t('makeOwner'),
          icon: 'key',
          onAction: () => ask({ kind: 'owner', member }),
        },
      can('members:delete') && {
        id: 'remove',
        label: t(isInvited ? 'withdraw' : 'remove'),
        icon: 'trash-2',
        isDangerous: true,
        beginsGroup: true,
        onAction: () => ask({ kind: 'remove', member }),
      },
    ]
  }
}

function useColumns(entriesOf: (member: Member) => MenuEntries): readonly Column<Member>[] {
  const t = useTranslations('settings.members')
  const shell = useTranslations('shell')
  const format = useFormatter()
  const now = useNow()
  const own = useMe().member.id
  return [
    {
      id: 'name',
      title: t('name'),
      cell: member => (
        <span className="flex min-w-48 items-center gap-3">
          <Avatar name={member.name} />
          <span className="min-w-0">
            <span className="block font-medium">
              {member.name}
              {member.id === own && <span className="ms-1.5 font-normal text-muted">{t('you')}</span>}
            </span>
            <span className="block text-[0.8125rem] text-muted">{member.email}</span>
            <span className="block text-[0.8125rem] sm:hidden">{shell(`roles.${member.role}`)}</span>
          </span>
        </span>
      ),
    },
    { id: 'role', title: t('role'), isSecondary: true, cell: member => shell(`roles.${member.role}`) },
    {
      id: 'seen',
      title: t('lastSeen'),
      isSecondary: true,
      cell: ({ status, last_seen_at }) =>
        status === 'invited' ? (
          <Badge variant="warn">{t('statusInvited')}</Badge>
        ) : (
          <span className="text-muted">
            {last_seen_at === null ? t('neverSeen') : format.relativeTime(new Date(last_seen_at), now)}
          </span>
        ),
    },
    {
      id: 'actions',
      title: shell('more'),
      isTitleHidden: true,
      isNumber: true,
      cell: member => <MoreMenu label={t('actionsFor', { name: member.name })} entries={entriesOf(member)} />,
    },
  ]
}

export function MemberList({ members, onLink }: MemberListProps) {
  const t = useTranslations('settings.members')
  const [question, ask] = useState<Question>()
  const columns = useColumns(useEntries(ask, onLink))
  const close = () => ask(undefined)
  return (
    <>
      <Table label={t('listLabel')} columns={columns} rows={members} keyOf={({ id }) => id} />
      {question?.kind === 'role' && <RoleDialog member={question.member} onClose={close} />}
      {question?.kind === 'remove' && <RemoveDialog member={question.member} onClose={close} />}
      {question?.kind === 'owner' && <OwnerDialog member={question.member} onClose={close} />}
    </>
  )
}
