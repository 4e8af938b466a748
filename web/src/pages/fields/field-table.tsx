import type { SmartField, SmartFieldUsage } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { useSourceName } from '#api/integrations.ts'
import { useCan } from '#api/session.ts'
import { Icon } from '#ui/base/icon.tsx'
import { PathLink, TextLink } from '#ui/base/text-link.tsx'
import { Badge } from '#ui/layout/page.tsx'
import { MoreMenu } from '#ui/overlay/menu.tsx'
import { type Column, Table } from '#ui/table/table.tsx'
import { FieldUses } from './field-uses.tsx'

interface FieldTableProps {
  readonly fields: readonly SmartField[]
  readonly usageOf: (id: string) => SmartFieldUsage | undefined
  readonly onEdit: (field: SmartField) => void
  readonly onDelete: (field: SmartField) => void
}

/** The directory that fills the field, with the way to its values. */
const FieldSourceBadge = ({ field }: { readonly field: SmartField }) => {
  const t = useTranslations('fields')
  const name = useSourceName()(field.integration_id)
  if (name === undefined) return <Badge variant="accent">{t('fromDirectory')}</Badge>
  return (
    <PathLink to={`/integrations/${field.integration_id}/values`} className="rounded-full hover:underline">
      <Badge variant="accent">
        <Icon name="plug" size={12} />
        {name}
      </Badge>
    </PathLink>
  )
}

const FieldName = ({ field }: { readonly field: SmartField }) => {
  const t = useTranslations('fields')
  return (
    <div className="min-w-32">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {field.label}
        {field.integration_id !== null && <FieldSourceBadge field={field} />}
        {field.required && <Badge variant="warn">{t('required')}</Badge>}
      </p>
      <code className="text-xs text-muted">{field.key}</code>
    </div>
  )
}

const Missing = ({ field, count }: { readonly field: SmartField; readonly count: number | undefined }) => {
  const t = useTranslations('fields')
  if (count === undefined) return <span className="text-muted">…</span>
  if (count === 0) return <span className="text-muted">{t('allHaveIt')}</span>
  return (
    <TextLink to="/people" className="whitespace-nowrap" search={{ missing: field.key, active: 'yes' }}>
      {t('missingCount', { count })}
    </TextLink>
  )
}

const FieldMenu = ({
  field,
  onEdit,
  onDelete,
}: { readonly field: SmartField } & Pick<FieldTableProps, 'onEdit' | 'onDelete'>) => {
  const t = useTranslations('fields')
  const shell = useTranslations('shell')
  const can = useCan()
  if (!can('smart_fields:write')) return null
  return (
    <MoreMenu
      label={t('actions', { field: field.label })}
      entries={[
        { id: 'edit', label: shell('edit'), icon: 'square-pen', onAction: () => onEdit(field) },
        can('smart_fields:delete') &&
          !field.default && {
            id: 'delete',
            label: shell('delete'),
            icon: 'circle-x',
            isDangerous: true,
            onAction: () => onDelete(field),
          },
      ]}
    />
  )
}

export function FieldTable({ fields, usageOf, onEdit, onDelete }: FieldTableProps) {
  const t = useTranslations('fields')
  const shell = useTranslations('shell')
  const editorsOf = ({ editable_by_owner, approval, integration_id }: SmartField) =>
    integration_id !== null
      ? t('source.changesIt')
      : t(editable_by_owner ? (approval === 'required' ? 'ownerAsks' : 'ownerEdits') : 'managersOnly')
  const columns: readonly Column<SmartField>[] = [
    { id: 'name', title: t('label'), cell: field => <FieldName field={field} /> },
    {
      id: 'kind',
      title: t('kind'),
      cell: ({ kind }) => <span className="whitespace-nowrap">{t(`kinds.${kind}`)}</span>,
      isSecondary: true,
    },
    {
      id: 'fallback',
      title: t('fallback'),
      cell: ({ fallback }) => fallback ?? <span className="text-muted">–</span>,
      isSecondary: true,
    },
    { id: 'editors', title: t('editors'), cell: editorsOf, isSecondary: true },
    {
      id: 'used',
      title: t('usedIn'),
      cell: ({ id }) => <FieldUses usage={usageOf(id)} />,
      isSecondary: true,
    },
    {
      id: 'missing',
      title: t('missing'),
      cell: field => <Missing field={field} count={usageOf(field.id)?.missing_count} />,
    },
    {
      id: 'menu',
      title: shell('more'),
      isTitleHidden: true,
      cell: field => <FieldMenu {...{ field, onEdit, onDelete }} />,
    },
  ]
  return <Table label={t('title')} columns={columns} rows={fields} keyOf={({ id }) => id} />
}
