// Loads the image library with the loaders of other formats blocked. Runs only in the image process.
import type sharp from 'sharp'

const allowedLoaders = ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Svg'].map(name => `VipsForeignLoad${name}`)

let loadedLibrary: Promise<typeof sharp> | undefined

async function load(): Promise<typeof sharp> {
  const { default: library } = await import('sharp')
  library.cache(false) // the same picture is never read twice in a row
  // Loaders of all other formats stay blocked, independent of what the bytes claim to be.
  library.block({ operation: ['VipsForeignLoad'] })
  library.unblock({ operation: allowedLoaders })
  return library
}

export const loadSharp = (): Promise<typeof sharp> => {
  loadedLibrary ??= load()
  return loadedLibrary
}
