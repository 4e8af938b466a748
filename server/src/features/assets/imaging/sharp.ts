// Pictures unpacked are a hundred times what they were: a process works on few of them at once.
import type sharp from 'sharp'
import { createLine } from '../../kernel/line.ts'

export const atOnce = 2

/** Whoever waits holds what was sent, some 35 MB at most. */
export const inTurn = createLine({ atOnce, waiting: 20 })

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
