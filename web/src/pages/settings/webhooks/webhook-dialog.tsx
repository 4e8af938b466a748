import type { NewWebhook, RequestOptions, Webhook, WebhookPatch } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { useEdit } from '#state/use-edit.ts'
import { Button } from '#ui/base/button.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Checkbox } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { allEvents, eventGroups, type WebhookEvent } from './events.ts'

interface EventPickerProps {
  readonly chosen: readonly WebhookEvent[]
  readonly onChange: (events: readonly WebhookEvent[]) => void
}

function EventPicker({ chosen, onChange }: EventPickerProps) {
  const t = useTranslations('settings.webhooks')
  const names = useTranslations('settings.webhooks.events')
  const toggle = (event: WebhookEvent, isSelected: boolean) =>
    onChange(isSelected ? [...chosen, event] : chosen.filter(each => each !== event))
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 flex w-full items-center justify-between text-[0.8125rem] font-medium">
        {t('eventsLabel')}
        <Button
          isSmall
          variant="quiet"
          onPress={() => onChange(chosen.length === allEvents.length ? [] : allEvents)}
        >
          {t(chosen.length === allEvents.length ? 'chooseNone' : 'chooseAll')}
        </Button>
      </legend>
      <div className="grid max-h-80 gap-4 overflow-y-auto rounded-xl border border-line p-4 sm:grid-cols-2">
        {eventGroups.map(({ id, events }) => (
          <div key={id} className="grid content-start gap-2">
            <p className="text-xs font-medium text-muted">{t(`groups.${id}`)}</p>
            {events.map(event => (
              <Checkbox
                key={event}
                isSelected={chosen.includes(event)}
                onChange={isSelected => toggle(event, isSelected)}
              >
                {names(event)}
              </Checkbox>
            ))}
          </div>
        ))}
      </div>
    </fieldset>
  )
}

interface WebhookDialogProps {
  /** Without one, a webhook is created. */
  readonly stored?: Webhook
  readonly onClose: () => void
  readonly onCreated: (created: NewWebhook) => void
}

export function WebhookDialog({ stored, onClose, onCreated }: WebhookDialogProps) {
  const t = useTranslations('settings.webhooks')
  const shell = useTranslations('shell')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(stored?.events ?? [])
  const id = stored?.id ?? ''
  const names = useTranslations('settings.webhooks.events')
  const edit = useEdit({
    seen: stored ?? {},
    read: () => api.webhooks.get(id),
    save: (patch: WebhookPatch, options: RequestOptions) => api.webhooks.update(id, patch, options),
    labelOf: key => t(key === 'events' ? 'eventsLabel' : 'url'),
    textOf: (value, key) =>
      key === 'events'
        ? (value as readonly WebhookEvent[]).map(each => names(each)).join(', ')
        : String(value),
    onDiscard: () => {
      onClose()
      void readAgain('webhooks')
    },
  })
  const send = async (form: FormData): Promise<NewWebhook | undefined> => {
    const values = { url: String(form.get('url')).trim(), events: [...events] }
    if (!stored) return api.webhooks.create(values)
    await edit(values)
    toast(shell('saved'))
    return undefined
  }
  const done = (created: NewWebhook | undefined) => {
    void readAgain('webhooks')
    onClose()
    if (created) onCreated(created)
  }
  return (
    <FormDialog
      title={t(stored ? 'editTitle' : 'createTitle')}
      onClose={onClose}
      isModalOnly
      onSubmit={send}
      onDone={done}
      action={stored ? shell('save') : t('create')}
      isDisabled={events.length === 0}
    >
      <TextField
        label={t('url')}
        name="url"
        type="url"
        hint={t('urlHint')}
        placeholder="https://example.com/hooks/signoff"
        defaultValue={stored?.url ?? ''}
        isRequired
        autoFocus
        maxLength={2000}
      />
      <EventPicker chosen={events} onChange={setEvents} />
    </FormDialog>
  )
}
