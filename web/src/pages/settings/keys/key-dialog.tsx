// Creates a key, or changes the name, permissions and expiry of one.
import type { ApiKey, ApiKeyPatch, NewApiKey, RequestOptions } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, queryClient, type Scope } from '#api/client.ts'
import { useMe } from '#api/session.tsx'
import { useEdit } from '#state/use-edit.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { Select } from '#ui/form/select.tsx'
import { type Preset, ScopePicker } from './scope-picker.tsx'
import { expanded, type Grant } from './scopes.ts'

const day = 86_400_000
const spans = { month: 30, quarter: 90, year: 365 } as const
type Expiry = keyof typeof spans | 'never' | 'kept'

const expiresAt = (expiry: Exclude<Expiry, 'kept'>): string | null =>
  expiry === 'never' ? null : new Date(Date.now() + spans[expiry] * day).toISOString()

const presetOf = (key: ApiKey | undefined): Preset => {
  if (!key || key.scopes.includes('*:read')) return 'read'
  return key.scopes.includes('*') ? 'all' : 'chosen'
}

interface KeyDialogProps {
  /** Without one, a key is created. */
  readonly stored?: ApiKey
  readonly onClose: () => void
  readonly onCreated: (created: NewApiKey) => void
}

export function KeyDialog({ stored, onClose, onCreated }: KeyDialogProps) {
  const t = useTranslations('settings.keys')
  const shell = useTranslations('shell')
  const { scopes } = useMe()
  const [preset, setPreset] = useState(presetOf(stored))
  const [chosen, setChosen] = useState<readonly Scope[]>(stored ? expanded(stored.scopes, scopes) : [])
  const [expiry, setExpiry] = useState<Expiry>(stored ? 'kept' : 'year')
  const granted: readonly Grant[] = preset === 'chosen' ? chosen : preset === 'all' ? ['*'] : ['*:read']
  const spanIds: readonly Expiry[] = [
    ...(stored ? (['kept'] as const) : []),
    'month',
    'quarter',
    'year',
    'never',
  ]
  const id = stored?.id ?? ''
  const labels: Readonly<Record<string, string>> = {
    name: t('name'),
    scopes: t('scopes'),
    expires_at: t('expiry'),
  }
  const edit = useEdit({
    seen: stored ?? {},
    read: () => api.apiKeys.get(id),
    save: (patch: ApiKeyPatch, options: RequestOptions) => api.apiKeys.update(id, patch, options),
    labelOf: key => labels[key] ?? key,
    onDiscard: () => {
      onClose()
      void queryClient.invalidateQueries({ queryKey: ['api_keys'] })
    },
  })
  const send = async (form: FormData): Promise<NewApiKey | undefined> => {
    const values = {
      name: String(form.get('name')).trim(),
      scopes: [...granted],
      ...(expiry !== 'kept' && { expires_at: expiresAt(expiry) }),
    }
    if (!stored) return api.apiKeys.create(values)
    await edit(values)
    toast(shell('saved'))
    return undefined
  }
  const done = (created: NewApiKey | undefined) => {
    void queryClient.invalidateQueries({ queryKey: ['api_keys'] })
    onClose()
    if (created) onCreated(created)
  }
  return (
    <FormDialog
      title={stored ? t('editTitle') : t('createTitle')}
      onClose={onClose}
      isModalOnly
      onSubmit={send}
      onDone={done}
      action={stored ? shell('save') : t('create')}
      isDisabled={granted.length === 0}
    >
      <TextField
        label={t('name')}
        name="name"
        hint={t('nameHint')}
        defaultValue={stored?.name ?? ''}
        isRequired
        autoFocus
        maxLength={200}
      />
      <ScopePicker preset={preset} onPreset={setPreset} chosen={chosen} onChosen={setChosen} />
      <Select
        label={t('expiry')}
        value={expiry}
        onChange={setExpiry}
        options={spanIds.map(id => ({ id, label: t(`spans.${id}`) }))}
        {...(expiry === 'never' && { hint: t('neverHint') })}
      />
    </FormDialog>
  )
}
