import type { NewWebhook, Webhook } from '@signoff/sdk'
import { useState } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { saveOverSeen } from '#state/use-edit.ts'
import { Button } from '#ui/base/button.tsx'
import type { IconName } from '#ui/base/icon.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { Switch } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { Badge, Card, Notice } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { type MenuEntries, MoreMenu } from '#ui/overlay/menu.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'

// The questions before a webhook gets a new secret, is deleted, or gets its events again.

interface QuestionProps {
  readonly of: Webhook
  readonly onClose: () => void
}

function RotateSecretDialog({
  of,
  onClose,
  onCreated,
}: QuestionProps & { readonly onCreated: (created: NewWebhook) => void }) {
  const t = useTranslations('settings.webhooks')
  const mutation = useAction(() => readAgain('webhooks'), {
    run: async () => api.webhooks.rotate(of.id),
    after: created => {
      onClose()
      onCreated(created)
    },
  })
  return (
    <ConfirmDialog
      title={t('rotateTitle')}
      onClose={onClose}
      action={t('rotate')}
      isDangerous={false}
      mutation={mutation}
    >
      <p>{t('rotateText')}</p>
    </ConfirmDialog>
  )
}

function DeleteWebhookDialog({ of, onClose }: QuestionProps) {
  const t = useTranslations('settings.webhooks')
  const shell = useTranslations('shell')
  const mutation = useAction(() => readAgain('webhooks', 'webhook_deliveries'), {
    run: async () => api.webhooks.delete(of.id),
    done: () => t('deleted'),
    after: onClose,
  })
  return (
    <ConfirmDialog title={t('deleteTitle')} onClose={onClose} action={shell('delete')} mutation={mutation}>
      <p>{t('deleteText', { url: of.url })}</p>
    </ConfirmDialog>
  )
}

/** The value of a field for date and time, in the time zone of the browser. */
const localMoment = (date: Date): string => {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

function ReplaySinceDialog({ of, onClose }: QuestionProps) {
  const t = useTranslations('settings.webhooks')
  return (
    <FormDialog
      title={t('replayTitle')}
      onClose={onClose}
      size="small"
      about={t('replayText')}
      onSubmit={form =>
        api.webhooks.replay(of.id, { since: new Date(String(form.get('since'))).toISOString() })
      }
      onDone={({ queued }) => {
        onClose()
        toast(t('replayQueued', { count: queued }))
        void readAgain('webhook_deliveries')
      }}
      action={t('replay')}
    >
      <TextField
        label={t('since')}
        name="since"
        type="datetime-local"
        defaultValue={localMoment(new Date(Date.now() - 86_400_000))}
        isRequired
      />
    </FormDialog>
  )
}

type Kind = 'edit' | 'rotate' | 'replay' | 'delete'

function useWebhookActions(of: Webhook) {
  const t = useTranslations('settings.webhooks')
  const test = useAction(() => readAgain('webhook_deliveries'), {
    run: async () => api.webhooks.test(of.id),
    done: () => t('testSent'),
  })
  const turn = useAction(() => readAgain('webhooks'), {
    run: (active: boolean) =>
      saveOverSeen({
        seen: of,
        patch: { active },
        read: () => api.webhooks.get(of.id),
        save: (patch, options) => api.webhooks.update(of.id, patch, options),
      }),
  })
  return { test, turn }
}

function useWebhookMenu(ask: (kind: Kind) => void): MenuEntries {
  const t = useTranslations('settings.webhooks')
  const shell = useTranslations('shell')
  const can = useCan()
  const entry = (id: Kind, label: string, icon: IconName) => ({ id, label, icon, onAction: () => ask(id) })
  return [
    can('webhooks:write') && entry('edit', shell('edit'), 'square-pen'),
    can('webhooks:write') && entry('rotate', t('rotate'), 'refresh-cw'),
    can('webhooks:write') && entry('replay', t('replaySince'), 'history'),
    can('webhooks:delete') && {
      ...entry('delete', shell('delete'), 'trash-2'),
      isDangerous: true,
      beginsGroup: true,
    },
  ]
}

/** Why nothing is sent, or that deliveries fail at the moment. */
function Health({ of }: { readonly of: Webhook }) {
  const t = useTranslations('settings.webhooks')
  const format = useFormatter()
  const now = useNow()
  if (of.disabled_reason !== null)
    return <Notice kind="bad">{t(of.disabled_reason === 'gone' ? 'offGone' : 'offFailing')}</Notice>
  if (of.failing_since === null) return null
  return (
    <Notice kind="warn">
      {t('failing', { when: format.relativeTime(new Date(of.failing_since), now) })}
    </Notice>
  )
}

function WebhookCard({
  of,
  onCreated,
}: {
  readonly of: Webhook
  readonly onCreated: (created: NewWebhook) => void
}) {
  const t = useTranslations('settings.webhooks')
  const names = useTranslations('settings.webhooks.events')
  const can = useCan()
  const [kind, ask] = useState<Kind>()
  const { test, turn } = useWebhookActions(of)
  const entries = useWebhookMenu(ask)
  const close = () => ask(undefined)
  return (
    <Card className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-start gap-3">
        <h2 className="min-w-0 flex-1 basis-52 pt-1 font-medium break-all">{of.url}</h2>
        <div className="flex items-center gap-2">
          {can('webhooks:write') && (
            <Button isSmall icon="zap" onPress={() => test.mutate()} isPending={test.isPending}>
              {t('test')}
            </Button>
          )}
          <MoreMenu label={t('actionsFor', { url: of.url })} entries={entries} />
        </div>
      </div>
      <ul className="flex flex-wrap gap-1.5" aria-label={t('eventsLabel')}>
        {of.events.map(event => (
          <li key={event}>
            <Badge>{names(event)}</Badge>
          </li>
        ))}
      </ul>
      <Health of={of} />
      <Switch
        label={t(of.active ? 'active' : 'inactive')}
        isSelected={turn.isPending ? turn.variables : of.active}
        onChange={active => turn.mutate(active)}
        isDisabled={!can('webhooks:write')}
      />
      {kind === 'edit' && <WebhookDialog stored={of} onClose={close} onCreated={onCreated} />}
      {kind === 'rotate' && <RotateSecretDialog of={of} onClose={close} onCreated={onCreated} />}
      {kind === 'replay' && <ReplaySinceDialog of={of} onClose={close} />}
      {kind === 'delete' && <DeleteWebhookDialog of={of} onClose={close} />}
    </Card>
  )
}

interface WebhookListProps {
  readonly webhooks: readonly Webhook[]
  readonly onCreated: (created: NewWebhook) => void
}

export const WebhookList = ({ webhooks, onCreated }: WebhookListProps) => (
  <div className="grid grid-cols-1 gap-3">
    {webhooks.map(of => (
      <WebhookCard key={of.id} of={of} onCreated={onCreated} />
    ))}
  </div>
)
