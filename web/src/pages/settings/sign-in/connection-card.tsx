import type { SsoConnection } from '@signoff/sdk'
import { useState } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { saveOverSeen } from '#state/use-edit.ts'
import { Button, IconButton } from '#ui/base/button.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { Switch } from '#ui/form/choice.tsx'
import { Badge, Card, Notice } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { Menu } from '#ui/overlay/menu.tsx'

interface ConnectionCardProps {
  readonly connection: SsoConnection
  readonly onEdit: () => void
  readonly onTest: () => void
}

function useConnectionActions(connection: SsoConnection, onRemoved: () => void) {
  const { id } = connection
  const t = useTranslations('settings.signIn')
  const refresh = () => readAgain('sso_connections')
  const turn = useAction(refresh, {
    run: (active: boolean) =>
      saveOverSeen({
        seen: connection,
        patch: { active },
        read: () => api.ssoConnections.get(id),
        save: (patch, options) => api.ssoConnections.update(id, patch, options),
      }),
  })
  const remove = useAction(refresh, {
    run: async () => api.ssoConnections.delete(id),
    done: () => t('removed'),
    after: onRemoved,
  })
  return { turn, remove }
}

export function ConnectionCard({ connection, onEdit, onTest }: ConnectionCardProps) {
  const t = useTranslations('settings.signIn')
  const shell = useTranslations('shell')
  const format = useFormatter()
  const now = useNow()
  const [isRemoving, setRemoving] = useState(false)
  const { turn, remove } = useConnectionActions(connection, () => setRemoving(false))
  const ago = (at: string | null) => (at === null ? t('never') : format.relativeTime(new Date(at), now))
  const refusal = connection.last_refusal as SsoConnection['last_refusal'] | null
  const label = t('actionsFor', { name: connection.name })
  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 basis-52">
          <h3 className="flex flex-wrap items-center gap-2 font-medium">
            {connection.name}
            <Badge>{connection.kind === 'oidc' ? 'OIDC' : 'SAML'}</Badge>
            {connection.tested_at === null && <Badge variant="warn">{t('untested')}</Badge>}
          </h3>
          <p className="text-[0.8125rem] text-muted">{connection.issuer}</p>
        </div>
        <Button isSmall icon="zap" onPress={onTest}>
          {t('testIt')}
        </Button>
        <Menu
          label={label}
          trigger={<IconButton icon="ellipsis" label={label} />}
          entries={[
            { id: 'edit', label: shell('edit'), icon: 'square-pen', onAction: onEdit },
            {
              id: 'remove',
              label: t('remove'),
              icon: 'trash-2',
              isDangerous: true,
              onAction: () => setRemoving(true),
            },
          ]}
        />
      </div>
      <p className="text-[0.8125rem] text-muted">
        {t('facts', { tested: ago(connection.tested_at), used: ago(connection.last_sign_in_at) })}
      </p>
      {refusal && (
        <Notice kind="warn">{t('refusal', { when: ago(refusal.at), message: refusal.message })}</Notice>
      )}
      {!connection.owner_trusted && <Notice>{t('ownerUntrusted')}</Notice>}
      <Switch
        label={t(connection.active ? 'active' : 'inactive')}
        isSelected={turn.isPending ? turn.variables : connection.active}
        onChange={active => turn.mutate(active)}
      />
      {isRemoving && (
        <ConfirmDialog
          title={t('removeTitle', { name: connection.name })}
          isOpen
          onClose={() => setRemoving(false)}
          action={t('remove')}
          onConfirm={() => remove.mutate()}
          isPending={remove.isPending}
        >
          <p>{t('removeText')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
