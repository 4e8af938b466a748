// Saves a change of a resource only over the values that the person saw. A list shows resources without their versions,
// and a refresh in the background renews the version under an open form: so the values themselves are compared. The
// newest version is read before each save, and sent as If-Match, so that no save can come in between.
import type { Call, RequestOptions } from '@signoff/sdk'
import { type ReactNode, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { isStale } from './errors.ts'
import { type Versioned, versioned } from './versioned.ts'

type Values = Readonly<Record<string, unknown>>

export const isSameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export interface ConflictRow {
  readonly id: string
  readonly label: string
  readonly yours: ReactNode
  readonly stored: ReactNode
}

/** Another person has changed the same values. `overwrite` allows the next save; `discard` gives up the edit. */
export class EditConflict extends Error {
  readonly code = 'stale_resource'
  readonly rows: readonly ConflictRow[]
  readonly overwrite: () => void
  readonly discard: () => void
  constructor(rows: readonly ConflictRow[], overwrite: () => void, discard: () => void) {
    super('Another person has changed these values.')
    this.rows = rows
    this.overwrite = overwrite
    this.discard = discard
  }
}

const isSame = (a: unknown, b: unknown): boolean => isSameValue(a ?? null, b ?? null)

/** The parts of a patch that another person has changed to a third value. */
const conflictsOf = (patch: Values, seen: Values, stored: Values): readonly string[] =>
  Object.keys(patch).filter(key => !isSame(seen[key], stored[key]) && !isSame(patch[key], stored[key]))

/** Without the properties that the form has sent along unchanged: they would take back a change of another person. */
const changesIn = <Patch extends object>(patch: Patch, seen: object): Patch =>
  Object.fromEntries(
    Object.entries(patch).filter(([key, value]) => !(key in seen && isSame(value, (seen as Values)[key]))),
  ) as Patch

interface SaveSeenOptions<Data, Patch> {
  readonly seen: object
  readonly patch: Patch
  readonly read: () => Promise<Versioned<Data>>
  readonly save: (patch: Patch, options: RequestOptions) => Promise<Versioned<Data>>
  /** The values of a resource, or of a patch, that are compared. Without it: its properties, and only those that differ are sent. */
  readonly partsOf?: (values: object) => Values
  readonly onConflict: (keys: readonly string[], stored: Values, current: Versioned<Data>) => Error
}

/** More attempts than saves that can reasonably come in between. */
const maxAttempts = 5

async function saveSeen<Data, Patch extends object>(
  options: SaveSeenOptions<Data, Patch>,
): Promise<Versioned<Data>> {
  const { seen, read, save, partsOf = values => values as Values, onConflict } = options
  const patch = options.partsOf ? options.patch : changesIn(options.patch, seen)
  for (let attempt = 1; ; attempt++) {
    const current = await read()
    const stored = partsOf(current.data as object)
    const keys = conflictsOf(partsOf(patch), partsOf(seen), stored)
    if (keys.length > 0) throw onConflict(keys, stored, current)
    if (Object.keys(patch).length === 0) return current
    try {
      return await save(patch, { ifMatch: current.etag })
    } catch (error) {
      if (!isStale(error) || attempt === maxAttempts) throw error
    }
  }
}

interface Calls<Data, Patch> {
  readonly read: () => Call<Data>
  readonly save: (patch: Patch, options: RequestOptions) => Call<Data>
}

const versionedCalls = <Data, Patch>({ read, save }: Calls<Data, Patch>) => ({
  read: () => versioned(read()),
  save: (patch: Patch, options: RequestOptions) => versioned(save(patch, options)),
})

/** The same for a switch or another change at once: a conflict is an error with the stored value, to be shown as text. */
export const saveOverSeen = async <Data, Patch extends object>(
  options: Omit<SaveSeenOptions<Data, Patch>, 'onConflict' | 'read' | 'save'> & Calls<Data, Patch>,
): Promise<Data> => {
  const { data } = await saveSeen({
    ...options,
    ...versionedCalls(options),
    onConflict: (keys, stored) =>
      new EditConflict(
        keys.map(id => ({ id, label: id, yours: null, stored: String(stored[id] ?? '–') })),
        () => {},
        () => {},
      ),
  })
  return data
}

/** A value of the API as text, for the comparison of two versions. */
export function useValueText(): (value: unknown) => ReactNode {
  const t = useTranslations('shell')
  const textOf = (value: unknown): ReactNode => {
    if (value === null || value === undefined || value === '') return '–'
    if (typeof value === 'boolean') return t(value ? 'on' : 'off')
    if (Array.isArray(value) && value.every(each => typeof each !== 'object'))
      return value.length === 0 ? '–' : value.join(', ')
    return typeof value === 'object' ? t('otherContent') : String(value)
  }
  return textOf
}

interface VersionedEditOptions<Data, Patch>
  extends Pick<SaveSeenOptions<Data, Patch>, 'read' | 'save' | 'partsOf'> {
  /** The values that the page shows. An edit that has begun keeps the values that it began with. */
  readonly seen: object
  /** False while nothing is typed: then the edit begins with the newest values. A dialog begins when it opens. */
  readonly isDirty?: boolean
  readonly labelOf: (key: string) => string
  readonly textOf?: (value: unknown, key: string) => ReactNode
  /** After the person has chosen the values of the other one: close the form, read again. */
  readonly onDiscard: () => void
}

/** `edit(patch)` saves, or throws an `EditConflict`, which `Form` and `ResourceForm` show with both values. */
export function useVersionedEdit<Data, Patch extends object>(options: VersionedEditOptions<Data, Patch>) {
  const { seen, isDirty = true, labelOf, onDiscard } = options
  const base = useRef(seen)
  if (!isDirty) base.current = seen
  const usualText = useValueText()
  const textOf = options.textOf ?? usualText
  return async (patch: Patch): Promise<Versioned<Data>> => {
    const yours = (options.partsOf ?? (values => values as Values))(patch)
    const saved = await saveSeen({
      ...options,
      seen: base.current,
      patch,
      onConflict: (keys, stored, current) =>
        new EditConflict(
          keys.map(id => ({
            id,
            label: labelOf(id),
            yours: textOf(yours[id], id),
            stored: textOf(stored[id], id),
          })),
          () => {
            base.current = current.data as object
          },
          onDiscard,
        ),
    })
    base.current = saved.data as object
    return saved
  }
}

export type EditOptions<Data, Patch> = Omit<VersionedEditOptions<Data, Patch>, 'read' | 'save'> &
  Calls<Data, Patch>

export function useEdit<Data, Patch extends object>(
  options: EditOptions<Data, Patch>,
): (patch: Patch) => Promise<Data> {
  const edit = useVersionedEdit({ ...options, ...versionedCalls(options) })
  return async patch => (await edit(patch)).data
}
