// Filters, ranges and selections live in the address, so that a page can be bookmarked and sent to a colleague.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { searchOf } from './search-of.ts'

type Values = Readonly<Record<string, string | undefined>>

/**
 * Part of the query string as state: `const [{ search = '' }, setState] = useAddressState<'search' | 'sort'>()`. An empty
 * or undefined value leaves the address. A change replaces the entry in the history, so that Back leaves the page; with
 * `push`, Back leads to the state before.
 */
export function useAddressState<Name extends string>(): [
  Readonly<Partial<Record<Name, string>>>,
  (change: Readonly<Partial<Record<Name, string | undefined>>>, history?: 'push' | 'replace') => void,
] {
  const sent = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const state = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]))
  const change = (values: Values, history: 'push' | 'replace' = 'replace') => {
    const next = Object.entries({ ...state, ...values }).flatMap(([name, value]) =>
      value ? [[name, value] as const] : [],
    )
    void navigate({ to: '.', search: searchOf(Object.fromEntries(next)), replace: history === 'replace' })
  }
  return [state as Partial<Record<Name, string>>, change]
}
