// What a screen reader says after a change that is only visible: a block has moved, a copy was made.
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'

const AnnounceContext = createContext<(text: string) => void>(() => {})

export const useAnnounce = () => useContext(AnnounceContext)

export function Announcements({ children }: { readonly children: ReactNode }) {
  const [said, setSaid] = useState({ text: '', count: 0 })
  const announce = useCallback((text: string) => setSaid(({ count }) => ({ text, count: count + 1 })), [])
  return (
    <AnnounceContext value={announce}>
      {children}
      <div role="status" aria-live="assertive" className="sr-only">
        {/* The same sentence twice in a row is said twice: the element is another one. */}
        <span key={said.count}>{said.text}</span>
      </div>
    </AnnounceContext>
  )
}
