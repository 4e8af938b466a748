// Validates the values that an API client sends for a teammate against the smart fields of the workspace.

import type { Crop } from '@signoff/render'
import {
  fieldResolver,
  fitsKind,
  type SmartField,
  type SmartFieldName,
} from '#features/workspace/smart-fields/index.ts'
import type { IgnoredInput } from '#kernel/api/ignored.ts'
import { uuid } from '#kernel/api/validation.ts'
import { type Detail, detail } from '#kernel/base/errors.ts'

export interface SentValue extends SmartFieldName {
  readonly value: string | null
}

/** An asset in an image field. */
export interface StoredPicture {
  readonly assetId: string
  /** Null shows the whole asset. */
  readonly crop: Crop | null
}

/** Values by smart field id; null clears the value. */
export type SmartFieldValues = ReadonlyMap<string, string | StoredPicture | null>

/** A picture as the client names it: by an asset, by the address of an asset, or by an address on the internet. */
export type PictureSource =
  | { readonly kind: 'asset'; readonly id: string }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'url'; readonly url: string }

export interface SentPicture {
  readonly fieldId: string
  /** The path of the value in the request, for errors. */
  readonly at: string
  readonly source: PictureSource
}

export interface CheckedValues {
  readonly values: ReadonlyMap<string, string | null>
  readonly pictures: readonly SentPicture[]
  readonly ignored: readonly IgnoredInput[]
  readonly problems: readonly Detail[]
}

/** The reason why a value has no effect: the directory writes synced fields, and computed fields follow the primary address. */
export const ignoredBecause = (field: SmartField): string | undefined =>
  field.integration_attribute !== null ? 'directory_managed' : field.computed ? 'computed' : undefined

const longestUrl = 2_048
const tokenInAddress = /^([\w-]{22})[./]/

/** `files` is the beginning of the addresses of the workspace's own files. */
function pictureSourceOf(value: string, files: string): PictureSource | undefined {
  if (uuid.test(value)) return { kind: 'asset', id: value.toLowerCase() }
  // A client can send back what it has read.
  const token = value.startsWith(files) ? tokenInAddress.exec(value.slice(files.length))?.[1] : undefined
  if (token !== undefined) return { kind: 'token', token }
  const isWebAddress = /^https:\/\/\S+$/i.test(value) && URL.canParse(value) && value.length <= longestUrl
  return isWebAddress ? { kind: 'url', url: value } : undefined
}

interface ValueContext {
  readonly fields: readonly SmartField[]
  /** The beginning of the addresses of the workspace's own files. */
  readonly files: string
}

/** Returns a function that checks the values of one teammate. It skips null, which stands for an item of another shape. */
export function valueChecker({
  fields,
  files,
}: ValueContext): (sent: readonly (SentValue | null)[]) => CheckedValues {
  const resolve = fieldResolver(fields)
  return sent => {
    const values = new Map<string, string | null>()
    const pictures: SentPicture[] = []
    const ignored: IgnoredInput[] = []
    const problems: Detail[] = []
    const seen = new Set<string>()
    for (const [index, item] of sent.entries()) {
      if (item === null) continue
      const { value, ...name } = item
      const at = `smart_fields[${index}]`
      const named = resolve(name, at)
      if ('problem' in named) {
        problems.push(named.problem)
        continue
      }
      const { id, kind, label } = named.field
      const reason = ignoredBecause(named.field)
      if (reason) {
        ignored.push({ field: at, code: reason })
        continue
      }
      const text = value?.trim() ?? ''
      if (seen.has(id)) problems.push(detail(`${at}.${nameIn(name)}`, 'duplicate'))
      else if (text === '') values.set(id, null)
      else if (kind === 'image') {
        const source = pictureSourceOf(text, files)
        if (source) pictures.push({ fieldId: id, at: `${at}.value`, source })
        else problems.push(noPicture(`${at}.value`))
      } else if (fitsKind(kind, text)) values.set(id, value)
      else {
        const message = `${at}.value is not a valid ${kind} for ${label}`
        problems.push(detail(`${at}.value`, 'invalid', { message }))
      }
      seen.add(id)
    }
    return { values, pictures, ignored, problems }
  }
}

const nameIn = ({ smart_field }: SmartFieldName): string =>
  smart_field === undefined ? 'smart_field_id' : 'smart_field'

const noPicture = (at: string): Detail =>
  detail(at, 'invalid', {
    message: `${at} must be the id of an asset or an https address of at most ${longestUrl} characters`,
  })
