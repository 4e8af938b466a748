// `/signatures/{id}/edit`: the editor of a signature's draft, and of its variants for replies and internal mail.
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAddressState } from '../../app/address-state.ts'
import { Button } from '../../ui/button.tsx'
import { Segments } from '../../ui/segments.tsx'
import { refreshSignatures, signaturePath, signatureQuery } from '../signatures/signature-data.ts'
import { ContentEditor } from './page/content-editor.tsx'
import { type MailKind, signatureTarget, variantTarget } from './page/targets.ts'

const PublishDialog = lazy(() => import('../signatures/publish/publish-dialog.tsx'))

const mailKinds = ['new', 'reply', 'internal'] as const

export default function EditorPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const t = useTranslations('editor')
  const [{ mail }, setAddress] = useAddressState<'mail'>()
  const kind: MailKind = mailKinds.find(each => each === mail) ?? 'new'
  const target = useMemo(() => (kind === 'new' ? signatureTarget(id) : variantTarget(id, kind)), [id, kind])
  const [isPublishing, setPublishing] = useState(false)
  const publish = async (flush: () => Promise<boolean>) => {
    if (!(await flush())) return
    await refreshSignatures()
    setPublishing(true)
  }
  return (
    <>
      <ContentEditor
        target={target}
        backTo={signaturePath(id)}
        actions={({ flush }) => (
          <>
            <Segments
              label={t('mail.label')}
              options={mailKinds.map(each => ({ id: each, label: t(`mail.${each}`) }))}
              value={kind}
              onChange={next => setAddress({ mail: next === 'new' ? '' : next })}
            />
            <Button look="primary" icon="rocket" onPress={() => void publish(flush)}>
              {t('publish')}
            </Button>
          </>
        )}
      />
      <Suspense fallback={null}>
        {isPublishing && <PublishNow id={id} onClose={() => setPublishing(false)} />}
      </Suspense>
    </>
  )
}

function PublishNow({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { data } = useSuspenseQuery(signatureQuery(id))
  return <PublishDialog signature={data} onClose={onClose} />
}
