// The one way to begin a variant of a signature. Nothing is sent before it is published.
import type { Content, SignatureVariant } from '@signoff/sdk'
import { api } from '#api/client.ts'
import { isStale } from '#state/errors.ts'
import { versioned } from '#state/versioned.ts'
import { refreshSignatures } from './signature-data.ts'

/** Null: this kind of mail has nothing of its own, or no signature at all. */
export const contentOfVariant = (
  variant: Pick<SignatureVariant, 'exists' | 'draft_content' | 'content'>,
): Content | null => (variant.exists ? (variant.draft_content ?? variant.content) : null)

/** `found`: a colleague has made it meanwhile, and it stays as it is. */
export async function makeVariant(
  id: string,
  kind: 'reply' | 'internal',
  content: Content | null,
): Promise<'made' | 'found'> {
  const read = () => versioned(api.signatures.variants.get(id, kind))
  const make = async () => {
    const { data, etag } = await read()
    if (contentOfVariant(data)) return 'found'
    await api.signatures.variants.update(id, kind, { draft_content: content }, { ifMatch: etag })
    return 'made'
  }
  // A second try: the save in between was that of a colleague, or only switched the variant.
  const result = await make().catch(error => {
    if (isStale(error)) return make()
    throw error
  })
  await refreshSignatures()
  return result
}
