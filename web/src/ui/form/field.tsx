// Text controls with label, hint and error.
import { type ReactNode, use, useState } from 'react'
import { FieldError, FieldErrorContext } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label as AriaLabel } from 'react-aria-components/Label'
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField'
import { Text } from 'react-aria-components/Text'
import { TextArea } from 'react-aria-components/TextArea'
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components/TextField'
import { classes, controlFrame } from '../base/classes.ts'
import { Icon } from '../base/icon.tsx'

export const Label = ({ children }: { readonly children: ReactNode }) => (
  <AriaLabel className="mb-1 block text-[0.8125rem] font-medium text-ink">{children}</AriaLabel>
)

/** Hint and error of a field; they must be inside a field of React Aria. */
export const FieldNotes = ({
  hint,
  problem,
}: {
  readonly hint?: ReactNode
  readonly problem?: ReactNode
}) => (
  <>
    {hint && (
      <Text slot="description" className="mt-1 block text-[0.8125rem] text-muted">
        {hint}
      </Text>
    )}
    <SteadyError problem={problem} />
  </>
)

/**
 * An error comes and goes when the field loses the focus, which is when a button below is pressed. The error appears
 * after a moment, and its space stays, so that the button does not move away from under the pointer.
 */
function SteadyError({ problem }: { readonly problem?: ReactNode }) {
  const isInvalid = use(FieldErrorContext)?.isInvalid ?? false
  const [hadError, setHadError] = useState(false)
  if (isInvalid && !hadError) setHadError(true)
  return (
    <div className={hadError ? 'steady-error' : 'contents'}>
      <FieldError className="mt-1 block text-[0.8125rem] text-bad">{problem}</FieldError>
    </div>
  )
}

interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'children'> {
  readonly label: string
  readonly hint?: ReactNode
  readonly placeholder?: string
  /** More than one line. */
  readonly rows?: number
  readonly isLabelHidden?: boolean
  readonly className?: string
  /** The problem that the API has found in the value, where no form shows it. */
  readonly problem?: string | undefined
}

export const TextField = ({
  label,
  hint,
  placeholder,
  rows,
  isLabelHidden,
  className,
  problem,
  ...rest
}: TextFieldProps) => (
  <AriaTextField
    {...rest}
    {...(problem !== undefined && { isInvalid: true })}
    {...(isLabelHidden && { 'aria-label': label })}
    className={classes('block', className)}
  >
    {!isLabelHidden && <Label>{label}</Label>}
    {rows === undefined ? (
      <Input placeholder={placeholder ?? ''} className={controlFrame} />
    ) : (
      <TextArea rows={rows} placeholder={placeholder ?? ''} className={classes(controlFrame, 'resize-y')} />
    )}
    <FieldNotes hint={hint} problem={problem} />
  </AriaTextField>
)

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly className?: string
  readonly autoFocus?: boolean
}

export const SearchField = ({ label, value, onChange, className, autoFocus = false }: SearchFieldProps) => (
  <AriaSearchField
    aria-label={label}
    autoFocus={autoFocus}
    value={value}
    onChange={onChange}
    className={classes('relative block', className)}
  >
    <Icon name="search" className="pointer-events-none absolute start-3 top-2.5 text-muted" />
    <Input
      placeholder={label}
      className={classes(controlFrame, 'ps-9 [&::-webkit-search-cancel-button]:hidden')}
    />
  </AriaSearchField>
)
