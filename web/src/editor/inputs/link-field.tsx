// Where a link leads: an address, a field of the person, or the contact card.
import { type Href, safeUrl } from '@signoff/render'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { TextField } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { useEditor } from '../kit/editor-context.ts'
import { useInspector } from './inspector-data.ts'

type LinkKind = 'none' | 'address' | 'field' | 'card'

const kindOf = (href: Href | undefined): LinkKind => {
  if (!href) return 'none'
  if (href.vcard) return 'card'
  return href.smartFieldUuid === undefined ? 'address' : 'field'
}

/** Also the first letters of one. */
const isAddress = (text: string): boolean => 'https://'.startsWith(text) || safeUrl(text) !== null

interface LinkFieldProps {
  readonly label: string
  readonly value: Href | undefined
  readonly onChange: (href: Href | undefined) => void
  /** A button always has a link. */
  readonly isRequired?: boolean
  /** Without a link, the field for an address is shown at once. */
  readonly isAddressFirst?: boolean
}

export function LinkField(props: LinkFieldProps) {
  const { label, value, onChange, isRequired = false, isAddressFirst = false } = props
  const t = useTranslations('editor.inspector')
  const tools = useTranslations('editor.textTools')
  const { store } = useEditor()
  const { fields } = useInspector()
  const [text, setText] = useState(value?.text ?? '')
  const [isTyping, setTyping] = useState(isAddressFirst)
  useEffect(() => {
    if (value?.text !== undefined) setText(value.text)
  }, [value?.text])
  const linkable = fields.filter(({ kind }) => kind !== 'image')
  const parameters = value?.queryParams ? { queryParams: value.queryParams } : {}
  const choose = (kind: LinkKind) => {
    const [first] = linkable.filter(({ kind: fieldKind }) => fieldKind === 'url')
    setTyping(kind === 'address')
    if (kind === 'none') onChange(undefined)
    else if (kind === 'card') onChange({ vcard: true })
    else if (kind === 'field') onChange({ smartFieldUuid: (first ?? linkable[0])?.id ?? '', ...parameters })
    else type(text)
  }
  /** An address that is not complete stays in the field; the link is the one before. */
  const type = (typed: string) => {
    setText(typed)
    if (safeUrl(typed) !== null) onChange({ text: typed, ...parameters })
    else if (typed === '' && !isRequired) onChange(undefined)
  }
  const kinds = (['none', 'address', 'field', 'card'] as const).filter(
    kind => !(kind === 'none' && isRequired) && !(kind === 'card' && store.kind === 'campaign'),
  )
  const kind = value || !isTyping ? kindOf(value) : 'address'
  return (
    <div className="grid gap-2">
      <Select
        label={label}
        value={kind}
        onChange={choose}
        options={kinds.map(id => ({
          id,
          label: t(
            ({ none: 'linkNone', address: 'linkAddress', field: 'linkField', card: 'linkCard' } as const)[id],
          ),
        }))}
      />
      {kind === 'address' && (
        <TextField
          label={t('linkText')}
          isLabelHidden
          placeholder="https://"
          value={text}
          maxLength={2_048}
          autoFocus={isAddressFirst}
          validationBehavior="aria"
          validate={typed => (isAddress(typed) ? null : tools('notAnAddress'))}
          onChange={type}
        />
      )}
      {kind === 'field' && (
        <Select
          label={t('field')}
          isLabelHidden
          value={value?.smartFieldUuid ?? null}
          onChange={id => onChange({ smartFieldUuid: id, ...parameters })}
          options={linkable.map(({ id, label: name }) => ({ id, label: name }))}
        />
      )}
    </div>
  )
}
