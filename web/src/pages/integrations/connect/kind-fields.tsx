// The settings and secrets of a kind as controls, from the table in kinds.ts.

import { type ReactNode, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { Checkbox, RadioChoice } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { TagsField } from '#ui/form/tags-field.tsx'
import type { Capability, FieldName, Kind, KindField, SecretWay } from '../kinds.ts'

// A text file such as a key: chosen, or pasted. A chosen file shows its name only, because others may see the screen.

interface FileFieldProps {
  readonly label: string
  readonly hint: ReactNode
  readonly name: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly file: NonNullable<KindField['file']>
}

/** Larger files are no keys. */
const maxBytes = 200_000

function FileField({ label, hint, name, value, onChange, file }: FileFieldProps) {
  const t = useTranslations('integrations.form')
  const [fileName, setFileName] = useState('')
  const [isTooLarge, setTooLarge] = useState(false)
  const choose = async (files: FileList | null) => {
    const chosen = files?.item(0)
    if (!chosen) return
    setTooLarge(chosen.size > maxBytes)
    if (chosen.size > maxBytes) return
    onChange(await chosen.text())
    setFileName(chosen.name)
  }
  const clear = () => {
    setFileName('')
    onChange('')
  }
  const isWrong = value.trim() !== '' && !file.has.test(value)
  const problem = isTooLarge ? t('tooLarge') : isWrong ? t('wrongFile') : undefined
  const notes = { ...(hint !== undefined && { hint }), ...(problem !== undefined && { problem }) }
  return (
    <div className="grid gap-2">
      {fileName === '' ? (
        <TextField
          {...{ label, name, value, onChange, ...notes }}
          rows={3}
          placeholder={t('pasteHere')}
          isRequired
        />
      ) : (
        <TextField {...{ label, name, ...notes }} value={fileName} isReadOnly />
      )}
      <div className="flex flex-wrap gap-2">
        <FileTrigger acceptedFileTypes={file.types} onSelect={files => void choose(files)}>
          <Button isSmall icon="upload">
            {fileName === '' ? t('chooseFile') : t('otherFile')}
            <span className="sr-only">: {label}</span>
          </Button>
        </FileTrigger>
        {fileName !== '' && (
          <Button isSmall variant="quiet" onPress={clear}>
            {t('removeFile')}
          </Button>
        )}
      </div>
    </div>
  )
}

const modes = ['report', 'restore', 'off'] as const

interface RepairFieldProps {
  readonly label: string
  /** Empty: the default of the API. */
  readonly value: string
  readonly onChange: (mode: string) => void
}

/** The choice of what happens when a signature in a mailbox is not the one that was written. */
function RepairField({ label, value, onChange }: RepairFieldProps) {
  const t = useTranslations('integrations.fields.repair')
  return (
    <RadioChoice
      label={label}
      value={modes.find(mode => mode === value) ?? 'report'}
      onChange={onChange}
      options={modes.map(id => ({ id, label: t(`${id}.label`), hint: t(`${id}.hint`) }))}
    />
  )
}

const mails = ['external', 'internal', 'replies'] as const
type Mail = (typeof mails)[number]

interface MailsFieldProps {
  readonly label: string
  readonly hint: ReactNode
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
}

/** Without one of these two, no mail would get a signature. */
const isLastOfTwo = (mail: Mail, chosen: readonly Mail[]): boolean =>
  mail !== 'replies' && chosen.filter(choice => choice !== 'replies').join() === mail

/** The choice of mail that gets a signature of the relay. Nothing chosen is the default of the API: all of it. */
function MailsField({ label, hint, values, onChange }: MailsFieldProps) {
  const t = useTranslations('integrations.fields.mails')
  const chosen = mails.filter(mail => values.length === 0 || values.includes(mail))
  const toggle = (mail: Mail, isSelected: boolean) => {
    const next = mails.filter(choice => (choice === mail ? isSelected : chosen.includes(choice)))
    onChange(next.length === mails.length ? [] : next)
  }
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 text-[0.8125rem] font-medium">{label}</legend>
      <p className="-mt-1 text-[0.8125rem] text-muted">{hint}</p>
      {mails.map(mail => (
        <Checkbox
          key={mail}
          isSelected={chosen.includes(mail)}
          isDisabled={isLastOfTwo(mail, chosen)}
          onChange={isSelected => toggle(mail, isSelected)}
        >
          <span className="block font-medium">{t(`${mail}.label`)}</span>
          <span className="block text-[0.8125rem] text-muted">{t(`${mail}.hint`)}</span>
        </Checkbox>
      ))}
    </fieldset>
  )
}

/** Texts by the names of the fields; lists for fields that hold several. */
export type KindValues = Readonly<Partial<Record<FieldName, string | readonly string[]>>>

/** True if a field or step is needed for what the integration does. */
export const isNeeded = (
  { for: capability }: { readonly for?: Capability },
  capabilities: readonly Capability[],
): boolean => capability === undefined || capabilities.includes(capability)

/** The fields that are asked for, with the chosen way to prove who we are. */
export const fieldsOf = (
  { fields, secretWays = [] }: Kind,
  way: SecretWay['id'] | undefined,
  capabilities: readonly Capability[],
) => {
  const optional = new Set(secretWays.flatMap(secretWay => secretWay.fields))
  const chosen = new Set(secretWays.find(secretWay => secretWay.id === way)?.fields ?? [])
  return fields.filter(
    field => isNeeded(field, capabilities) && (!optional.has(field.name) || chosen.has(field.name)),
  )
}

/** The values of one part as the API takes them; empty ones are left out. */
export function partOf(fields: readonly KindField[], part: KindField['part'], values: KindValues) {
  const entries = fields
    .filter(field => field.part === part)
    .map(({ name }) => [name, trimmed(values[name])] as const)
    .filter(([, value]) => value !== undefined && value.length > 0)
  return Object.fromEntries(entries)
}

/** True if every file has what a file of its kind has: other files are not sent. */
export const areFilesRight = (fields: readonly KindField[], values: KindValues): boolean =>
  fields.every(({ name, file }) => !file || file.has.test(String(values[name] ?? '')))

const trimmed = (value: string | readonly string[] | undefined) =>
  typeof value === 'string' ? value.trim() : value

/** `integration.settings.group_columns[1]` → `group_columns`: the name of the control. */
export const controlOfField = (field: string): string =>
  field.replace(/^(integration\.)?(settings|secret)\./, '').replace(/\[\d+\]$/, '')

interface KindFieldsProps {
  readonly kind: Kind
  readonly fields: readonly KindField[]
  readonly values: KindValues
  readonly onChange: (values: KindValues) => void
  readonly way?: SecretWay['id'] | undefined
  readonly onWay?: (way: SecretWay['id']) => void
}

export function KindFields({ kind, fields, values, onChange, way, onWay }: KindFieldsProps) {
  const t = useTranslations('integrations')
  const isSecret = ({ part }: KindField) => part === 'secret'
  const firstSecret = fields.find(isSecret)
  const ways = kind.secretWays ?? []
  return fields.map(field => (
    <div key={field.name} className="grid grid-cols-1 gap-4">
      {ways.length > 0 && field === firstSecret && way !== undefined && (
        <RadioChoice
          label={t('form.way')}
          value={way}
          onChange={id => onWay?.(id)}
          options={ways.map(({ id }) => ({
            id,
            label: t(`form.ways.${id}.label`),
            hint: t(`form.ways.${id}.hint`),
          }))}
        />
      )}
      <OneField
        field={field}
        value={values[field.name]}
        onChange={value => onChange({ ...values, [field.name]: value })}
      />
    </div>
  ))
}

interface OneFieldProps {
  readonly field: KindField
  readonly value: string | readonly string[] | undefined
  readonly onChange: (value: string | readonly string[]) => void
}

function OneField({ field, value, onChange }: OneFieldProps) {
  const { name, control, isRequired, placeholder, separators, file } = field
  const t = useTranslations('integrations.fields')
  const label = t(`${name}.label`)
  const hint = t.rich(`${name}.hint`, {
    code: parts => <code className="inline-block max-w-full wrap-anywhere">{parts}</code>,
  })
  const text = typeof value === 'string' ? value : ''
  if (file) return <FileField {...{ label, hint, name, file, onChange }} value={text} />
  const values = typeof value === 'object' ? value : []
  const example = placeholder !== undefined && { placeholder }
  if (control === 'mails') return <MailsField {...{ label, hint, values, onChange }} />
  if (control === 'repair') return <RepairField {...{ label, onChange }} value={text} />
  if (control === 'list')
    return (
      <TagsField
        {...{ label, hint, name, values, onChange }}
        {...example}
        {...(separators && { separators })}
      />
    )
  return (
    <TextField
      {...{ label, hint, name, isRequired, onChange }}
      value={text}
      type={control}
      autoComplete="off"
      {...example}
    />
  )
}
