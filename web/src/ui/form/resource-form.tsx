// A form over a resource and its draft: save bar, problems beside the fields, conflicts, and the question on leaving.
import type { FormEvent, ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { type OwnProblemMessage, useFieldErrors, useMessageOf } from '#state/error-messages.ts'
import { EditConflict } from '#state/use-edit.ts'
import type { useResource } from '#state/use-resource.ts'
import { Button } from '../base/button.tsx'
import { EditProblem } from '../feedback/edit-problem.tsx'
import { toast } from '../feedback/toast.tsx'
import { UnsavedQuestion } from '../feedback/unsaved-question.tsx'
import { Notice } from '../layout/page.tsx'
import { ProblemForm } from './problem-form.tsx'

type Resource = Pick<ReturnType<typeof useResource>, 'isDirty' | 'discard' | 'save' | 'isSaving' | 'error'>

interface ResourceFormProps {
  readonly resource: Resource
  /** Problems by the names of the controls, where the API names them in another way. */
  readonly problemsOf?: (problems: Readonly<Record<string, string>>) => Record<string, string>
  readonly problemText?: OwnProblemMessage | undefined
  /** The text of the toast. */
  readonly savedText?: (waitingChanges: number) => string | undefined
  readonly children: ReactNode
}

interface SaveBarProps {
  readonly isSaving: boolean
  readonly onDiscard: () => void
  /** Why the last attempt failed. */
  readonly problem: string | undefined
}

/** `domains[2]` → `domains`: the control of a list shows the problems of its items. */
const listProblems = (problems: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(problems)
      .filter(([field]) => /^\w+\[\d+\]$/.test(field))
      .map(([field, text]) => [field.replace(/\[\d+\]$/, ''), text]),
  ),
  ...problems,
})

function SaveBar({ isSaving, onDiscard, problem }: SaveBarProps) {
  const t = useTranslations('shell')
  return (
    <div className="sticky bottom-3 z-20 flex flex-wrap items-center justify-end gap-2 rounded-2xl border border-line bg-card p-3 shadow-floating">
      {problem !== undefined && (
        <div role="alert" className="basis-full">
          <Notice kind="bad">{problem}</Notice>
        </div>
      )}
      <p role="status" className="me-auto ps-1 text-[0.8125rem] text-muted">
        {t('unsavedChanges')}
      </p>
      <Button onPress={onDiscard} isDisabled={isSaving}>
        {t('discard')}
      </Button>
      <Button type="submit" variant="primary" isPending={isSaving}>
        {t('save')}
      </Button>
    </div>
  )
}

export function ResourceForm(props: ResourceFormProps) {
  const { resource, problemsOf = listProblems, problemText, savedText, children } = props
  const { error, isSaving, isDirty, discard } = resource
  const fieldErrors = useFieldErrors(problemText)(error)
  const messageOf = useMessageOf()
  const t = useTranslations('shell')
  const save = () => resource.save(waitingChanges => toast(savedText?.(waitingChanges) ?? t('saved')))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isDirty) save()
  }
  const hasConflict = error instanceof EditConflict
  return (
    <ProblemForm
      onSubmit={submit}
      error={error}
      problems={problemsOf(fieldErrors)}
      className="grid grid-cols-1 gap-5"
    >
      {hasConflict && <EditProblem error={error} onRetry={save} onReset={discard} isPending={isSaving} />}
      {children}
      {isDirty && !hasConflict && (
        <SaveBar isSaving={isSaving} onDiscard={discard} problem={error ? messageOf(error) : undefined} />
      )}
      <UnsavedQuestion isDirty={isDirty} />
    </ProblemForm>
  )
}
