// Creates a key, or changes the name, permissions and expiry of one.
import type { ApiKey, ApiKeyPatch, NewApiKey, RequestOptions } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, readAgain, type Scope } from '#api/client.ts'
import { useMe } from '#api/session.ts'
import { useEdit } from '#state/use-edit.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { Checkbox, RadioChoice } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { Select } from '#ui/form/select.tsx'
import { actions, expanded, type Grant, resources, scopeOf } from './scopes.ts'

type Preset = 'all' | 'read' | 'chosen'

interface ScopePickerProps {
  readonly preset: Preset
  readonly onPreset: (preset: Preset) => void
  readonly chosen: readonly Scope[]
  readonly onChosen: (scopes: readonly Scope[]) => void
}

function ScopeTable({ chosen, onChosen }: Pick<ScopePickerProps, 'chosen' | 'onChosen'>) {
  const t = useTranslations('settings.keys')
  const { scopes } = useMe()
  const set = (scope: Scope, isSelected: boolean) =>
    onChosen(isSelected ? [...chosen, scope] : chosen.filter(each => each !== scope))
  const rows = resources.filter(resource =>
    actions.some(action => scopes.includes(scopeOf(resource, action))),
  )
  return (
    <div className="max-h-80 overflow-y-auto rounded-xl border border-line">
      <table className="w-full text-sm">
        <caption className="sr-only">{t('scopes')}</caption>
        <thead className="sticky top-0 bg-card">
          <tr className="border-b border-line text-xs text-muted">
            <th scope="col" className="px-3 py-2 text-start font-medium">
              {t('resource')}
            </th>
            {actions.map(action => (
              <th key={action} scope="col" className="px-2 py-2 font-medium">
                {t(`actions.${action}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(resource => (
            <tr key={resource} className="border-b border-line last:border-0">
              <th scope="row" className="px-3 py-1.5 text-start font-normal">
                {t(`resources.${resource}`)}
              </th>
              {actions.map(action => {
                const scope = scopeOf(resource, action)
                return (
                  <td key={action} className="px-2 py-1">
                    {scopes.includes(scope) && (
                      <Checkbox
                        aria-label={`${t(`resources.${resource}`)}: ${t(`actions.${action}`)}`}
                        isSelected={chosen.includes(scope)}
                        onChange={isSelected => set(scope, isSelected)}
                        className="justify-center p-1"
                      />
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The permissions of a key: everything, reading, or single permissions by resource. */
function ScopePicker({ preset, onPreset, chosen, onChosen }: ScopePickerProps) {
  const t = useTranslations('settings.keys')
  return (
    <div className="grid gap-3">
      <RadioChoice
        label={t('scopes')}
        value={preset}
        onChange={onPreset}
        options={[
          { id: 'read', label: t('presetRead'), hint: t('presetReadHint') },
          { id: 'all', label: t('presetAll'), hint: t('presetAllHint') },
          { id: 'chosen', label: t('presetChosen'), hint: t('presetChosenHint') },
        ]}
      />
      {preset === 'chosen' && <ScopeTable chosen={chosen} onChosen={onChosen} />}
    </div>
  )
}

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

export default function KeyDialog({ stored, onClose, onCreated }: KeyDialogProps) {
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
      void readAgain('api_keys')
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
    void readAgain('api_keys')
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
