import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useMessageOf } from '#state/error-texts.ts'
import { Button } from '#ui/button.tsx'
import { saveFile } from '#ui/download.ts'
import { toastError } from '#ui/toast.tsx'
import type { AnalyticsState } from './analytics-state.ts'

/** All events of the range and of the filters, as the API writes them. */
export function EventExportButton({ state }: { readonly state: AnalyticsState }) {
  const t = useTranslations('analytics')
  const messageOf = useMessageOf()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const answer = await api.analytics.export({ ...state.period, ...state.query })
      const { start_date, end_date } = state.period
      saveFile(`events-${start_date}-${end_date}.csv`, await answer.blob())
    },
    onError: error => toastError(messageOf(error)),
  })
  return (
    <Button icon="download" isPending={isPending} onPress={() => mutate()}>
      {t('export')}
    </Button>
  )
}
