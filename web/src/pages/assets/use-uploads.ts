// The files that are being uploaded, each with its progress and its own error.
import { useRef, useState } from 'react'
import { queryClient } from '../../api/client.ts'
import { useMessageOf } from '../../api/error-texts.ts'
import { isSignoffError } from '../../api/errors.ts'
import { uploadClient } from '../../api/upload-client.ts'

export interface Upload {
  readonly id: number
  readonly name: string
  readonly file: File
  /** From 0 to 1. */
  readonly part: number
  readonly status: 'waiting' | 'sending' | 'done' | 'failed'
  readonly problem?: string
}

const maxUploadBytes = 15 * 1024 * 1024
/** At once; the others wait. */
const lanes = 2

/** What people read instead of the API's words, by the code of a detail. */
interface UploadTexts {
  readonly tooLarge: string
  readonly notAnImage: string
}

export function useUploads({ tooLarge, notAnImage }: UploadTexts) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const waiting = useRef<Upload[]>([])
  const running = useRef(0)
  const count = useRef(0)
  const messageOf = useMessageOf()
  const change = (id: number, values: Partial<Upload>) =>
    setUploads(all => all.map(each => (each.id === id ? { ...each, ...values } : each)))

  const send = async ({ id, file }: Upload) => {
    change(id, { status: 'sending' })
    try {
      if (file.size > maxUploadBytes) throw new Error(tooLarge)
      const client = uploadClient(part => change(id, { part }))
      await client.assets.create({ file_base64: file, filename: file.name })
      change(id, { status: 'done', part: 1 })
    } catch (error) {
      const code = isSignoffError(error) ? error.details[0]?.code : undefined
      const sentence = code === 'invalid' ? notAnImage : code === 'out_of_range' ? tooLarge : undefined
      change(id, { status: 'failed', problem: sentence ?? messageOf(error) })
    }
  }
  const work = async () => {
    running.current += 1
    for (let next = waiting.current.shift(); next; next = waiting.current.shift()) {
      await send(next)
      void queryClient.invalidateQueries({ queryKey: ['assets'] })
    }
    running.current -= 1
  }
  const add = (files: readonly File[]) => {
    const added = files.map(file => {
      count.current += 1
      return { id: count.current, name: file.name, file, part: 0, status: 'waiting' as const }
    })
    setUploads(all => [...all.filter(({ status }) => status !== 'done'), ...added])
    waiting.current.push(...added)
    while (running.current < Math.min(lanes, waiting.current.length + running.current)) void work()
  }
  const dismiss = (id: number) => setUploads(all => all.filter(each => each.id !== id))
  return { uploads, add, dismiss }
}
