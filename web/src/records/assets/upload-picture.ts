// The upload of one picture: its limits, its progress, and what people read when it fails.
import type { Asset } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { readAgain } from '#api/client.ts'
import { uploadClient } from '#api/upload-client.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { codeOf, isSignoffError } from '#state/errors.ts'
import { imageTypes } from '#ui/picture/image-types.ts'
import type { ImageRole } from './roles.ts'

const maxUploadBytes = 15 * 1024 * 1024

/** A file that the service would refuse, known before it is sent. */
class RefusedFile extends Error {
  readonly reason: 'tooLarge' | 'notAnImage'

  constructor(reason: RefusedFile['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** A file without a type is sent: the service looks at its bytes. */
const isPictureFile = ({ type }: File): boolean =>
  type === '' || (imageTypes as readonly string[]).includes(type)

/** From a file of the person, or from a public address that the service fetches. */
export type PictureOrigin = File | { readonly address: string }

interface UploadOptions {
  readonly role?: ImageRole | undefined
  readonly signal?: AbortSignal
  /** From 0 to 1. */
  readonly onProgress?: (part: number) => void
}

export async function uploadPicture(
  origin: PictureOrigin,
  { role, signal, onProgress = () => undefined }: UploadOptions = {},
): Promise<Asset> {
  const client = uploadClient(onProgress)
  const options = { ...(signal && { signal }) }
  const kind = { ...(role && { role }) }
  if (!(origin instanceof File))
    return await client.assets.create({ source_url: origin.address, ...kind }, options)
  if (!isPictureFile(origin)) throw new RefusedFile('notAnImage')
  if (origin.size > maxUploadBytes) throw new RefusedFile('tooLarge')
  return await client.assets.create({ file_base64: origin, filename: origin.name, ...kind }, options)
}

export const refreshAssets = () => readAgain('assets')

/** The sentence for an upload that has failed. */
export function useUploadProblem(): (error: unknown) => string {
  const t = useTranslations('assets.uploads')
  const messageOf = useMessageOf()
  return error => {
    if (error instanceof RefusedFile) return t(error.reason)
    if (['insufficient_role', 'insufficient_scope'].includes(codeOf(error))) return t('noRight')
    const detail = isSignoffError(error) ? error.details[0] : undefined
    if (detail?.field.endsWith('source_url')) return t('unreachable')
    if (detail?.code === 'invalid') return t('notAnImage')
    return detail?.code === 'out_of_range' ? t('tooLarge') : messageOf(error)
  }
}
