// Compares keys with what was pressed, and writes them for people.
import { useCallback } from 'react'
import { useTranslations } from 'use-intl'

export const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')

type PressedKey = Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** With Alt, a Mac reports the sign that would be typed: then the place of the key decides. */
function isKey({ key, code }: PressedKey, wanted: string): boolean {
  if (key.toLowerCase() === wanted.toLowerCase()) return true
  return /^[A-Z]$/.test(wanted) && code === `Key${wanted}`
}

export function isPressed(event: PressedKey, keys: string): boolean {
  const parts = keys.split('+')
  const key = parts.at(-1) ?? ''
  const has = (modifier: string): boolean => parts.includes(modifier)
  const isModified = event.ctrlKey || event.metaKey
  // Where `?` and `/` are differs between keyboards.
  const isSign = /^[?/]$/.test(key)
  return (
    isKey(event, key) &&
    isModified === has('Mod') &&
    (isSign || (event.shiftKey === has('Shift') && event.altKey === has('Alt')))
  )
}

const symbols: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}
const macSymbols: Readonly<Record<string, string>> = {
  Mod: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Enter: '↵',
  Delete: '⌫',
}
const named = ['Mod', 'Shift', 'Alt', 'Enter', 'Delete', 'Escape', 'Backspace', 'Home', 'End'] as const

/** The keys of a combination as they are printed on the keyboard of the person. */
export function useKeyNames(): (keys: string) => readonly string[] {
  const t = useTranslations('editor.keys.names')
  return useCallback(
    keys =>
      keys.split('+').map(part => {
        const symbol = symbols[part] ?? (isMac ? macSymbols[part] : undefined)
        if (symbol !== undefined) return symbol
        const name = named.find(each => each === part)
        return name ? t(name) : part
      }),
    [t],
  )
}
