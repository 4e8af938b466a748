import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { loadPart } from '#state/load-part.ts'

/**
 * A component whose code is loaded when it is first shown. Not `lazy`: React reveals what a Suspense waited for at the
 * earliest 300 ms after its fallback, even when the code arrives after 10 ms.
 */
export function onDemand<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  fallback: ReactNode = null,
) {
  let Loaded: ComponentType<Props> | undefined
  return function OnDemand(props: Props) {
    const [failure, setFailure] = useState<{ readonly error: unknown }>()
    const [, setIsLoaded] = useState(Loaded !== undefined)
    useEffect(() => {
      if (Loaded) return
      loadPart(load).then(
        module => {
          Loaded = module.default
          setIsLoaded(true)
        },
        error => setFailure({ error }),
      )
    }, [])
    if (failure) throw failure.error
    return Loaded ? <Loaded {...props} /> : fallback
  }
}
