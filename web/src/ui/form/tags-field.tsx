// Several short texts, such as domains: each is a chip with a button to remove it.
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isSameValue } from '#state/use-edit.ts'
import { Icon } from '../base/icon.tsx'
import { TextField } from './field.tsx'

interface TagsFieldProps {
  readonly label: string
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
  readonly hint?: ReactNode
  readonly placeholder?: string
  readonly name?: string
  readonly isReadOnly?: boolean
  /** The characters between two texts. */
  readonly separators?: RegExp
}

const usualSeparators = /[\s,;]+/

/** A text that is being typed, and the chips beside it. */
interface Entry {
  readonly text: string
  readonly chips: readonly string[]
}

export function TagsField(props: TagsFieldProps) {
  const {
    label,
    values,
    onChange,
    hint,
    placeholder,
    name,
    isReadOnly = false,
    separators = usualSeparators,
  } = props
  const t = useTranslations('shell')
  const frame = useRef<HTMLDivElement>(null)
  const [entry, setEntry] = useState<Entry>()
  const withParts = (before: readonly string[], typed: string): readonly string[] => [
    ...new Set([...before, ...typed.split(separators).filter(part => part !== '')]),
  ]
  // Values that came from elsewhere, such as those of a discarded form, end the entry.
  const isTyping = entry !== undefined && isSameValue(withParts(entry.chips, entry.text), values)
  const { text, chips } = isTyping ? entry : { text: '', chips: values }
  const change = (changed: readonly string[]) => {
    onChange(changed)
    // The problem of a list stands beside its input, which forgets it only when it changes itself.
    frame.current?.querySelector('input')?.dispatchEvent(new Event('change'))
  }
  const settle = () => setEntry(undefined)
  /** Typed text counts at once, so that a form can be saved while the text is no chip yet. */
  const type = (typed: string) => {
    setEntry({ text: typed, chips })
    change(withParts(chips, typed))
  }
  /**
   * A press on a button takes the focus from the input. A chip that appeared now would move the button away from under
   * the pointer before it is released.
   */
  const settleAfterPress = () => {
    const ended = new AbortController()
    const end = () => {
      ended.abort()
      settle()
    }
    for (const event of ['click', 'keyup'])
      addEventListener(event, end, { capture: true, signal: ended.signal })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ',') {
      if (text.trim() === '' && event.key === 'Enter') return
      event.preventDefault()
      settle()
    } else if (event.key === 'Backspace' && text === '') change(chips.slice(0, -1))
  }
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text')
    if (!separators.test(pasted.trim())) return
    event.preventDefault()
    settle()
    change(withParts(values, pasted))
  }
  return (
    <div ref={frame}>
      <TextField
        label={label}
        value={text}
        onChange={type}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={settleAfterPress}
        isReadOnly={isReadOnly}
        {...(hint !== undefined && { hint })}
        {...(placeholder !== undefined && { placeholder })}
        {...(name !== undefined && { name })}
      />
      {chips.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-1.5" aria-label={label}>
          {chips.map(value => (
            <li
              key={value}
              className="inline-flex min-h-7 max-w-full items-center gap-1 rounded-lg bg-sunken ps-2.5 pe-1 text-[0.8125rem]"
            >
              <span className="truncate">{value}</span>
              {isReadOnly ? (
                <span className="w-1" />
              ) : (
                <button
                  type="button"
                  aria-label={t('removeOne', { name: value })}
                  onClick={() => change(values.filter(each => each !== value))}
                  className="grid size-6 place-items-center rounded-md text-muted hover:bg-line hover:text-ink"
                >
                  <Icon name="x" size={13} />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
