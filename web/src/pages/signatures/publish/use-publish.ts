// Publishes a signature, or one of its variants, and offers the way back to what was live before.
import type { Content, Signature } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { api } from '../../../api/client.ts'
import { useMessageOf } from '../../../api/error-texts.ts'
import { searchOf } from '../../../ui/search-of.ts'
import { toast, toastError } from '../../../ui/toast.tsx'
import { moveSignature } from '../priorities.ts'
import { refreshSignatures, signaturePath } from '../signature-data.ts'

export interface PublishTarget {
  readonly signature: Signature
  /** Without it: the signature itself. */
  readonly variant?: 'reply' | 'internal' | undefined
  /** Puts what was live before into the draft that is open. False: no draft is open any more. */
  readonly onRestore?: ((content: Content) => boolean) | undefined
  readonly onPublished?: (() => void) | undefined
}

export interface PublishChoice {
  readonly force: boolean
  /** Before the signatures that its recipients would keep otherwise. */
  readonly isPutFirst: boolean
}

interface Publication {
  /** It waits for an approval. */
  readonly isRequest: boolean
  /** The version that was live before. */
  readonly versionId?: string | undefined
  /** The content of the variant that was live before. */
  readonly content?: Content | null | undefined
}

async function publishSignature(
  signature: Signature,
  { force, isPutFirst }: PublishChoice,
): Promise<Publication> {
  if (isPutFirst) await moveSignature(signature.id, 'first')
  const [previous] = signature.content ? await api.signatures.versions.list(signature.id, { limit: 1 }) : []
  const { status } = await api.signatures.publish(signature.id, { force }).raw()
  return { isRequest: status === 202, versionId: previous?.id }
}

/** A variant that does not exist yet begins as a copy of the signature. */
async function publishVariant(
  signature: Signature,
  kind: 'reply' | 'internal',
  force: boolean,
): Promise<Publication> {
  const { exists, content } = await api.signatures.variants.get(signature.id, kind)
  const copy = signature.draft_content ?? signature.content
  if (!exists && copy) await api.signatures.variants.update(signature.id, kind, { draft_content: copy })
  const { status } = await api.signatures.variants.publish(signature.id, kind, { force }).raw()
  return { isRequest: status === 202, content }
}

export function usePublish({ signature, variant, onRestore, onPublished }: PublishTarget) {
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
      variant ? publishVariant(signature, variant, choice.force) : publishSignature(signature, choice),
    onSuccess: async published => {
      const onPress = wayBack(published)
      const name = variant ? `${signature.name} · ${t(`kinds.${variant}`)}` : signature.name
      toast(published.isRequest ? t('requestSent') : t('published', { name }), {
        ...(!published.isRequest &&
          onPress && {
            action: { label: t('restorePrevious'), onPress: () => void onPress().catch(showError) },
          }),
      })
      onPublished?.()
      await refreshSignatures()
    },
  })
}
