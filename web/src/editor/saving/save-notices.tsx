// What the editor says below its header when a save does not go through: another person has saved, or the service refuses.
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { IconButton } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import type { RenderingOptions } from '../rendering/use-rendering.ts'
import type { Autosave } from './autosave.ts'
import { ConflictPanel } from './conflict-panel.tsx'
import type { Merge } from './merge.ts'
import { RefusedBar } from './refused-bar.tsx'
import type { SaveStatus } from './states.ts'
import type { EditorTarget } from './targets.ts'
import { useLastSaver, useMerging } from './use-merging.ts'

interface SaveNoticesProps {
  readonly target: EditorTarget
  readonly name: string
  readonly autosave: Autosave
  readonly status: SaveStatus
  readonly error: unknown
  readonly view: RenderingOptions
  readonly onLeave: () => Promise<void>
}

interface MergedBefore {
  readonly count: number
  readonly hadQuestions: boolean
  /** The version with which the refused save began. */
  readonly version: string | undefined
}

export default function SaveNotices({
  target,
  name,
  autosave,
  status,
  error,
  view,
  onLeave,
}: SaveNoticesProps) {
  const t = useTranslations('editor.conflict')
  const format = useFormatter()
  const [merged, setMerged] = useState<MergedBefore>()
  const isConflict = status === 'conflict'
  const saver = useLastSaver(
    target,
    isConflict ? autosave.version : merged?.version,
    isConflict || merged !== undefined,
  )
  const onMerged = ({ theirChanges, conflicts }: Merge, version: string | undefined) =>
    setMerged(
      theirChanges > 0 ? { count: theirChanges, hadQuestions: conflicts.length > 0, version } : undefined,
    )
  const merging = useMerging({ target, autosave, status, onMerged })
  const time = saver && format.dateTime(saver.at, { timeStyle: 'short' })
  const who = saver
    ? saver.name === undefined
      ? t('who.self', { time: time ?? '' })
      : t('who.named', { name: saver.name, time: time ?? '' })
    : t('who.other')
  const text =
    merged && saver !== undefined
      ? t(merged.hadQuestions ? 'decided' : 'merged', { who, count: merged.count })
      : ''
  return (
    <>
      <MergedLine text={isConflict ? '' : text} onClose={() => setMerged(undefined)} />
      {isConflict && <ConflictPanel merging={merging} who={who} view={view} />}
      {status === 'refused' && (
        <RefusedBar target={target} name={name} autosave={autosave} error={error} onLeave={onLeave} />
      )}
    </>
  )
}

// A quiet line after the changes of two people were merged. It lies over the page, so that nothing moves while a person
// types.

interface MergedLineProps {
  /** Empty: nothing was merged. */
  readonly text: string
  readonly onClose: () => void
}

/** The element is there before its text, so that screen readers read the text. */
function MergedLine({ text, onClose }: MergedLineProps) {
  const t = useTranslations('shell')
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-20 grid justify-center max-md:bottom-18"
    >
      {text !== '' && (
        <div className="pointer-events-auto flex items-center gap-2 rounded-xl border border-line bg-card py-1 ps-3 pe-1 text-[0.8125rem] shadow-floating">
          <Icon name="users" size={14} />
          <p className="min-w-0 flex-1">{text}</p>
          <IconButton icon="x" label={t('close')} onPress={onClose} />
        </div>
      )}
    </div>
  )
}
