/** Computes the value at the first call and caches it. A failure is not cached: the next call computes it again. */
export function memoize<T>(compute: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined
  return () => {
    cached ??= compute().catch(error => {
      cached = undefined
      throw error
    })
    return cached
  }
}
