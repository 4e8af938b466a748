// The text of a cell while it is edited. Enter saves, Esc gives up; a problem stands beside it.
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { classes } from '../base/classes.ts'
import type { CellEdit } from './virtual-table-types.ts'

interface CellEditorProps<Row> {
  readonly edit: CellEdit<Row>
  readonly row: Row
  readonly label: string
  readonly onEnd: () => void
}

export function CellEditor<Row>({ edit, row, label, onEnd }: CellEditorProps<Row>) {
  // A refresh in the background must not change what the edit began with. After a failure the newest row counts: the
  // person has read what is stored.
  const [first] = useState(row)
  const hasFailed = useRef(false)
  const before = edit.valueOf(first)
  const [value, setValue] = useState(before)
  const [problem, setProblem] = useState<string>()
  const isSaving = useRef(false)
  const problemId = useId()
  const save = async () => {
    if (isSaving.current) return
    if (value.trim() === before) return onEnd()
    isSaving.current = true
    try {
      await edit.save(hasFailed.current ? row : first, value.trim())
      onEnd()
    } catch (error) {
      hasFailed.current = true
      setProblem(edit.messageOf(error))
    } finally {
      isSaving.current = false
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void save()
    else if (event.key === 'Escape') onEnd()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit this cell
        autoFocus
        aria-label={label}
        value={value}
        maxLength={5_000}
        onChange={event => {
          setValue(event.currentTarget.value)
          setProblem(undefined)
        }}
        onFocus={event => event.currentTarget.select()}
        onKeyDown={onKeyDown}
        onBlur={() => problem === undefined && void save()}
        {...(problem !== undefined && { 'aria-invalid': true, 'aria-describedby': problemId })}
        className={classes(
          '-mx-2 min-h-8 w-full min-w-0 flex-1 rounded-lg border bg-card px-2 outline-2 -outline-offset-1',
          problem === undefined ? 'border-accent outline-accent' : 'border-bad outline-bad',
        )}
      />
      {problem !== undefined && (
        <p
          id={problemId}
          role="alert"
          className="absolute inset-x-1 top-full z-20 -mt-1 rounded-lg border border-bad/40 bg-bad-soft px-2 py-1 text-xs whitespace-normal text-bad shadow-floating"
        >
          {problem}
        </p>
      )}
    </>
  )
}
