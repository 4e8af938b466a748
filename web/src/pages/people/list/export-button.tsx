import type { SmartField } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { PeopleFilters } from '#records/people/people-data.ts'
import { useMessageOf } from '#state/error-texts.ts'
import { Button } from '#ui/button.tsx'
import { toastError } from '#ui/toast.tsx'
import { downloadPeople } from './people-csv.ts'

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
