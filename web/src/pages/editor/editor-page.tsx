// `/signatures/{id}/edit`: the editor of a signature's draft, and of its variants for replies and internal mail.
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useAddressState } from '../../app/address-state.ts'
import { Segments } from '../../ui/segments.tsx'
import { signaturePath } from '../signatures/signature-data.ts'
import { ContentEditor } from './page/content-editor.tsx'
import { PublishButton } from './page/publish-button.tsx'
import { type MailKind, signatureTarget, variantTarget } from './page/targets.ts'
import { VersionsButton } from './versions/versions-button.tsx'

const mailKinds = ['new', 'reply', 'internal'] as const

export default function EditorPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const t = useTranslations('editor')
  const [{ mail }, setAddress] = useAddressState<'mail'>()
  const kind: MailKind = mailKinds.find(each => each === mail) ?? 'new'
  const target = useMemo(() => (kind === 'new' ? signatureTarget(id) : variantTarget(id, kind)), [id, kind])
  return (
    <ContentEditor
      target={target}
      backTo={signaturePath(id)}
      actions={tools => (
        <>
          <Segments
            label={t('mail.label')}
            options={mailKinds.map(each => ({ id: each, label: t(`mail.${each}`) }))}
            value={kind}
            onChange={next => setAddress({ mail: next === 'new' ? '' : next })}
          />
          {kind === 'new' && <VersionsButton signatureId={id} view={tools.view} />}
          <PublishButton signatureId={id} variant={target.variant} tools={tools} />
        </>
      )}
    />
  )
}
