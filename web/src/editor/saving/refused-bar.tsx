// The service refuses to save: why, that nothing is lost, and what can be done.
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { goToSignIn } from '#api/client.ts'
import { idOf } from '#records/content/block.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button } from '#ui/base/button.tsx'
import { toastError } from '#ui/feedback/toast.tsx'
import { Notice } from '#ui/layout/page.tsx'
import { useEditor, useEditorState } from '../kit/editor-context.ts'
import type { Autosave } from './autosave.ts'
import { refusalOf, refusedBlock } from './refusal.ts'
import type { EditorTarget } from './targets.ts'

interface RefusedBarProps {
  readonly target: EditorTarget
  readonly name: string
  readonly autosave: Autosave
  readonly error: unknown
  /** Keeps the changes in the browser before the page is left. */
  readonly onLeave: () => Promise<void>
}

export function RefusedBar({ target, name, autosave, error, onLeave }: RefusedBarProps) {
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
