// Several short texts, such as domains: each is a chip with a button to remove it.
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { TextField } from './field.tsx'
import { Icon } from './icon.tsx'

interface TagsFieldProps {
  readonly label: string
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
  readonly hint?: ReactNode
  readonly placeholder?: string
  readonly name?: string
  readonly isReadOnly?: boolean
  /** What stands between two texts. */
  readonly separators?: RegExp
}

const usualSeparators = /[\s,;]+/

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
  const [text, setText] = useState('')
  const frame = useRef<HTMLDivElement>(null)
  const change = (changed: readonly string[]) => {
    onChange(changed)
    // The problem of a list stands beside its input, which forgets it only when it changes itself.
    frame.current?.querySelector('input')?.dispatchEvent(new Event('change'))
  }
  const add = (typed: string) => {
    const added = typed.split(separators).filter(part => part !== '')
    if (added.length > 0) change([...new Set([...values, ...added])])
    setText('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ',') {
      if (text.trim() === '' && event.key === 'Enter') return
      event.preventDefault()
      add(text)
    } else if (event.key === 'Backspace' && text === '') change(values.slice(0, -1))
  }
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text')
    if (!separators.test(pasted.trim())) return
    event.preventDefault()
    add(pasted)
  }
  return (
    <div ref={frame}>
      <TextField
        label={label}
        value={text}
        onChange={setText}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => add(text)}
        isReadOnly={isReadOnly}
        {...(hint !== undefined && { hint })}
        {...(placeholder !== undefined && { placeholder })}
        {...(name !== undefined && { name })}
      />
      {values.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-1.5" aria-label={label}>
          {values.map(value => (
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
