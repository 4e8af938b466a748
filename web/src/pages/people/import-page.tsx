import type { Import } from '@signoff/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type DragEvent, useEffect, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useFormatter, useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { useConnected, useDrivingDirectory } from '#api/integrations.ts'
import { useCan } from '#api/session.ts'
import { peopleKey } from '#records/people/people-data.ts'
import { useAddressState } from '#state/address-state.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button, LinkButton, Spinner } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { saveFile } from '#ui/base/download.ts'
import { Icon } from '#ui/base/icon.tsx'
import { ErrorNotice } from '#ui/feedback/error-notice.tsx'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { toastError } from '#ui/feedback/toast.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Card, EmptyState, LoadError, Notice, Page, Skeleton } from '#ui/layout/page.tsx'
import { Steps } from '#ui/layout/steps.tsx'
import { Actions } from '#ui/overlay/dialog.tsx'
import { ImportPlanStep } from './import/plan-step.tsx'
import { ImportCountList } from './import/preview-card.tsx'
import { ImportProblems } from './import/problem-list.tsx'

// The file: dropped, chosen, or pasted from a spreadsheet.

const maxBytes = 20 * 1024 * 1024
const fileTypes = ['.csv', '.tsv', '.txt', '.xlsx', 'text/csv']

interface DropAreaProps {
  readonly isPending: boolean
  readonly onFile: (file: File) => void
}

function DropArea({ isPending, onFile }: DropAreaProps) {
  const t = useTranslations('people.import')
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files.item(0)
    if (file) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is the way without a mouse
    <div
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={classes(
        'grid justify-items-center gap-3 rounded-2xl border-2 border-dashed px-6 py-12 text-center transition-colors',
        isOver ? 'border-accent bg-accent-soft' : 'border-edge/50',
      )}
    >
      <span className="grid size-12 place-items-center rounded-2xl bg-accent-soft text-accent">
        {isPending ? <Spinner /> : <Icon name="upload" size={24} />}
      </span>
      <p className="font-medium">{isPending ? t('reading') : t('drop')}</p>
      <p className="max-w-md text-[0.8125rem] text-muted">{t('dropHint')}</p>
      <FileTrigger
        acceptedFileTypes={fileTypes}
        onSelect={files => {
          const file = files?.item(0)
          if (file) onFile(file)
        }}
      >
        <Button variant="primary" isDisabled={isPending}>
          {t('choose')}
        </Button>
      </FileTrigger>
    </div>
  )
}

function ImportUploadStep({ onUploaded }: { readonly onUploaded: (file: Import) => void }) {
  const t = useTranslations('people.import')
  const [pasted, setPasted] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ content, name }: { readonly content: Blob; readonly name: string }) => {
      if (content.size > maxBytes) throw new Error(t('tooLarge'))
      const params = { file_base64: content, file_name: name.slice(0, 255) }
      return api.imports.create(params, { timeoutMs: 180_000 })
    },
    onSuccess: onUploaded,
  })
  return (
    <div className="grid gap-4">
      <ErrorNotice error={error} />
      <DropArea isPending={isPending} onFile={file => mutate({ content: file, name: file.name })} />
      <Card title={t('paste')} about={t('pasteHint')}>
        <TextField
          label={t('table')}
          isLabelHidden
          rows={5}
          value={pasted}
          onChange={setPasted}
          placeholder={t('pasteExample')}
        />
        <div className="mt-3 flex justify-end">
          <Button
            isDisabled={pasted.trim() === ''}
            isPending={isPending}
            onPress={() => mutate({ content: new Blob([pasted]), name: t('pastedName') })}
          >
            {t('usePasted')}
          </Button>
        </div>
      </Card>
    </div>
  )
}

// The progress of an import, and what it has done.

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

function ImportResultStep({ file, onRestart }: { readonly file: Import; readonly onRestart: () => void }) {
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

const steps = ['file', 'plan', 'result'] as const

/** The steps of the import, with the current one. */
const ImportSteps = ({ current }: { readonly current: (typeof steps)[number] }) => {
  const t = useTranslations('people.import')
  return <Steps steps={steps.map(id => ({ id, label: t(`steps.${id}`) }))} current={current} />
}

const importKey = (id: string) => ['imports', id]

function CurrentImport({ id, onRestart }: { readonly id: string; readonly onRestart: () => void }) {
  const t = useTranslations('people.import')
  const { data, error, refetch } = useQuery({
    queryKey: importKey(id),
    queryFn: () => api.imports.get(id),
    refetchInterval: query => (query.state.data?.state === 'running' ? 1_000 : false),
  })
  if (error)
    return (
      <div className="grid justify-items-start gap-3">
        <LoadError error={error} onRetry={() => void refetch()} />
        <Button onPress={onRestart}>{t('again')}</Button>
      </div>
    )
  if (!data) return <Skeleton lines={6} />
  const isPlanned = data.state === 'ready' || data.state === 'failed'
  return (
    <>
      <ImportSteps current={isPlanned ? 'plan' : 'result'} />
      {isPlanned ? (
        <ImportPlanStep file={data} onApplied={() => void refetch()} onRestart={onRestart} />
      ) : (
        <ImportResultStep file={data} onRestart={onRestart} />
      )}
    </>
  )
}

export default function ImportPage() {
  const t = useTranslations('people.import')
  const people = useTranslations('people')
  const can = useCan()
  const directory = useDrivingDirectory()
  const [{ import: id }, setAddress] = useAddressState<'import'>()
  return (
    <Page title={t('title')} about={t('about')} parent={{ to: '/people', label: people('title') }}>
      {!can('teammates:write') ? (
        <EmptyState icon="lock" title={t('notAllowed')} />
      ) : id ? (
        <CurrentImport key={id} id={id} onRestart={() => setAddress({ import: '' })} />
      ) : (
        <>
          {directory && (
            <div className="mb-4">
              <Notice>
                {t(directory.kind === 'csv' ? 'csvDirectory' : 'otherDirectory', { name: directory.name })}
              </Notice>
            </div>
          )}
          <ImportSteps current="file" />
          <ImportUploadStep onUploaded={file => setAddress({ import: file.id })} />
        </>
      )}
    </Page>
  )
}
