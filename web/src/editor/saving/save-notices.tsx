// What the editor says below its header when a save does not go through: another person has saved, or the service refuses.

import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { goToSignIn } from '#api/client.ts'
import { idOf } from '#records/content/block.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button, IconButton } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { toastError } from '#ui/feedback/toast.tsx'
import { Notice } from '#ui/layout/page.tsx'
import { useEditor, useEditorState } from '../kit/editor-context.ts'
import type { RenderingOptions } from '../rendering/use-rendering.ts'
import type { Autosave } from './autosave.ts'
import { ConflictPanel } from './conflict-panel.tsx'
import type { Merge } from './merge.ts'
import { refusalOf, refusedBlock } from './refusal.ts'
import type { SaveStatus } from './states.ts'
import type { EditorTarget } from './targets.ts'
import { useLastSaver, useMerging } from './use-merging.ts'

// The service refuses to save: why, that nothing is lost, and what can be done.

interface RefusedBarProps {
  readonly target: EditorTarget
  readonly name: string
  readonly autosave: Autosave
  readonly error: unknown
  /** Keeps the changes in the browser before the page is left. */
  readonly onLeave: () => Promise<void>
}

function RefusedBar({ target, name, autosave, error, onLeave }: RefusedBarProps) {
  const t = useTranslations('editor.refused')
  const messageOf = useMessageOf()
  const { store } = useEditor()
  const { tree } = useEditorState()
  const refusal = refusalOf(error)
  const block = refusal === 'content' ? refusedBlock(tree, error) : undefined
  const signIn = async () => {
    await onLeave()
    goToSignIn()
  }
  return (
    <div role="alert" className="shrink-0 px-4 pt-3">
      <Notice kind="bad">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
          {t(refusal, { kind: target.kind, reason: messageOf(error) })}
          {refusal === 'signedOut' && (
            <Button isSmall onPress={() => void signIn()}>
              {t('signIn')}
            </Button>
          )}
          {refusal === 'deleted' && <KeepAsNew target={target} name={name} autosave={autosave} />}
          {block && (
            <Button isSmall onPress={() => store.select([idOf(block)])}>
              {t('show')}
            </Button>
          )}
          {refusal !== 'deleted' && (
            <Button isSmall variant="quiet" onPress={() => void autosave.flush()}>
              {t('again')}
            </Button>
          )}
        </span>
      </Notice>
    </div>
  )
}

/** After a colleague has deleted the signature or the campaign. */
function KeepAsNew({ target, name, autosave }: Pick<RefusedBarProps, 'target' | 'name' | 'autosave'>) {
  const t = useTranslations('editor.refused')
  const messageOf = useMessageOf()
  const navigate = useNavigate()
  const { store } = useEditor()
  const create = useMutation({
    mutationFn: async () => {
      const { tree } = store.getState()
      return { tree, address: await target.createNew(name, tree) }
    },
    onSuccess: ({ tree, address }) => {
      autosave.rebase(tree, autosave.version)
      void navigate({ to: address })
    },
    onError: error => toastError(messageOf(error)),
  })
  return (
    <Button isSmall isPending={create.isPending} onPress={() => create.mutate()}>
      {t('keepAsNew', { kind: target.kind })}
    </Button>
  )
}

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
