// A form whose controls show what the API said about their values.
import { type FormEvent, type MouseEvent, type ReactNode, useState } from 'react'
import { Form as AriaForm } from 'react-aria-components/Form'
import { flushSync } from 'react-dom'
import { useSameProblems } from '#state/error-messages.ts'

interface ProblemFormProps {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
  readonly error: unknown
  /** The texts of the error, by the names of the controls. */
  readonly problems: Record<string, string>
  readonly className: string
  readonly children: ReactNode
}

const noProblems = {}

/**
 * A browser does not send a form while a control has a problem. Only the API knows whether a problem is still there: it
 * can be gone although the control has the same value, such as a domain that was added to the workspace meanwhile. So
 * the press on the button that sends the form takes the problems away first.
 */
export function ProblemForm({ onSubmit, error, problems, className, children }: ProblemFormProps) {
  const stableProblems = useSameProblems(error, problems)
  const [forgotten, setForgotten] = useState<unknown>(null)
  const forget = ({ target }: MouseEvent) => {
    const isSending = target instanceof Element && target.closest('[type=submit]') !== null
    if (isSending && error !== forgotten) flushSync(() => setForgotten(error))
  }
  return (
    <AriaForm
      onSubmit={onSubmit}
      onClickCapture={forget}
      validationErrors={error === forgotten ? noProblems : stableProblems}
      className={className}
    >
      {children}
    </AriaForm>
  )
}
