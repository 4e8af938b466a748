// Pictures unpacked are a hundred times what they were: a process works on few of them at once.
import type sharp from 'sharp'

export const atOnce = 2

let working = 0
const waiting: (() => void)[] = []

export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (working >= atOnce) await new Promise<void>(next => waiting.push(next))
  else working++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else working--
  }
}

const readable = ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Svg'].map(name => `VipsForeignLoad${name}`)

let loaded: Promise<typeof sharp> | undefined

async function load(): Promise<typeof sharp> {
  const { default: library } = await import('sharp')
  library.cache(false) // no picture is read twice in a row
  // Whatever the bytes claim to be, the readers of all other formats stay shut.
  library.block({ operation: ['VipsForeignLoad'] })
  library.unblock({ operation: readable })
  return library
}

/** Loaded when first needed: many processes never see a picture. */
export const loadSharp = (): Promise<typeof sharp> => {
  loaded ??= load()
  return loaded
}
