// The texts of a pasted signature that became fields. Each can stay a text.
import type { Content, ContentImport } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { Checkbox } from '#ui/form/choice.tsx'

type ImportedField = ContentImport['fields'][number]

function withTexts(node: unknown, values: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(node)) return node.map(each => withTexts(each, values))
  if (typeof node !== 'object' || node === null) return node
  const { smartFieldUuid, ...rest } = node as Record<string, unknown>
  const value = typeof rest.id === 'string' ? values.get(rest.id) : undefined
  if (value !== undefined && smartFieldUuid !== undefined) {
    const { type: _, ...token } = rest
    return { ...token, value }
  }
  return Object.fromEntries(Object.entries(node).map(([key, each]) => [key, withTexts(each, values)]))
}

/** The content with some fields as the texts that they were. */
export function contentWithTexts({ content, fields }: ContentImport, texts: ReadonlySet<string>): Content {
  const values = new Map(
    fields.filter(({ token_id }) => texts.has(token_id)).map(({ token_id, value }) => [token_id, value]),
  )
  return values.size === 0 ? content : (withTexts(content, values) as Content)
}

interface ImportedFieldsProps {
  readonly fields: readonly ImportedField[]
  readonly texts: ReadonlySet<string>
  readonly onTexts: (texts: ReadonlySet<string>) => void
}

export function ImportedFields({ fields, texts, onTexts }: ImportedFieldsProps) {
  const t = useTranslations('signatures')
  const { data = [] } = useQuery(smartFieldsQuery)
  const labelOf = ({ smart_field_id }: ImportedField) =>
    data.find(({ id }) => id === smart_field_id)?.label ?? t('unknownField')
  const change = (id: string, isField: boolean) => {
    const next = new Set(texts)
    if (isField) next.delete(id)
    else next.add(id)
    onTexts(next)
  }
  return (
    <fieldset>
      <legend className="mb-1 text-[0.8125rem] font-medium">
        {t('importedFields', { count: fields.length })}
      </legend>
      <div className="grid gap-1.5">
        {fields.map(field => (
          <Checkbox
            key={field.token_id}
            isSelected={!texts.has(field.token_id)}
            onChange={isField => change(field.token_id, isField)}
          >
            <span className="text-muted">{field.value}</span>{' '}
            <span className="rounded bg-accent-soft px-1.5 py-0.5 text-xs font-medium text-accent">
              {labelOf(field)}
            </span>
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}
