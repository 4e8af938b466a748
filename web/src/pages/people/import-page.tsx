import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useDrivingDirectory } from '#api/integrations.ts'
import { useCan } from '#api/session.tsx'
import { useAddressState } from '#state/address-state.ts'
import { Button } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { EmptyState, LoadError, Notice, Page, Skeleton } from '#ui/layout/page.tsx'
import { ImportPlanStep } from './import/plan-step.tsx'
import { ImportResultStep } from './import/result-step.tsx'
import { ImportUploadStep } from './import/upload-step.tsx'

const steps = ['file', 'plan', 'result'] as const

/** Where in the import the person is. */
const ImportSteps = ({ current }: { readonly current: (typeof steps)[number] }) => {
  const t = useTranslations('people.import')
  return (
    <ol className="mb-5 flex flex-wrap gap-x-6 gap-y-2 text-[0.8125rem]">
      {steps.map((step, index) => (
        <li
          key={step}
          {...(step === current && { 'aria-current': 'step' as const })}
          className={classes(
            'flex items-center gap-2 font-medium',
            step === current ? 'text-accent' : 'text-muted',
          )}
        >
          <span
            aria-hidden="true"
            className={classes(
              'grid size-6 place-items-center rounded-full text-xs',
              step === current ? 'bg-accent text-on-accent' : 'bg-sunken',
            )}
          >
            {index + 1}
          </span>
          {t(`steps.${step}`)}
        </li>
      ))}
    </ol>
  )
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
