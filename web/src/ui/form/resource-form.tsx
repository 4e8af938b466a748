// A form over a resource and its draft: save bar, problems beside the fields, conflicts, and the question on leaving.
import type { FormEvent, ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { type OwnProblemMessage, useFieldErrors, useMessageOf } from '#state/error-messages.ts'
import type { DraftOf } from '#state/use-draft.ts'
import type { useResource } from '#state/use-resource.ts'
import { Button } from '../base/button.tsx'
import { ConflictNotice } from '../feedback/conflict-notice.tsx'
import { toast } from '../feedback/toast.tsx'
import { UnsavedQuestion } from '../feedback/unsaved-question.tsx'
import { Notice } from '../layout/page.tsx'
import { ProblemForm } from './problem-form.tsx'

/** The part of a resource that the form needs; `data` has the same properties as the draft. */
type ResourceOf<Data, Patch> = Omit<ReturnType<typeof useResource<Data, Patch>>, 'stored'>

interface ResourceFormProps<Data extends object, Patch> {
  readonly resource: ResourceOf<Data, Patch>
  readonly draft: DraftOf<Data>
  readonly toPatch: (changes: Partial<Data>) => Patch
  /** The name of a property of the resource, for the comparison of two versions. */
  readonly labelOf: (key: string) => string
  /** A value of the resource as text. */
  readonly textOf: (value: unknown, key: string) => ReactNode
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

export function ResourceForm<Data extends object, Patch>(props: ResourceFormProps<Data, Patch>) {
  const { resource, draft, toPatch, labelOf, textOf, problemsOf = listProblems, savedText, children } = props
  const fieldErrors = useFieldErrors(props.problemText)(resource.error)
  const messageOf = useMessageOf()
  const t = useTranslations('shell')
  const save = (options: { readonly overwrite?: boolean; readonly ifMatch?: string | undefined }) =>
    resource.save(toPatch(draft.changes), {
      ...options,
      canMerge: draft.isSameBase,
      onSaved: ({ waitingChanges = 0 }) => {
        draft.reset()
        toast(savedText?.(waitingChanges) ?? t('saved'))
      },
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (draft.isDirty) save({ ifMatch: draft.etag })
  }
  const discard = () => {
    draft.reset()
    resource.discard()
  }
  const stored = resource.data as Readonly<Record<string, unknown>>
  const rows = Object.entries(draft.changes).map(([key, value]) => ({
    id: key,
    label: labelOf(key),
    yours: textOf(value, key),
    stored: textOf(stored[key], key),
  }))
  return (
    <ProblemForm
      onSubmit={submit}
      error={resource.error}
      problems={problemsOf(fieldErrors)}
      className="grid grid-cols-1 gap-5"
    >
      {resource.hasConflict && (
        <ConflictNotice
          rows={rows}
          onTakeStored={discard}
          onTakeMine={() => save({ overwrite: true })}
          isPending={resource.isSaving}
        />
      )}
      {children}
      {draft.isDirty && !resource.hasConflict && (
        <SaveBar
          isSaving={resource.isSaving}
          onDiscard={discard}
          problem={resource.error ? messageOf(resource.error) : undefined}
        />
      )}
      <UnsavedQuestion isDirty={draft.isDirty} />
    </ProblemForm>
  )
}
