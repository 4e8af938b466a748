// `/signatures/{id}/edit`: the editor of a signature's draft, and of its variants for replies and internal mail.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { areaPart } from '#records/area-part.tsx'
import { signaturePath } from '#records/signatures/signature-data.ts'
import { useAddressState } from '#state/address-state.ts'
import { IconButton } from '#ui/base/button.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { Segments } from '#ui/form/segments.tsx'
import { Skeleton } from '#ui/layout/page.tsx'
import { ContentEditor } from './content-editor.tsx'
import { PublishButton } from './header-buttons.tsx'
import { mailKinds, useKindContents } from './panels/kind-contents.ts'
import { KindTools } from './panels/kinds-layout.tsx'
import { usePreviewState } from './rendering/preview-state.tsx'
import type { RenderingOptions } from './rendering/use-rendering.ts'
import { runningSession, unsavedQuery } from './saving/editing-session.ts'
import { type MailKind, signatureTarget, variantTarget } from './saving/targets.ts'

const MissingVariant = onDemand(() => import('./panels/missing-variant.tsx'), <Skeleton lines={6} />)
const OtherKinds = onDemand(() => import('./panels/other-kinds.tsx'), <Skeleton lines={6} />)

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
  const position = mailKinds.indexOf(kind)
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
          before: <OtherKinds {...others} contents={contents} kinds={mailKinds.slice(0, position)} />,
          after: <OtherKinds {...others} contents={contents} kinds={mailKinds.slice(position + 1)} />,
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

const VersionsDialog = areaPart(['signatures'], () => import('./panels/versions-dialog.tsx'))

interface VersionsButtonProps {
  readonly signatureId: string
  readonly view: RenderingOptions
}

function VersionsButton(props: VersionsButtonProps) {
  const t = useTranslations('editor.versions')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton icon="history" label={t('open')} onPress={() => setOpen(true)} />
      {isOpen && <VersionsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
