import type { SmartField, Teammate } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { nameOfTeammate } from '#api/teammates.ts'
import { apiFiltersOf, type PeopleFilters, valueIn } from '#records/people/people-data.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button } from '#ui/base/button.tsx'
import { csvCell, saveFile } from '#ui/base/download.ts'
import { toastError } from '#ui/feedback/toast.tsx'

const line = (cells: readonly string[]): string =>
  `${cells.map(cell => csvCell(cell, { keepsNumbers: true })).join(',')}\r\n`

/** The list of people as a CSV file, made in the browser. */
async function downloadPeople(
  filters: PeopleFilters,
  fields: readonly SmartField[],
  titles: { readonly name: string; readonly email: string; readonly file: string },
  onProgress: (count: number) => void,
): Promise<void> {
  const allFields = await queryClient.ensureQueryData(smartFieldsQuery)
  const rowOf = (person: Teammate) =>
    line([
      nameOfTeammate(person, allFields),
      person.email,
      ...fields.map(({ id }) => valueIn(person, id) ?? ''),
    ])
  // Excel takes the byte order mark as the sign of UTF-8.
  const parts = ['\uFEFF', line([titles.name, titles.email, ...fields.map(({ label }) => label)])]
  for await (const person of api.teammates.list({ ...apiFiltersOf(filters), limit: 100, sort: 'name' })) {
    parts.push(rowOf(person))
    if (parts.length % 500 === 0) onProgress(parts.length)
  }
  saveFile(titles.file, new Blob(parts, { type: 'text/csv' }))
}

interface ExportButtonProps {
  readonly filters: PeopleFilters
  /** The columns that are shown. */
  readonly fields: readonly SmartField[]
}

export function PeopleExportButton({ filters, fields }: ExportButtonProps) {
  const t = useTranslations('people')
  const messageOf = useMessageOf()
  const [count, setCount] = useState(0)
  const { mutate, isPending } = useMutation({
    mutationFn: () => {
      setCount(0)
      const titles = { name: t('name'), email: t('address'), file: t('exportFile') }
      return downloadPeople(filters, fields, titles, setCount)
    },
    onError: error => toastError(t('exportFailed'), messageOf(error)),
  })
  return (
    <Button icon="download" isPending={isPending} onPress={() => mutate()}>
      {isPending && count > 0 ? t('exporting', { count }) : t('export')}
    </Button>
  )
}
