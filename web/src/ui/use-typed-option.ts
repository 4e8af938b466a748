import { useRef } from 'react'

/** Letters that come sooner continue the word; later ones begin a new one. */
const pause = 1_000

/** The option whose label begins with the letters that were typed on a closed select. */
export function useTypedOption<Option extends { readonly id: string; readonly label: string }>(
  options: readonly Option[],
  value: string | null,
): (key: string) => Option | undefined {
  const typed = useRef({ letters: '', at: 0 })
  return key => {
    const now = performance.now()
    const before = now - typed.current.at < pause ? typed.current.letters : ''
    // A space alone opens the list.
    if (key.length !== 1 || (key === ' ' && before === '')) return undefined
    const letters = (before + key).toLocaleLowerCase()
    typed.current = { letters, at: now }
    // The same letter again goes to the next option that begins with it.
    const isRepeated = [...letters].every(letter => letter === letters[0])
    const wanted = isRepeated ? (letters[0] ?? '') : letters
    const found = options.filter(({ label }) => label.toLocaleLowerCase().startsWith(wanted))
    const at = found.findIndex(({ id }) => id === value)
    return isRepeated ? (found[at + 1] ?? found[0]) : found[0]
  }
}
