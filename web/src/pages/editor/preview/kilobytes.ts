import { useFormatter } from 'use-intl'

/** Rounded up: a size above a limit is never shown as the limit itself. */
export function useKilobytes(): (bytes: number) => string {
  const format = useFormatter()
  return bytes => format.number(Math.ceil(bytes / 100) / 10)
}
