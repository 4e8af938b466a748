// Why a save failed: both values, when another person has changed them meanwhile; else a sentence.
import { useMessageOf } from '#state/error-messages.ts'
import { EditConflict } from '#state/use-edit.ts'
import { Notice } from '../layout/page.tsx'
import { ConflictNotice } from './conflict-notice.tsx'

interface EditProblemProps {
  readonly error: unknown
  /** Sends the same change again. */
  readonly onRetry: () => void
  /** Forgets the error. */
  readonly onReset: () => void
  readonly isPending: boolean
}

export function EditProblem({ error, onRetry, onReset, isPending }: EditProblemProps) {
  const messageOf = useMessageOf()
  if (error instanceof EditConflict)
    return (
      <ConflictNotice
        rows={error.rows}
        isPending={isPending}
        onTakeMine={() => {
          error.overwrite()
          onRetry()
        }}
        onTakeStored={() => {
          onReset()
          error.discard()
        }}
      />
    )
  if (!error) return null
  return (
    <div role="alert">
      <Notice kind="bad">{messageOf(error)}</Notice>
    </div>
  )
}
