import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useDrivingDirectory } from '#api/integrations.ts'
import { useCan } from '#api/session.ts'
import { useAddressState } from '#state/address-state.ts'
import { Button } from '#ui/base/button.tsx'
import { EmptyState, LoadError, Notice, Page, Skeleton } from '#ui/layout/page.tsx'
import { Steps } from '#ui/layout/steps.tsx'
import { ImportPlanStep } from './import/plan-step.tsx'
import { ImportResultStep } from './import/result-step.tsx'
import { ImportUploadStep } from './import/upload-step.tsx'

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
