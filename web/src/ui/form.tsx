// A form that sends one request: problems of single fields stand beside them, all others above the buttons.
import { useMutation } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { Form as AriaForm } from 'react-aria-components/Form'
import { useTranslations } from 'use-intl'
import { useFieldErrors, useMessageOf } from '../api/error-texts.ts'
import { Button } from './button.tsx'
import { Actions } from './dialog.tsx'
import type { IconName } from './icon.tsx'
import { Notice } from './page.tsx'

interface FormProps<Result> {
  readonly onSubmit: (form: FormData) => Promise<Result>
  readonly onDone?: (result: Result) => void
  readonly children: (state: { readonly isPending: boolean }) => ReactNode
  readonly className?: string
}

export function Form<Result>({ onSubmit, onDone, children, className }: FormProps<Result>) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: onSubmit,
    ...(onDone && { onSuccess: (result: Result) => onDone(result) }),
  })
  const fieldErrors = useFieldErrors()(error)
  const messageOf = useMessageOf()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(new FormData(event.currentTarget))
  }
  return (
    <AriaForm onSubmit={submit} validationErrors={fieldErrors} className={className ?? 'grid gap-4'}>
      {children({ isPending })}
      {error && (
        <div role="alert">
          <Notice kind="bad">{messageOf(error)}</Notice>
        </div>
      )}
    </AriaForm>
  )
}

interface SubmitActionsProps {
  /** The verb: “Invite”, “Save”. */
  readonly action: ReactNode
  readonly onCancel: () => void
  readonly isPending: boolean
  readonly isDisabled?: boolean
  readonly icon?: IconName
}

/** The last row of a form in a dialog. */
export function SubmitActions({ action, onCancel, ...submit }: SubmitActionsProps) {
  const t = useTranslations('shell')
  return (
    <Actions>
      <Button onPress={onCancel}>{t('cancel')}</Button>
      <Button type="submit" look="primary" {...submit}>
        {action}
      </Button>
    </Actions>
  )
}
