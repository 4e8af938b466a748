import type { ApiKey, NewApiKey } from '@signoff/sdk'
import { useState } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { onDemand } from '#ui/base/on-demand.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { Badge } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { type MenuEntries, MoreMenu } from '#ui/overlay/menu.tsx'
import { type Column, Table } from '#ui/table/table.tsx'

const KeyDialog = onDemand(() => import('./key-dialog.tsx'))

interface KeyListProps {
  readonly keys: readonly ApiKey[]
  readonly onCreated: (created: NewApiKey) => void
}

type Question = { readonly kind: 'edit' | 'rotate' | 'revoke'; readonly of: ApiKey }

const soon = 14 * 86_400_000

function Expiry({ of }: { readonly of: ApiKey }) {
  const t = useTranslations('settings.keys')
  const format = useFormatter()
  const now = useNow()
  if (of.expires_at === null) return <span className="text-muted">{t('never')}</span>
  const at = new Date(of.expires_at)
  if (at <= now) return <Badge variant="bad">{t('expired')}</Badge>
  const text = format.dateTime(at, { dateStyle: 'medium' })
  return at.getTime() - now.getTime() < soon ? <Badge variant="warn">{text}</Badge> : text
}

function useKeyColumns(ask: (question: Question) => void): readonly Column<ApiKey>[] {
  const t = useTranslations('settings.keys')
  const shell = useTranslations('shell')
  const format = useFormatter()
  const now = useNow()
  const can = useCan()
  const scopesOf = ({ scopes }: ApiKey) => {
    if (scopes.includes('*')) return t('presetAll')
    return scopes.includes('*:read') ? t('presetRead') : t('scopeCount', { count: scopes.length })
  }
  const entriesOf = (of: ApiKey): MenuEntries => {
    const askFor = (kind: Question['kind']) => () => ask({ kind, of })
    return [
      can('api_keys:write') && {
        id: 'edit',
        label: shell('edit'),
        icon: 'square-pen',
        onAction: askFor('edit'),
      },
      can('api_keys:write') && {
        id: 'rotate',
        label: t('rotate'),
        icon: 'refresh-cw',
        onAction: askFor('rotate'),
      },
      can('api_keys:delete') && {
        id: 'revoke',
        label: t('revoke'),
        icon: 'trash-2',
        isDangerous: true,
        beginsGroup: true,
        onAction: askFor('revoke'),
      },
    ]
  }
  return [
    {
      id: 'name',
      title: t('name'),
      cell: ({ name, prefix }) => (
        <span className="block min-w-36">
          <span className="block font-medium">{name}</span>
          <code className="text-xs text-muted">{prefix}…</code>
        </span>
      ),
    },
    { id: 'scopes', title: t('scopes'), isSecondary: true, cell: scopesOf },
    {
      id: 'used',
      title: t('lastUsed'),
      isSecondary: true,
      cell: ({ last_used_at }) => (
        <span className="text-muted">
          {last_used_at === null ? t('unused') : format.relativeTime(new Date(last_used_at), now)}
        </span>
      ),
    },
    { id: 'expires', title: t('expires'), cell: of => <Expiry of={of} /> },
    {
      id: 'actions',
      title: shell('more'),
      isTitleHidden: true,
      isNumber: true,
      cell: of => <MoreMenu label={t('actionsFor', { name: of.name })} entries={entriesOf(of)} />,
    },
  ]
}

export function KeyList({ keys, onCreated }: KeyListProps) {
  const t = useTranslations('settings.keys')
  const [question, ask] = useState<Question>()
  const close = () => ask(undefined)
  const columns = useKeyColumns(ask)
  const action = useAction(() => readAgain('api_keys'), {
    run: async ({ kind, of }: Question) =>
      kind === 'rotate' ? api.apiKeys.rotate(of.id) : api.apiKeys.delete(of.id),
    done: answer => (answer ? undefined : t('revoked')),
    after: answer => {
      close()
      if (answer) onCreated(answer)
    },
  })
  const isConfirm = question?.kind === 'rotate' || question?.kind === 'revoke'
  return (
    <>
      <Table label={t('listLabel')} columns={columns} rows={keys} keyOf={({ id }) => id} />
      {question?.kind === 'edit' && <KeyDialog stored={question.of} onClose={close} onCreated={onCreated} />}
      {isConfirm && (
        <ConfirmDialog
          title={t(question.kind === 'rotate' ? 'rotateTitle' : 'revokeTitle', { name: question.of.name })}
          onClose={close}
          action={t(question.kind === 'rotate' ? 'rotate' : 'revoke')}
          isDangerous={question.kind === 'revoke'}
          onConfirm={() => action.mutate(question)}
          isPending={action.isPending}
        >
          <p>{t(question.kind === 'rotate' ? 'rotateText' : 'revokeText')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
