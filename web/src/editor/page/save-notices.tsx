// What the editor says below its header when a save does not go through: another person has saved, or the service refuses.
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { ConflictPanel } from '../merge/conflict-panel.tsx'
import { useLastSaver } from '../merge/last-saver.ts'
import type { Merge } from '../merge/merge.ts'
import { MergedLine } from '../merge/merged-line.tsx'
import { useMerging } from '../merge/use-merging.ts'
import type { RenderingOptions } from '../surroundings/use-rendering.ts'
import type { Autosave, SaveStatus } from './autosave.ts'
import { RefusedBar } from './refused-bar.tsx'
import type { EditorTarget } from './targets.ts'

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
  /** That the refused save began with. */
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
