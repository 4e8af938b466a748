import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { foldersQuery } from '#records/signatures/signature-data.ts'
import { Select } from '#ui/form/select.tsx'

interface FolderSelectProps {
  readonly value: string | null
  readonly onChange: (folderId: string | null) => void
  readonly isDisabled?: boolean
}

export function FolderSelect({ value, onChange, isDisabled = false }: FolderSelectProps) {
  const t = useTranslations('signatures')
  const { data: folders = [] } = useQuery(foldersQuery)
  const options = [
    { id: 'none', label: t('noFolder') },
    ...folders.map(({ id, name }) => ({ id, label: name })),
  ]
  return (
    <Select
      label={t('folder')}
      options={options}
      value={value ?? 'none'}
      onChange={id => onChange(id === 'none' ? null : id)}
      isDisabled={isDisabled}
    />
  )
}
