import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { loadPart } from '#state/load-part.ts'
import { toastError } from '../feedback/toast.tsx'

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
    const t = useTranslations('shell.errors')
    const [, setIsLoaded] = useState(Loaded !== undefined)
    useEffect(() => {
      if (Loaded) return
      loadPart(load).then(
        module => {
          Loaded = module.default
          setIsLoaded(true)
        },
        // Browsers do not ask again for a file that failed. The page around it stays, with what was typed there.
        () => toastError(t('missing_part')),
      )
    }, [t])
    return Loaded ? <Loaded {...props} /> : fallback
  }
}
