// What the buttons, the menus and the keys do with the selected blocks.
import type { Content, Problem } from '@signoff/render'
import { childrenOf, idOf } from '#records/content/block.ts'
import {
  duplicateBlocks,
  groupBlocks,
  moveByStep,
  removeBlocks,
  type Step,
  setProperties,
  unwrapBlocks,
  type Wrapped,
  wrapBlocks,
} from './operations.ts'
import { type EditorState, type EditorStore, movableSelection } from './store.ts'
import { blockOf, findBlock, outermost, parentOf } from './tree.ts'

export const blockCommandNames = [
  'duplicate',
  'remove',
  'earlier',
  'later',
  'in',
  'out',
  'group',
  'wrapRow',
  'wrapColumn',
  'unwrap',
  'toggleVisible',
] as const
export type BlockCommand = (typeof blockCommandNames)[number]

/** The tree after a command, and the selection that belongs to it. */
interface Outcome {
  readonly root: Content
  readonly select: readonly string[]
}

type Command = (state: EditorState, ids: readonly string[], groupName: string) => Outcome

const step =
  (direction: Step): Command =>
  ({ tree, selection }, ids) => ({ root: moveByStep(tree, ids, direction), select: selection })

const wrapped = ({ root, wrapperId }: Wrapped): Outcome => ({
  root,
  select: wrapperId === undefined ? [] : [wrapperId],
})

/** The block that is selected after others were removed: the one before them, else their parent. */
function neighbourOf(tree: Content, [first]: readonly string[]): readonly string[] {
  const match = first === undefined ? undefined : findBlock(tree, first)
  const parent = match && parentOf(match)
  if (!match || !parent) return []
  const before = childrenOf(parent)[match.index - 1] ?? (parent === tree ? undefined : parent)
  return before ? [idOf(before)] : []
}

const commands: Readonly<Record<BlockCommand, Command>> = {
  duplicate({ tree }, ids) {
    const { root, copies } = duplicateBlocks(tree, ids)
    return { root, select: copies }
  },
  remove: ({ tree }, ids) => ({ root: removeBlocks(tree, ids), select: neighbourOf(tree, ids) }),
  earlier: step('earlier'),
  later: step('later'),
  in: step('in'),
  out: step('out'),
  group: ({ tree }, ids, name) => wrapped(groupBlocks(tree, ids, name)),
  wrapRow: ({ tree }, ids) => wrapped(wrapBlocks(tree, ids, 'row')),
  wrapColumn: ({ tree }, ids) => wrapped(wrapBlocks(tree, ids, 'column')),
  unwrap: ({ tree }, ids) => ({
    root: unwrapBlocks(tree, ids),
    select: ids.flatMap(id => childrenOf(blockOf(tree, id) ?? tree).map(idOf)),
  }),
  toggleVisible({ tree, selection }, ids) {
    const isShown = ids.some(id => blockOf(tree, id)?.visible !== false)
    const root = ids.reduce(
      (now, id) => setProperties(now, id, { visible: isShown ? false : undefined }),
      tree,
    )
    return { root, select: selection }
  },
}

const chosenIn = (state: EditorState): readonly string[] => outermost(state.tree, movableSelection(state))

interface CommandResult {
  readonly isChanged: boolean
  /** Why the changed tree was refused. */
  readonly problems: readonly Problem[]
}

/** `groupName` is what a new group is called. */
export function runCommand(store: EditorStore, command: BlockCommand, groupName: string): CommandResult {
  const state = store.getState()
  if (!canRun(state, command)) return { isChanged: false, problems: [] }
  const { root, select } = commands[command](state, chosenIn(state), groupName)
  if (root === state.tree) return { isChanged: false, problems: [] }
  const problems = store.change(() => root, { select })
  return { isChanged: problems.length === 0, problems }
}

/** True if a command would change anything; the buttons of the others are off. */
export function canRun(state: EditorState, command: BlockCommand): boolean {
  const ids = chosenIn(state)
  const matches = ids.flatMap(id => findBlock(state.tree, id) ?? [])
  const [first, last] = [matches[0], matches.at(-1)]
  const parent = first && parentOf(first)
  if (!first || !last || !parent) return false
  const siblings = childrenOf(parent)
  const areSiblings = matches.every(each => parentOf(each) === parent)
  switch (command) {
    case 'duplicate':
    case 'remove':
    case 'toggleVisible':
      return true
    case 'earlier':
      return areSiblings && (first.index > 0 || last.index - first.index >= matches.length)
    case 'later':
      return areSiblings && (last.index < siblings.length - 1 || last.index - first.index >= matches.length)
    case 'in':
      return areSiblings && siblings[first.index - 1]?.type === 'stack'
    case 'out':
      return areSiblings && first.ancestors.length > 1
    case 'group':
    case 'wrapRow':
    case 'wrapColumn':
      return areSiblings && parent.type === 'stack'
    case 'unwrap':
      return matches.every(each => each.block.type === 'stack' && parentOf(each)?.type === 'stack')
  }
}
