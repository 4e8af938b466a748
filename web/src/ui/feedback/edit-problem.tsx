// Why a save failed: both values, when another person has changed them meanwhile; else a sentence.
import { EditConflict } from '#state/use-edit.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import { ErrorNotice } from './error-notice.tsx'

interface EditProblemProps {
  readonly error: unknown
  /** Sends the same change again. */
  readonly onRetry: () => void
  /** Forgets the error. */
  readonly onReset: () => void
  readonly isPending: boolean
}

export function EditProblem({ error, onRetry, onReset, isPending }: EditProblemProps) {
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
  return <ErrorNotice error={error} />
}
