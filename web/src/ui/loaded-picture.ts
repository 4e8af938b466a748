import { useEffect, useState } from 'react'

interface LoadedPicture {
  readonly src: string
  readonly pixels: { readonly width: number; readonly height: number }
}

/** The picture with its size; null when the browser cannot show it. */
export function useLoadedPicture(picture: Blob | string | null): LoadedPicture | null | undefined {
  const [loaded, setLoaded] = useState<LoadedPicture | null>()
  useEffect(() => {
    setLoaded(undefined)
    if (picture === null) return
    const src = typeof picture === 'string' ? picture : URL.createObjectURL(picture)
    const image = new Image()
    image.onload = () =>
      // A drawing (SVG) without a size of its own is taken as a square.
      setLoaded({ src, pixels: { width: image.naturalWidth || 1, height: image.naturalHeight || 1 } })
    image.onerror = () => setLoaded(null)
    image.src = src
    return () => {
      image.onload = null
      image.onerror = null
      if (typeof picture !== 'string') URL.revokeObjectURL(src)
    }
  }, [picture])
  return loaded
}
