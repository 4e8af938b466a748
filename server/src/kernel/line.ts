// Work that is dear in memory or time: a few at once, some waiting, the rest told to come back.
import { apiError } from './errors.ts'

export interface LineOptions {
  readonly atOnce: number
  readonly waiting: number
}

export function createLine({ atOnce, waiting }: LineOptions): <T>(work: () => Promise<T>) => Promise<T> {
  let working = 0
  const line: (() => void)[] = []
  const turn = async (): Promise<void> => {
    if (working < atOnce) {
      working++
      return
    }
    if (line.length >= waiting)
      throw apiError('unavailable', {
        message: 'Too many pictures are being drawn; try again shortly.',
        headers: { 'Retry-After': '2' },
      })
    // Whoever is done hands the place on: nobody can slip in between.
    await new Promise<void>(resolve => line.push(resolve))
  }
  return async work => {
    await turn()
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else working--
    }
  }
}
