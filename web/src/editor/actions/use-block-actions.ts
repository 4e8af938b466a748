// Runs what menus, buttons and keys do with the selected blocks, and says the result to screen readers.
import { useCallback } from 'react'
import { useTranslations } from 'use-intl'
import { tokensOf } from '#records/content/block.ts'
import { toastNote } from '#ui/feedback/toast.tsx'
import { useBlockName } from '../blocks/block-names.ts'
import { useAnnounce } from '../kit/announcements.tsx'
import { type EditorParts, useEditor } from '../kit/editor-context.ts'
import type { EditorIconName } from '../kit/editor-outlines.ts'
import { selectionAnchor } from '../kit/floating.ts'
import { type BlockCommand, blockCommandNames, canRun, runCommand } from '../model/commands.ts'
import type { Step } from '../model/operations.ts'
import { positionBeside } from '../model/position.ts'
import { type EditorState, movableSelection } from '../model/store.ts'
import { blockOf, findBlock, parentOf } from '../model/tree.ts'
import { knownReferences } from '../rendering/record-queries.ts'
import { useClipboardText, useRefusalText } from './action-messages.ts'
import type { BlockAction } from './key-map.ts'
import { copySelected, pasteCopied } from './use-clipboard.ts'

const isCommand = (action: BlockAction): action is BlockCommand =>
  (blockCommandNames as readonly string[]).includes(action)

const isStep = (command: BlockCommand): command is Step =>
  command === 'earlier' || command === 'later' || command === 'in' || command === 'out'

/** True if an action would do anything with the selection. */
export function isPossible(state: EditorState, action: BlockAction): boolean {
  if (isCommand(action)) return canRun(state, action)
  const ids = movableSelection(state)
  const block = ids.length === 1 && ids[0] !== undefined ? blockOf(state.tree, ids[0]) : undefined
  switch (action) {
    case 'insertAbove':
    case 'insertBelow':
      return ids.length < 2
    case 'copy':
    case 'cut':
      return ids.length > 0
    case 'paste':
      return true
    case 'editText':
      return block !== undefined && tokensOf(block) !== undefined
    case 'rename':
      return block !== undefined
  }
}

/** The name of the selected block; the number of several. */
function useSelectionName(): (state: EditorState) => string {
  const t = useTranslations('editor.inspector')
  const nameOf = useBlockName()
  return useCallback(
    state => {
      const ids = movableSelection(state)
      const block = ids[0] === undefined ? undefined : blockOf(state.tree, ids[0])
      return ids.length === 1 && block ? nameOf(block) : t('blocks', { count: ids.length })
    },
    [t, nameOf],
  )
}

/** The sentence about blocks that have moved. */
function useMovedText(): (before: EditorState, after: EditorState) => string {
  const t = useTranslations('editor.outline')
  const nameOf = useBlockName()
  const selectionName = useSelectionName()
  return useCallback(
    (before, after) => {
      const [id] = movableSelection(after)
      const match = id === undefined ? undefined : findBlock(after.tree, id)
      const parent = match && parentOf(match)
      const name = selectionName(before)
      return before.tree === after.tree || !match || !parent
        ? t('cannotMove', { name })
        : t('moved', { name, position: match.index + 1, parent: nameOf(parent) })
    },
    [t, nameOf, selectionName],
  )
}

function insert({ store, menus }: EditorParts, side: 'above' | 'below'): void {
  const { tree, selection } = store.getState()
  menus.open({
    kind: 'insert',
    position: positionBeside(tree, selection.at(-1), side),
    at: selectionAnchor(),
  })
}

export function useBlockActions(): (action: BlockAction) => void {
  const t = useTranslations('editor.actions')
  const announce = useAnnounce()
  const parts = useEditor()
  const selectionName = useSelectionName()
  const movedText = useMovedText()
  const say = useClipboardText()
  const { store, menus } = parts
  const refusalText = useRefusalText(store.kind)
  const runStored = useCallback(
    (command: BlockCommand) => {
      const before = store.getState()
      const name = selectionName(before)
      const { isChanged, problems } = runCommand(store, command, t('groupName'))
      if (problems.length > 0) return toastNote(refusalText(problems, t('impossible')))
      if (isStep(command)) return announce(movedText(before, store.getState()))
      if (!isChanged) return toastNote(t('impossible'))
      const { tree, selection } = store.getState()
      const isHidden = blockOf(tree, selection[0] ?? '')?.visible === false
      if (command === 'toggleVisible') announce(t(isHidden ? 'done.hidden' : 'done.shown', { name }))
      else announce(t(`done.${command}`, { name }))
    },
    [store, t, announce, selectionName, movedText, refusalText],
  )
  return useCallback(
    action => {
      if (isCommand(action)) return runStored(action)
      const [id] = movableSelection(store.getState())
      switch (action) {
        case 'insertAbove':
          return insert(parts, 'above')
        case 'insertBelow':
          return insert(parts, 'below')
        case 'copy':
        case 'cut':
          return say(copySelected(store, action === 'cut'))
        case 'paste':
          return void pasteCopied(store, knownReferences).then(say)
        case 'editText':
          return store.edit(id)
        case 'rename':
          return menus.rename(id)
      }
    },
    [parts, store, menus, say, runStored],
  )
}

export const actionIcons: Readonly<Record<BlockAction, EditorIconName>> = {
  duplicate: 'layers',
  remove: 'trash-2',
  earlier: 'arrow-up',
  later: 'arrow-down',
  in: 'chevron-right',
  out: 'chevron-left',
  group: 'group',
  wrapRow: 'columns-2',
  wrapColumn: 'rows-2',
  unwrap: 'ungroup',
  toggleVisible: 'eye-off',
  insertAbove: 'arrow-up-to-line',
  insertBelow: 'between-horizontal-start',
  copy: 'copy',
  cut: 'scissors',
  paste: 'clipboard-paste',
  editText: 'pen-line',
  rename: 'text-cursor-input',
}
