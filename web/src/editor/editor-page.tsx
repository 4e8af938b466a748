// `/signatures/{id}/edit`: the editor of a signature's draft, and of its variants for replies and internal mail.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { signaturePath } from '#records/signatures/signature-data.ts'
import { useAddressState } from '#state/address-state.ts'
import { onDemand } from '#ui/base/on-demand.tsx'
import { Segments } from '#ui/form/segments.tsx'
import { Skeleton } from '#ui/layout/page.tsx'
import { mailKinds } from './kinds/kind-contents.ts'
import { KindTools } from './kinds/kind-tools.tsx'
import { useKindContents } from './kinds/use-kind-contents.ts'
import { ContentEditor } from './page/content-editor.tsx'
import { runningSession } from './page/editing-session.ts'
import { unsavedQuery } from './page/open-session.ts'
import { PublishButton } from './page/publish-button.tsx'
import { type MailKind, signatureTarget, variantTarget } from './page/targets.ts'
import { usePreviewState } from './preview/preview-state.ts'
import { VersionsButton } from './versions/versions-button.tsx'

const MissingVariant = onDemand(() => import('./kinds/missing-variant.tsx'), <Skeleton lines={6} />)
const OtherKinds = onDemand(() => import('./kinds/other-kinds.tsx'), <Skeleton lines={6} />)

export default function EditorPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const t = useTranslations('editor')
  const [{ mail }, setAddress] = useAddressState<'mail'>()
  const kind: MailKind = mailKinds.find(each => each === mail) ?? 'new'
  const target = useMemo(() => (kind === 'new' ? signatureTarget(id) : variantTarget(id, kind)), [id, kind])
  const preview = usePreviewState('signature')
  const { contents, isLoading, remember } = useKindContents(id, kind, !preview.isPainted)
  const edit = (next: MailKind) => setAddress({ mail: next === 'new' ? '' : next })
  const kinds = (
    <Segments
      label={t('mail.label')}
      options={mailKinds.map(each => ({ id: each, label: t(`mail.${each}`) }))}
      value={kind}
      onChange={edit}
    />
  )
  const isMissing = kind !== 'new' && contents?.byKind[kind].content === null
  // What was typed in a variant that a colleague has removed meanwhile opens all the same.
  const unsaved = useQuery({ ...unsavedQuery(target), enabled: isMissing })
  const isOpen = runningSession(target.key) !== undefined || unsaved.data === true
  if ((kind !== 'new' && isLoading) || (isMissing && !isOpen && unsaved.isPending))
    return <Skeleton lines={6} />
  if (isMissing && !isOpen)
    return (
      <MissingVariant
        signatureId={id}
        kind={kind}
        contents={contents}
        preview={preview}
        backTo={signaturePath(id)}
        onMade={() => edit(kind)}
      >
        {kinds}
      </MissingVariant>
    )
  const place = mailKinds.indexOf(kind)
  const others = { signatureId: id, onEdit: edit }
  const main = kind === 'new' ? undefined : (contents?.byKind.new.content ?? undefined)
  return (
    <ContentEditor
      target={target}
      backTo={signaturePath(id)}
      preview={preview}
      hasCampaigns={contents?.byKind[kind].hasCampaigns ?? true}
      onTree={remember}
      tools={<KindTools main={main} />}
      beside={
        contents && {
          title: t(`mail.${kind}`),
          before: <OtherKinds {...others} contents={contents} kinds={mailKinds.slice(0, place)} />,
          after: <OtherKinds {...others} contents={contents} kinds={mailKinds.slice(place + 1)} />,
        }
      }
      actions={tools => (
        <>
          {kinds}
          {kind === 'new' && <VersionsButton signatureId={id} view={tools.view} />}
        </>
      )}
      main={tools => <PublishButton signatureId={id} variant={target.variant} tools={tools} />}
    />
  )
}
