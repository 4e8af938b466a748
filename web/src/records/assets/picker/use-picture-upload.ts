// One upload that a dialog shows: the newest one counts, and it ends with the dialog. A dialog that is cancelled leaves no
// picture in the library that the person has not put there.
import type { Asset } from '@signoff/sdk'
import { useEffect, useRef, useState } from 'react'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import type { ImageRole } from '../roles.ts'
import { type PictureOrigin, refreshAssets, uploadPicture } from '../upload-picture.ts'

export interface PictureUpload {
  readonly origin: PictureOrigin
  /** From 0 to 1. */
  readonly part: number
  readonly asset?: Asset
  readonly error?: unknown
}

export function usePictureUpload(role: ImageRole | undefined, onDone?: (asset: Asset) => void) {
  const can = useCan()
  const [upload, setUpload] = useState<PictureUpload>()
  const uploaded = useRef<readonly Asset[]>([])
  const running = useRef<AbortController>(undefined)
  const done = useRef(onDone)
  done.current = onDone
  const stop = () => {
    running.current?.abort()
    setUpload(undefined)
  }
  /** Best effort: a picture that stays is only one more in the library. */
  const discard = async () => {
    stop()
    const assets = can('assets:delete') ? uploaded.current : []
    uploaded.current = []
    if (assets.length === 0) return
    await Promise.allSettled(assets.map(({ id }) => api.assets.delete(id)))
    await refreshAssets()
  }
  const start = async (origin: PictureOrigin) => {
    running.current?.abort()
    const ending = new AbortController()
    running.current = ending
    const { signal } = ending
    const show = (state: Omit<PictureUpload, 'origin'>) => signal.aborted || setUpload({ origin, ...state })
    show({ part: 0 })
    try {
      const asset = await uploadPicture(origin, { role, signal, onProgress: part => show({ part }) })
      void refreshAssets()
      uploaded.current = [...uploaded.current, asset]
      if (signal.aborted) return
      show({ part: 1, asset })
      done.current?.(asset)
    } catch (error) {
      show({ part: 0, error })
    }
  }
  useEffect(() => () => running.current?.abort(), [])
  return { upload, start, stop, discard }
}
