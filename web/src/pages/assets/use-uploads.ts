// The files that are being uploaded, each with its progress and its own error.
import { useRef, useState } from 'react'
import { refreshAssets, uploadPicture, useUploadProblem } from '#records/assets/upload-picture.ts'

export interface Upload {
  readonly id: number
  readonly name: string
  readonly file: File
  /** From 0 to 1. */
  readonly part: number
  readonly status: 'waiting' | 'sending' | 'done' | 'failed'
  readonly problem?: string
}

/** At once; the others wait. */
const maxRequests = 2

export function useUploads() {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const waiting = useRef<Upload[]>([])
  const running = useRef(0)
  const count = useRef(0)
  const problemOf = useUploadProblem()
  const change = (id: number, values: Partial<Upload>) =>
    setUploads(all => all.map(each => (each.id === id ? { ...each, ...values } : each)))

  const send = async ({ id, file }: Upload) => {
    change(id, { status: 'sending' })
    try {
      await uploadPicture(file, { onProgress: part => change(id, { part }) })
      change(id, { status: 'done', part: 1 })
    } catch (error) {
      change(id, { status: 'failed', problem: problemOf(error) })
    }
  }
  const work = async () => {
    running.current += 1
    for (let next = waiting.current.shift(); next; next = waiting.current.shift()) {
      await send(next)
      void refreshAssets()
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
    while (running.current < Math.min(maxRequests, waiting.current.length + running.current)) void work()
  }
  const dismiss = (id: number) => setUploads(all => all.filter(each => each.id !== id))
  return { uploads, add, dismiss }
}
