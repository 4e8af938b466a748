import type { RequestOptions, SmartField, SmartFieldPatch } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { fieldLabel, storedLabel } from '#api/field-labels.ts'
import { isDirectory, useConnected } from '#api/integrations.ts'
import { useEdit } from '#state/use-edit.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { RadioChoice, Switch } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { Select } from '#ui/form/select.tsx'
import { Notice } from '#ui/layout/page.tsx'

// Where the values of a field come from: they are typed here, or a directory fills them.

type FieldSource = Pick<SmartField, 'integration_id' | 'integration_attribute'>

const noSource: FieldSource = { integration_id: null, integration_attribute: null }

/** A directory without the attribute is not sent: the person has not chosen yet. */
const isWholeSource = ({ integration_id, integration_attribute }: FieldSource): boolean =>
  (integration_id === null) === (integration_attribute === null)

interface FieldSourceChoiceProps {
  readonly value: FieldSource
  readonly onChange: (source: FieldSource) => void
  readonly kind: SmartField['kind']
  /** The stored source of the field, for the question about values that would be replaced. */
  readonly stored: FieldSource
}

const byHand = '-'
/** The attribute that fills pictures, and nothing else. */
const photo = 'photo'

function FieldSourceChoice({ value, onChange, kind, stored }: FieldSourceChoiceProps) {
  const t = useTranslations('fields.source')
  const directories = useConnected().filter(isDirectory)
  const { integration_id: id, integration_attribute: attribute } = value
  const { data: attributes = [] } = useQuery({
    queryKey: ['integrations', id, 'attributes'],
    queryFn: () => api.integrations.attributes(id ?? ''),
    enabled: id !== null,
  })
  const fitting = attributes.filter(entry => (entry.attribute === photo) === (kind === 'image'))
  if (directories.length === 0 && id === null) return null
  const isConnected = directories.some(directory => directory.id === id)
  return (
    <div className="grid gap-3">
      <Select
        label={t('label')}
        hint={id === null ? t('handHint') : t('directoryHint')}
        value={id ?? byHand}
        onChange={chosen =>
          onChange(chosen === byHand ? noSource : { integration_id: chosen, integration_attribute: null })
        }
        options={[
          { id: byHand, label: t('hand') },
          ...directories.map(directory => ({ id: directory.id, label: directory.name })),
          ...(id !== null && !isConnected ? [{ id, label: t('unknown') }] : []),
        ]}
      />
      {id !== null && isConnected && (
        <Select
          label={t('attribute')}
          placeholder={t('choose')}
          value={attribute}
          onChange={integration_attribute => onChange({ integration_id: id, integration_attribute })}
          options={fitting.map(entry => ({
            id: entry.attribute,
            label: fieldLabel(entry.label),
            hint: entry.examples[0] ?? entry.attribute,
          }))}
        />
      )}
      {id !== null && stored.integration_id === null && <Notice kind="warn">{t('replaces')}</Notice>}
    </div>
  )
}

const kinds = ['text', 'phone', 'email', 'url', 'image'] as const
type Editors = 'managers' | 'asks' | 'edits'

const editorsOf = (field: SmartField | null): Editors => {
  if (!field?.editable_by_owner) return 'managers'
  return field.approval === 'required' ? 'asks' : 'edits'
}

/** Only called for a field that exists. */
function useFieldEdit(field: SmartField | null, labelOf: (key: string) => string, onClose: () => void) {
  const id = field?.id ?? ''
  return useEdit({
    seen: field ? { ...field, label: storedLabel(field) } : {},
    read: () => api.smartFields.get(id),
    save: (patch: SmartFieldPatch, options: RequestOptions) => api.smartFields.update(id, patch, options),
    labelOf,
    onDiscard: () => {
      onClose()
      void readAgain('smart_fields')
    },
  })
}

interface FieldDialogProps {
  /** Null: a new one. */
  readonly field: SmartField | null
  readonly onClose: () => void
}

export default function FieldDialog({ field, onClose }: FieldDialogProps) {
  const t = useTranslations('fields')
  const shell = useTranslations('shell')
  const [kind, setKind] = useState<SmartField['kind']>(field?.kind ?? 'text')
  const [editors, setEditors] = useState(editorsOf(field))
  const [isRequired, setRequired] = useState(field?.required ?? false)
  const isAddress = field?.default === true && field.key === 'email'
  const stored = field ?? noSource
  const [source, setSource] = useState<FieldSource>({
    integration_id: stored.integration_id,
    integration_attribute: stored.integration_attribute,
  })
  const isFilled = source.integration_id !== null
  const labels: Readonly<Record<string, string>> = {
    label: t('label'),
    kind: t('kind'),
    required: t('required'),
    fallback: t('fallback'),
    editable_by_owner: t('editors'),
    approval: t('editors'),
    integration_id: t('source.label'),
    integration_attribute: t('source.attribute'),
  }
  const edit = useFieldEdit(field, key => labels[key] ?? key, onClose)
  const save = (form: FormData) => {
    const typed = String(form.get('label')).trim()
    const values = {
      label: field && typed === field.label ? storedLabel(field) : typed,
      required: isRequired,
      ...(!isAddress && {
        fallback: String(form.get('fallback') ?? '').trim() || null,
        editable_by_owner: editors !== 'managers',
        approval: editors === 'asks' ? ('required' as const) : ('none' as const),
      }),
      ...(kind !== field?.kind && { kind }),
      ...(source.integration_id !== stored.integration_id ||
      source.integration_attribute !== stored.integration_attribute
        ? source
        : {}),
    }
    return field ? edit(values) : api.smartFields.create(values)
  }
  const done = () => {
    void readAgain('smart_fields', 'integrations')
    toast(field ? shell('saved') : t('created'))
    onClose()
  }
  return (
    <FormDialog
      title={field ? t('editTitle', { field: field.label }) : t('create')}
      onClose={onClose}
      isModalOnly
      onSubmit={save}
      onDone={done}
      action={field ? shell('save') : t('create')}
      isDisabled={!isWholeSource(source)}
    >
      <TextField
        name="label"
        label={t('label')}
        hint={t('labelHint')}
        defaultValue={field?.label ?? ''}
        isRequired
        autoFocus
      />
      <Select
        label={t('kind')}
        hint={t(`kindHints.${kind}`)}
        value={kind}
        onChange={setKind}
        isDisabled={field?.default ?? false}
        options={kinds.map(id => ({ id, label: t(`kinds.${id}`) }))}
      />
      {!isAddress && kind !== 'image' && (
        <TextField
          name="fallback"
          label={t('fallback')}
          hint={t('fallbackHint')}
          defaultValue={field?.fallback ?? ''}
        />
      )}
      {!isAddress && <FieldSourceChoice value={source} onChange={setSource} kind={kind} stored={stored} />}
      {!isAddress && !isFilled && (
        <RadioChoice
          label={t('editors')}
          value={editors}
          onChange={setEditors}
          options={[
            { id: 'managers', label: t('managersOnly'), hint: t('managersOnlyHint') },
            { id: 'asks', label: t('ownerAsks'), hint: t('ownerAsksHint') },
            { id: 'edits', label: t('ownerEdits'), hint: t('ownerEditsHint') },
          ]}
        />
      )}
      <Switch label={t('required')} hint={t('requiredHint')} isSelected={isRequired} onChange={setRequired} />
    </FormDialog>
  )
}
