// The image library, with the readers of unwanted formats shut. Loaded by the image process alone.
import type sharp from 'sharp'

const allowedLoaders = ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Svg'].map(name => `VipsForeignLoad${name}`)

let loadedLibrary: Promise<typeof sharp> | undefined

async function load(): Promise<typeof sharp> {
  const { default: library } = await import('sharp')
  library.cache(false) // no picture is read twice in a row
  // Whatever the bytes claim to be, the readers of all other formats stay shut.
  library.block({ operation: ['VipsForeignLoad'] })
  library.unblock({ operation: allowedLoaders })
  return library
}

export const loadSharp = (): Promise<typeof sharp> => {
  loadedLibrary ??= load()
  return loadedLibrary
}
