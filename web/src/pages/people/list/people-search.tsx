import { useEffect, useState } from 'react'
import { SearchField } from '#ui/field.tsx'

interface PeopleSearchProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}

const pauseMilliseconds = 200

/** Asks after a short pause, so that a word is one request and not one for each letter. */
export function PeopleSearch({ label, value, onChange }: PeopleSearchProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => onChange(text.trim()), pauseMilliseconds)
    return () => clearTimeout(timer)
  })
  return <SearchField label={label} value={text} onChange={setText} className="min-w-48 flex-1" />
}
