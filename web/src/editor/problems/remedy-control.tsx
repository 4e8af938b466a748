// The control of one remedy: a button, or a field with a button.
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { signaturePath } from '#records/signatures/signature-data.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { searchOf } from '#state/search-of.ts'
import { Button } from '#ui/base/button.tsx'
import { toastError, toastNote } from '#ui/feedback/toast.tsx'
import { TextField } from '#ui/form/field.tsx'
import { useBlockName } from '../blocks/block-names.ts'
import { useInspector } from '../inputs/inspector-data.ts'
import { useAnnounce } from '../kit/announcements.tsx'
import { useEditor, useEditorState } from '../kit/editor-context.ts'
import { blockOf } from '../model/tree.ts'
import { useShownPreview } from '../rendering/preview-state.tsx'
import { useCheck } from './check-context.tsx'
import { useNextGap } from './next-gap.ts'
import type { ClickRemedy, FoundRemedy, LinkRemedy, Remedy, WordsRemedy } from './remedies.ts'
import type { ShownProblem } from './shown-problems.ts'

interface RemedyControlProps<Kind extends Remedy = Remedy> {
  readonly problem: ShownProblem
  readonly remedy: Kind
  /** Those that the problem has, as far as they are shown: of several, the name of one that is changed alone is said. */
  readonly ids: readonly string[]
}

/** Changes the tree in one step, and says so. */
function useMend(problem: ShownProblem) {
  const t = useTranslations('editor.check')
  const { store } = useEditor()
  const announce = useAnnounce()
  const { markMended } = useCheck()
  return (change: Parameters<typeof store.change>[0]) => {
    const { tree: before } = store.getState()
    const [refused] = store.change(change)
    if (refused) return toastError(t('refused'), refused.message)
    store.endStep()
    markMended(problem, before)
    announce(t('mended'))
    // The control that had the focus is gone: the keyboard goes on from the list of problems.
    requestAnimationFrame(() => {
      const heading = document.querySelector<HTMLElement>('[data-check-heading]')
      if (document.activeElement === document.body) heading?.focus({ preventScroll: true })
    })
  }
}

/** The words of a control, with the name of its block where the problem has several. */
function useLabel(): (words: string, blockId: string | undefined, ids: readonly string[]) => string {
  const t = useTranslations('editor.check')
  const { tree } = useEditorState()
  const nameOf = useBlockName()
  return (words, blockId, ids) => {
    const block = ids.length > 1 && blockId !== undefined ? blockOf(tree, blockId) : undefined
    return block ? t('wordsOf', { words, name: nameOf(block) }) : words
  }
}

export function RemedyControl({ remedy, ...rest }: RemedyControlProps) {
  switch (remedy.kind) {
    case 'click':
      return <ClickControl remedy={remedy} {...rest} />
    case 'words':
      return <WordsControl remedy={remedy} {...rest} />
    case 'found':
      return <FoundControl remedy={remedy} {...rest} />
    default:
      return <LinkControl remedy={remedy} />
  }
}

function ClickControl({ problem, remedy, ids }: RemedyControlProps<ClickRemedy>) {
  const t = useTranslations('editor.check')
  const mend = useMend(problem)
  const label = useLabel()
  return (
    <Button isSmall onPress={() => mend(remedy.apply)}>
      {label(t(remedy.name, { count: ids.length }), remedy.blockId, ids)}
    </Button>
  )
}

function WordsControl({ problem, remedy, ids }: RemedyControlProps<WordsRemedy>) {
  const t = useTranslations('editor.check')
  const mend = useMend(problem)
  const label = useLabel()
  const [words, setWords] = useState(remedy.initial)
  const [isRefused, setRefused] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const change = remedy.apply(words)
    setRefused(change === null)
    if (change) mend(change)
  }
  return (
    <form noValidate onSubmit={submit} className="flex w-full max-w-md items-end gap-2">
      <TextField
        label={label(t(remedy.name), remedy.blockId, ids)}
        value={words}
        maxLength={remedy.name === 'target' ? 2_048 : 200}
        placeholder={remedy.name === 'target' ? 'https://' : ''}
        onChange={typed => {
          setWords(typed)
          setRefused(false)
        }}
        problem={isRefused ? t(`${remedy.name}Refused`) : undefined}
        className="min-w-0 flex-1"
      />
      <Button type="submit">{t('apply')}</Button>
    </form>
  )
}

function FoundControl({ problem, remedy }: RemedyControlProps<FoundRemedy>) {
  const t = useTranslations('editor.check')
  const mend = useMend(problem)
  const messageOf = useMessageOf()
  const [isPending, setPending] = useState(false)
  const find = () => {
    setPending(true)
    remedy
      .find()
      .then(change => (change ? mend(change) : toastNote(t('notFound'))))
      .catch(error => toastError(messageOf(error)))
      .finally(() => setPending(false))
  }
  return (
    <Button isSmall isPending={isPending} onPress={find}>
      {t(remedy.name)}
    </Button>
  )
}

function LinkControl({ remedy: { kind, id } }: { readonly remedy: LinkRemedy }) {
  const t = useTranslations('editor.check')
  const { store } = useEditor()
  const { onPicture } = useInspector()
  const { signatureId } = useShownPreview()
  const { goToNextGap, isSearching } = useNextGap()
  const navigate = useNavigate()
  const links: Readonly<Record<LinkRemedy['kind'], () => void>> = {
    picture: () => onPicture({ blockId: id }),
    person: () => goToNextGap(id),
    people: () => void navigate({ to: '/people' as string, search: searchOf({ missing: id }) }),
    variants: () => void navigate({ to: signaturePath(signatureId) }),
    text: () => store.edit(id),
  }
  return (
    <Button isSmall variant="quiet" isPending={kind === 'person' && isSearching} onPress={links[kind]}>
      {t(`links.${kind}`)}
    </Button>
  )
}
