// The progress of an import, and what it has done.
import type { Import } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { useConnected } from '#api/integrations.ts'
import { peopleKey } from '#records/people/people-data.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button, LinkButton } from '#ui/base/button.tsx'
import { saveFile } from '#ui/base/download.ts'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { toastError } from '#ui/feedback/toast.tsx'
import { Card } from '#ui/layout/page.tsx'
import { Actions } from '#ui/overlay/dialog.tsx'
import { ImportCountList } from './preview-card.tsx'
import { ImportProblems } from './problem-list.tsx'

const ReportButton = ({ id }: { readonly id: string }) => {
  const t = useTranslations('people.import')
  const messageOf = useMessageOf()
  const { mutate, isPending } = useMutation({
    mutationFn: async () =>
      saveFile(t('reportFile'), await (await api.imports.report(id, { as: 'rows' })).blob()),
    onError: error => toastError(t('reportFailed'), messageOf(error)),
  })
  return (
    <Button icon="download" isPending={isPending} onPress={() => mutate()}>
      {t('report')}
    </Button>
  )
}

const Running = ({ file }: { readonly file: Import }) => {
  const t = useTranslations('people.import')
  const format = useFormatter()
  const counts = { done: format.number(file.processed_count), total: format.number(file.row_count) }
  return (
    <Card title={t('running')} about={t('runningHint')}>
      <ProgressBar label={t('running')} value={file.processed_count} max={file.row_count} />
      <p className="mt-2 text-[0.8125rem] text-muted">{t('progress', counts)}</p>
    </Card>
  )
}

export function ImportResultStep({
  file,
  onRestart,
}: {
  readonly file: Import
  readonly onRestart: () => void
}) {
  const t = useTranslations('people.import')
  const csv = useConnected().find(({ kind }) => kind === 'csv')
  const isDone = file.state === 'done'
  useEffect(() => {
    if (isDone) void queryClient.invalidateQueries({ queryKey: peopleKey })
  }, [isDone])
  if (!isDone) return <Running file={file} />
  return (
    <div className="grid gap-4">
      <Card title={t('done')} about={file.file_name}>
        <div role="status">
          <ImportCountList counts={file} />
        </div>
        <Actions>
          {file.failed_count > 0 && <ReportButton id={file.id} />}
          {csv && file.mode === 'directory' && (
            <LinkButton to={`/integrations/${csv.id}/runs`}>{t('toSyncs')}</LinkButton>
          )}
          <Button onPress={onRestart}>{t('again')}</Button>
          <LinkButton to="/people" variant="primary">
            {t('toPeople')}
          </LinkButton>
        </Actions>
      </Card>
      {file.failures.length > 0 && (
        <ImportProblems title={t('problems', { count: file.failed_count })} problems={file.failures} />
      )}
    </div>
  )
}
