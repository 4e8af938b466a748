// A number with the keys of the browser: arrows change it by one, the field can be empty for the standard value.
import { useEffect, useId, useState } from 'react'
import { classes, controlFrame } from '#ui/base/classes.ts'

interface NumberInputProps {
  readonly label: string
  readonly value: number | undefined
  readonly minimum: number
  readonly maximum: number
  readonly placeholder?: string
  readonly isLabelHidden?: boolean
  readonly onChange: (value: number | undefined) => void
}

export function NumberInput(props: NumberInputProps) {
  const { label, value, minimum, maximum, placeholder = '', isLabelHidden = false, onChange } = props
  const id = useId()
  const [text, setText] = useState(value === undefined ? '' : String(value))
  useEffect(() => setText(value === undefined ? '' : String(value)), [value])
  const parsed = text.trim() === '' ? undefined : Number(text.replace(',', '.'))
  const isWrong = parsed !== undefined && !(parsed >= minimum && parsed <= maximum)
  const type = (typed: string) => {
    setText(typed)
    const number = typed.trim() === '' ? undefined : Number(typed.replace(',', '.'))
    if (number === undefined || (number >= minimum && number <= maximum)) onChange(number)
  }
  return (
    <div className="min-w-0">
      {!isLabelHidden && (
        <label htmlFor={id} className="mb-1 block truncate text-[0.8125rem] font-medium">
          {label}
        </label>
      )}
      <input
        id={id}
        type="number"
        inputMode="decimal"
        {...(isLabelHidden && { 'aria-label': label })}
        aria-invalid={isWrong}
        min={minimum}
        max={maximum}
        step="any"
        value={text}
        placeholder={placeholder}
        onChange={event => type(event.currentTarget.value)}
        onBlur={() => isWrong && setText(value === undefined ? '' : String(value))}
        className={classes(controlFrame, 'tabular-nums', isWrong && 'border-bad')}
      />
    </div>
  )
}
