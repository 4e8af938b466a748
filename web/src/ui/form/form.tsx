// A form that sends one request: problems of single fields stand beside them, all others at its end.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, use } from 'react'
import { isShownByControls, type OwnProblemMessage, useFieldErrors } from '#state/error-messages.ts'
import { EditProblem } from '../feedback/edit-problem.tsx'
import { UnsavedContext } from '../feedback/unsaved-question.tsx'
import { ProblemForm } from './problem-form.tsx'

export interface FormProps<Result> {
  readonly onSubmit: (form: FormData) => Promise<Result>
  readonly onDone?: (result: Result) => void
  readonly children: (state: { readonly isPending: boolean }) => ReactNode
  readonly className?: string
  /** The name of the control for a field of the API that is called otherwise, such as `smart_fields[0].value`. */
  readonly controlOf?: (field: string, form: FormData) => string | undefined
  readonly problemText?: OwnProblemMessage | undefined
}

export function Form<Result>(props: FormProps<Result>) {
  const { onSubmit, onDone, children, className, controlOf, problemText } = props
  const markSaved = use(UnsavedContext)
  const { mutate, isPending, error, variables, reset } = useMutation({
    mutationFn: onSubmit,
    onSuccess: (result: Result) => {
      markSaved()
      onDone?.(result)
    },
  })
  const fieldErrors = useFieldErrors(problemText)(error)
  const names = variables ? [...variables.keys()] : []
  const renamed = Object.entries(fieldErrors).map(([field, text]) => [
    (variables && controlOf?.(field, variables)) ?? field,
    text,
  ])
  const isShown =
    isShownByControls(error, names) || (controlOf && renamed.some(([name]) => names.includes(name ?? '')))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(new FormData(event.currentTarget))
  }
  return (
    <ProblemForm
      onSubmit={submit}
      error={error}
      problems={Object.fromEntries(renamed)}
      className={className ?? 'grid gap-4'}
    >
      {children({ isPending })}
      <EditProblem
        error={isShown ? null : error}
        isPending={isPending}
        onRetry={() => variables && mutate(variables)}
        onReset={reset}
      />
    </ProblemForm>
  )
}
