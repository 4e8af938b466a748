// Publishes a signature, or one of its variants, and offers the way back to what was live before.
import type { Content, Signature } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { searchOf } from '#state/search-of.ts'
import { EditConflict } from '#state/use-edit.ts'
import { type Versioned, versioned } from '#state/versioned.ts'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { isSameDraft } from '../content/block-index.ts'
import { moveSignature } from '../signatures/priorities.ts'
import { refreshSignatures, signaturePath } from '../signatures/signature-data.ts'

export interface PublishTarget {
  readonly signature: Signature
  /** Without it: the signature itself. */
  readonly variant?: 'reply' | 'internal' | undefined
  /** The draft that the person sees: no other one is published. */
  readonly seen: object | null
  /** Puts what was live before into the draft that is open. False: no draft is open any more. */
  readonly onRestore?: ((content: Content) => boolean) | undefined
  readonly onPublished?: (() => void) | undefined
}

export interface PublishChoice {
  readonly force: boolean
  /** Before the signatures that its recipients would keep otherwise. */
  readonly isPutFirst: boolean
  /** With a variant: the draft of the signature is published after it. */
  readonly isBoth: boolean
}

interface Publication {
  /** It waits for an approval. */
  readonly isRequest: boolean
  /** The version that was live before. */
  readonly versionId?: string | undefined
  /** The content of the variant that was live before. */
  readonly content?: Content | null | undefined
}

interface Drafted {
  readonly content: Content | null
  readonly draft_content: Content | null
}

/** The version to publish, as long as its draft is the one that the person sees. */
async function seenVersion<Data extends Drafted>(
  read: () => Promise<Versioned<Data>>,
  seen: object | null,
): Promise<Versioned<Data>> {
  const newest = await read()
  if (!isSameDraft(newest.data.draft_content ?? newest.data.content, seen))
    throw new EditConflict(
      [],
      () => {},
      () => {},
    )
  return newest
}

async function publishSignature(
  { signature, seen }: PublishTarget,
  { force, isPutFirst }: PublishChoice,
): Promise<Publication> {
  const { id } = signature
  const read = () => versioned(api.signatures.get(id))
  if (isPutFirst) {
    await seenVersion(read, seen)
    await moveSignature(id, 'first')
  }
  const [previous] = signature.content ? await api.signatures.versions.list(id, { limit: 1 }) : []
  const { etag } = await seenVersion(read, seen)
  const { status } = await api.signatures.publish(id, { force }, { ifMatch: etag }).raw()
  return { isRequest: status === 202, versionId: previous?.id }
}

async function publishVariant(
  { signature, seen }: PublishTarget,
  kind: 'reply' | 'internal',
  { force, isBoth }: PublishChoice,
): Promise<Publication> {
  const { id } = signature
  const { data, etag } = await seenVersion(() => versioned(api.signatures.variants.get(id, kind)), seen)
  const { status } = await api.signatures.variants.publish(id, kind, { force }, { ifMatch: etag }).raw()
  // The variant is first: no address gets it as long as the signature is not published.
  if (isBoth) {
    const draft = signature.draft_content ?? signature.content
    await publishSignature({ signature, seen: draft }, { force, isPutFirst: false, isBoth: false })
  }
  return { isRequest: status === 202, content: data.content }
}

export function usePublish(target: PublishTarget) {
  const { signature, variant, onRestore, onPublished } = target
  const t = useTranslations('signatures')
  const navigate = useNavigate()
  const messageOf = useMessageOf()
  const showError = (error: unknown) => toastError(messageOf(error))
  const restoreVariant = async (kind: 'reply' | 'internal', content: Content) => {
    if (onRestore?.(content)) return
    await api.signatures.variants.update(signature.id, kind, { draft_content: content })
    await refreshSignatures()
    toast(t('variantRestored'))
  }
  const restoreVersion = async (id: string) => {
    if (onRestore?.((await api.signatures.versions.get(signature.id, id)).content)) return
    await navigate({ to: signaturePath(signature.id, 'versions'), search: searchOf({ restore: id }) })
  }
  const wayBack = ({ versionId, content }: Publication): (() => Promise<void>) | undefined => {
    if (variant && content) return () => restoreVariant(variant, content)
    return versionId === undefined ? undefined : () => restoreVersion(versionId)
  }
  return useMutation({
    mutationFn: (choice: PublishChoice) =>
      variant ? publishVariant(target, variant, choice) : publishSignature(target, choice),
    onError: () => void refreshSignatures(),
    onSuccess: async published => {
      const onPress = wayBack(published)
      const name = variant ? `${signature.name} · ${t(`kinds.${variant}`)}` : signature.name
      // The dialog has the news: the message only offers the way back, also after the dialog is closed.
      if (!published.isRequest && onPress)
        toast(t('published', { name }), {
          action: { label: t('restorePrevious'), onPress: () => void onPress().catch(showError) },
        })
      onPublished?.()
      await refreshSignatures()
    },
  })
}
